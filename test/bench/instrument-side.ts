/*
 * One side of the comparison of instrumentations, in a process of its own:
 * `instrument-side.js <side> calls|stream|wait <url>` prints what ms of CPU one call or one stream takes, or ms that
 * its caller waits: bare, and how much more observed. What is observed takes turns with what is not, because the
 * machine's speed changes more than that costs.
 */
import { createRequire } from "node:module";
import { setImmediate as nextTurn, setTimeout } from "node:timers/promises";
import { metrics, trace } from "@opentelemetry/api";
import { ExportResultCode } from "@opentelemetry/core";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { AgentMonitor } from "agent-monitor";
import { OpenAI as BareOpenAI, type OpenAI } from "openai";
import { agentInfo } from "./agent.ts";
import { median } from "./statistics.ts";

/** Calls of which the CPU is taken together, with all that is put off, so many times of either. */
const CALLS = 1000;
const ROUNDS = 20;
const WARM_UP_ROUNDS = 8;
/** Streams of each of both, some before to have everything compiled. */
const STREAMS = 60;
const WARM_UP_STREAMS = 10;
/** Calls in a row of which the median wait counts, in blocks of either. */
const APART = 60;
const BLOCKS = 80;
const WARM_UP_BLOCKS = 50;
/** Turns of the event loop between two of them. */
const TURNS = 4;
/** The queues of all sides are at rest between two rounds, and after so many blocks. */
const REST_MILLIS = 400;
const REST_AFTER = 10;
const MESSAGES = [
  { role: "system", content: "You are a careful assistant of a bank." },
  { role: "user", content: "When does the Delft branch open?" },
] as const;

const [side = "", mode = "calls", url = ""] = process.argv.slice(2);

const exporter = {
  export: (_items: unknown, done: (result: { code: ExportResultCode }) => void) =>
    done({ code: ExportResultCode.SUCCESS }),
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};
const QUEUE = { maxQueueSize: 10 * CALLS };
const tracerProvider = new BasicTracerProvider({
  spanProcessors: [new BatchSpanProcessor(exporter, QUEUE)],
});
const loggerProvider = new LoggerProvider({
  processors: [new BatchLogRecordProcessor({ exporter, ...QUEUE })],
});

/** Loads a peer, which types need not know. */
async function load(name: string): Promise<any> {
  return import(name);
}

/** Loads the client as late as this, for OpenTelemetry patches it while it is loaded. */
function loadClient(): typeof OpenAI {
  const { OpenAI: loaded } = createRequire(import.meta.url)("openai") as { OpenAI: typeof OpenAI };
  return loaded;
}

/** What makes a client observed. */
type Wrap = (client: OpenAI) => OpenAI;

let flush = async (): Promise<void> => {
  await tracerProvider.forceFlush();
  await loggerProvider.forceFlush();
};

function startMonitor(enableComplianceChecks: boolean): Promise<Wrap> {
  const monitor = new AgentMonitor({
    endpoint: url,
    apiKey: "key",
    organizationId: "bank",
    enableComplianceChecks,
    tracerProvider,
    loggerProvider,
  });
  void monitor.registerAgent(agentInfo).catch(() => undefined);
  monitor.instrumentFetch();
  const flushProviders = flush;
  flush = async () => {
    await monitor.flush();
    await flushProviders();
  };
  return Promise.resolve((client) => client);
}

/** Makes each side observe what an OpenAI client does from here on. */
const SIDES: Readonly<Record<string, () => Promise<Wrap>>> = {
  monitor: () => startMonitor(false),
  rules: () => startMonitor(true),
  /** What the peers do, and no more: no events are made of the calls. */
  async observer() {
    const { createFetchObserver } = await import("../../src/instrumentation/fetch-observer.ts");
    const observer = createFetchObserver({
      tracer: () => tracerProvider.getTracer("agent-monitor"),
      onStart: () => undefined,
      onEnd: () => undefined,
      isModelCall: () => false,
    });
    globalThis.fetch = observer.observe(globalThis.fetch);
    return (client) => client;
  },
  async otel() {
    const { OpenAIInstrumentation } = await load("@opentelemetry/instrumentation-openai");
    const instrumentation = new OpenAIInstrumentation();
    instrumentation.setTracerProvider(tracerProvider);
    instrumentation.setLoggerProvider?.(loggerProvider);
    instrumentation.setMeterProvider(metrics.getMeterProvider());
    return (client) => client;
  },
  async openinference() {
    const { OpenAIInstrumentation } = await load("@arizeai/openinference-instrumentation-openai");
    new OpenAIInstrumentation({ tracerProvider }).manuallyInstrument(loadClient());
    return (client) => client;
  },
  async langfuse() {
    trace.setGlobalTracerProvider(tracerProvider);
    const { observeOpenAI } = await load("@langfuse/openai");
    return (client) => observeOpenAI(client) as OpenAI;
  },
};

/** An answer from memory: what the network takes would only blur the comparison. */
const ANSWER = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_780_000_000,
  model: "gpt-4o",
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content: "It opens at nine and closes at five.",
        refusal: null,
      },
      logprobs: null,
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 21, completion_tokens: 11, total_tokens: 32 },
});

async function measure(run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e3;
}

/** Both of a pair, in ms, and what the observed one takes more: medians of what was measured side by side. */
interface Pair {
  readonly bare: number;
  readonly more: number;
}

/** A client that is not observed, and one that is. */
type Clients = readonly [bare: OpenAI, observed: OpenAI];

/** Measures by turns, so that both meet the same moments of the machine; some before to have everything compiled. */
async function measurePairs(
  [bareClient, client]: Clients,
  count: number,
  warmUps: number,
  measureOne: (called: OpenAI) => Promise<number>,
): Promise<Pair> {
  const bare: number[] = [];
  const more: number[] = [];
  let before = await measureOne(bareClient);
  for (let index = 0; index < warmUps + count; index++) {
    const observed = await measureOne(client);
    const after = await measureOne(bareClient);
    if (index >= warmUps) {
      bare.push(after);
      more.push(observed - (before + after) / 2);
    }
    before = after;
    if (index % REST_AFTER === REST_AFTER - 1) await setTimeout(REST_MILLIS);
  }
  return { bare: median(bare), more: median(more) };
}

function measureCalls(clients: Clients): Promise<Pair> {
  const run = async (called: OpenAI): Promise<void> => {
    for (let count = 0; count < CALLS; count++) {
      await called.chat.completions.create({ model: "gpt-4o", messages: [...MESSAGES] });
    }
    await flush();
  };
  return measurePairs(
    clients,
    ROUNDS,
    WARM_UP_ROUNDS,
    async (called) => (await measure(() => run(called))) / CALLS,
  );
}

/** Gives what a caller waits for one call, in ms: what is done after it has its answer is done between two calls. */
function measureWait(clients: Clients): Promise<Pair> {
  return measurePairs(clients, BLOCKS, WARM_UP_BLOCKS, async (called) => {
    const waits: number[] = [];
    for (let count = 0; count < APART; count++) {
      const startedAt = performance.now();
      await called.chat.completions.create({ model: "gpt-4o", messages: [...MESSAGES] });
      waits.push(performance.now() - startedAt);
      for (let turn = 0; turn < TURNS; turn++) await nextTurn();
    }
    return median(waits);
  });
}

function measureStream(clients: Clients): Promise<Pair> {
  const run = async (called: OpenAI): Promise<void> => {
    const stream = await called.chat.completions.create({
      model: "gpt-4o",
      messages: [...MESSAGES],
      stream: true,
      stream_options: { include_usage: true },
    });
    let chunks = 0;
    for await (const chunk of stream) chunks += chunk.choices.length;
    if (chunks < 4000) throw new Error(`bench: ${chunks} chunks came, not 4000`);
  };
  return measurePairs(clients, STREAMS, WARM_UP_STREAMS, (called) => measure(() => run(called)));
}

if (mode !== "stream") {
  const headers = { "content-type": "application/json" };
  const send = globalThis.fetch;
  globalThis.fetch = (...args) =>
    args[0] instanceof Request || !String(args[0]).includes("/chat/completions")
      ? send(...args)
      : Promise.resolve(new Response(ANSWER, { headers }));
}
const options = { apiKey: "key", baseURL: `${url}/v1`, maxRetries: 0 };
// Another copy of the client than the one that is observed, with the `fetch` that is there before.
const bareClient = new BareOpenAI(options);
const wrap = await SIDES[side]?.();
if (!wrap) throw new Error(`bench: there is no side ${side}`);
const Client = loadClient();
const made = wrap(new Client(options));
const measures = { calls: measureCalls, wait: measureWait, stream: measureStream };
const figure = await measures[mode as keyof typeof measures]([bareClient, made]);
process.stdout.write(JSON.stringify(figure));
process.exit(0);
