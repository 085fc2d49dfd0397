/*
 * One side of the comparison of instrumentations, in a process of its own:
 * `instrument-side.js <side> calls|stream|wait <url>` prints ms of CPU for one call or one stream, or ms that a caller waits.
 */
import { createRequire } from "node:module";
import { setImmediate as nextTurn, setTimeout } from "node:timers/promises";
import { metrics, trace } from "@opentelemetry/api";
import { ExportResultCode } from "@opentelemetry/core";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { AgentMonitor } from "agent-monitor";
import type { OpenAI } from "openai";
import { agentInfo } from "./agent.ts";
import { median } from "./statistics.ts";

const CALLS = 2000;
const ROUNDS = 5;
const STREAMS = 15;
/** Calls whose callers' waits are measured, in rounds, of which the first are to have everything compiled. */
const APART = 800;
const WAIT_ROUNDS = 9;
const WARM_UP_ROUNDS = 3;
/** Turns of the event loop between two of them, in which is done what was put off. */
const TURNS = 4;
/** The queues of all sides are at rest between two rounds. */
const REST_MILLIS = 400;
const MESSAGES = [
  { role: "system", content: "You are a careful assistant of a bank." },
  { role: "user", content: "When does the Delft branch open?" },
] as const;

const [side = "bare", mode = "calls", url = ""] = process.argv.slice(2);

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

type Wrap = (client: OpenAI) => OpenAI;

/** Makes each side observe what an OpenAI client does from here on. */
const SIDES: Readonly<Record<string, () => Promise<Wrap>>> = {
  bare: () => Promise.resolve((client) => client),
  async monitor() {
    const monitor = new AgentMonitor({
      endpoint: url,
      apiKey: "key",
      organizationId: "bank",
      enableComplianceChecks: false,
      tracerProvider,
      loggerProvider,
    });
    void monitor.registerAgent(agentInfo).catch(() => undefined);
    monitor.instrumentFetch();
    return (client) => client;
  },
  /** The observer alone, without what becomes of the events. */
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

async function measureCalls(client: OpenAI): Promise<number> {
  const run = async (): Promise<void> => {
    for (let count = 0; count < CALLS; count++) {
      await client.chat.completions.create({ model: "gpt-4o", messages: [...MESSAGES] });
    }
    await tracerProvider.forceFlush();
    await loggerProvider.forceFlush();
    await setTimeout(REST_MILLIS);
  };
  await run();
  const figures: number[] = [];
  for (let round = 0; round < ROUNDS; round++) figures.push(await measure(run));
  return median(figures) / CALLS;
}

/** Gives what a caller waits for one call, in ms: what is done after it has its answer is done between two calls. */
async function measureWait(client: OpenAI): Promise<number> {
  const waits: number[] = [];
  for (let round = 0; round < WAIT_ROUNDS; round++) {
    for (let count = 0; count < APART; count++) {
      const startedAt = performance.now();
      await client.chat.completions.create({ model: "gpt-4o", messages: [...MESSAGES] });
      if (round > WARM_UP_ROUNDS) waits.push(performance.now() - startedAt);
      for (let turn = 0; turn < TURNS; turn++) await nextTurn();
    }
    await setTimeout(REST_MILLIS);
  }
  return median(waits);
}

async function measureStream(client: OpenAI): Promise<number> {
  const run = async (): Promise<void> => {
    const stream = await client.chat.completions.create({
      model: "gpt-4o",
      messages: [...MESSAGES],
      stream: true,
      stream_options: { include_usage: true },
    });
    let chunks = 0;
    for await (const chunk of stream) chunks += chunk.choices.length;
    if (chunks < 4000) throw new Error(`bench: ${chunks} chunks came, not 4000`);
  };
  for (let count = 0; count < STREAMS; count++) await run();
  const figures: number[] = [];
  for (let count = 0; count < 2 * STREAMS; count++) figures.push(await measure(run));
  return median(figures);
}

if (mode !== "stream") {
  const headers = { "content-type": "application/json" };
  const send = globalThis.fetch;
  globalThis.fetch = (...args) =>
    args[0] instanceof Request || !String(args[0]).includes("/chat/completions")
      ? send(...args)
      : Promise.resolve(new Response(ANSWER, { headers }));
}
const wrap = await SIDES[side]?.();
if (!wrap) throw new Error(`bench: there is no side ${side}`);
const Client = loadClient();
const made = wrap(new Client({ apiKey: "key", baseURL: `${url}/v1`, maxRetries: 0 }));
const measures = { calls: measureCalls, wait: measureWait, stream: measureStream };
const figure = await measures[mode as keyof typeof measures](made);
process.stdout.write(String(figure));
process.exit(0);
