/*
 * The instrumentations of one client side by side, in one process: `instrument-side.js calls|wait|stream <url> <sides>`
 * prints, for each side, what ms of CPU one call or one stream takes more than without instrumentation, or what its
 * caller waits longer; under `bare`, what there is without one. All take turns, because the machine's speed changes
 * more than any of them costs.
 */
import { createRequire } from "node:module";
import { setImmediate as nextTurn, setTimeout } from "node:timers/promises";
import { metrics, trace } from "@opentelemetry/api";
import { ExportResultCode } from "@opentelemetry/core";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { AgentMonitor } from "agent-monitor";
import { OpenAI } from "openai";
import { agentInfo } from "./agent.ts";
import { answerChat, CHUNKS } from "./model-answers.ts";
import { median } from "./statistics.ts";

/** Calls of which the CPU is taken together, with all that is put off. */
const CALLS = 1000;
/** Calls in a row of which the median wait counts. */
const APART = 60;
/** Turns of the event loop between two of them. */
const TURNS = 4;
/** The queues of all sides are at rest when the next one has its turn. */
const REST_MILLIS = 30;
const MESSAGES = [
  { role: "system", content: "You are a careful assistant of a bank." },
  { role: "user", content: "When does the Delft branch open?" },
] as const;

const [mode = "calls", url = "", sides = "bare"] = process.argv.slice(2);

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
let flush = async (): Promise<void> => {
  await tracerProvider.forceFlush();
  await loggerProvider.forceFlush();
};

/** Loads a peer, which types need not know. */
async function load(name: string): Promise<any> {
  return import(name);
}

type Client = typeof OpenAI;

/** Loads another copy of the client than the last one: some peers patch the copy that they find. */
function loadCopy(): Client {
  const require = createRequire(import.meta.url);
  for (const path of Object.keys(require.cache)) {
    if (path.includes("/node_modules/openai/")) delete require.cache[path];
  }
  return (require("openai") as { OpenAI: Client }).OpenAI;
}

const options = { apiKey: "key", baseURL: `${url}/v1`, maxRetries: 0 };

function startMonitor(enableComplianceChecks: boolean): OpenAI {
  const monitor = new AgentMonitor({
    endpoint: url,
    apiKey: "key",
    organizationId: "bank",
    enableComplianceChecks,
    tracerProvider,
    loggerProvider,
  });
  void monitor.registerAgent(agentInfo).catch(() => undefined);
  const flushOthers = flush;
  flush = async () => {
    await monitor.flush();
    await flushOthers();
  };
  return new OpenAI({ ...options, fetch: monitor.fetch });
}

/** Makes the client of each side. */
const SIDES: Readonly<Record<string, () => OpenAI | Promise<OpenAI>>> = {
  bare: () => new OpenAI(options),
  monitor: () => startMonitor(false),
  rules: () => startMonitor(true),
  /** What the peers do, and no more: no events are made of the calls. */
  async observer() {
    const { FetchObserver } = await import("../../src/instrumentation/fetch/fetch-observer.ts");
    const observer = new FetchObserver({
      tracer: () => tracerProvider.getTracer("agent-monitor"),
      onStart: () => undefined,
      onEnd: () => undefined,
      onAbandon: () => undefined,
      isModelCall: () => false,
    });
    return new OpenAI({ ...options, fetch: observer.observe(globalThis.fetch) });
  },
  async openinference() {
    const { OpenAIInstrumentation } = await load("@arizeai/openinference-instrumentation-openai");
    const Copy = loadCopy();
    new OpenAIInstrumentation({ tracerProvider }).manuallyInstrument(Copy);
    return new Copy(options);
  },
  /** Patches every copy that is loaded from here on. */
  async otel() {
    const { OpenAIInstrumentation } = await load("@opentelemetry/instrumentation-openai");
    const instrumentation = new OpenAIInstrumentation();
    instrumentation.setTracerProvider(tracerProvider);
    instrumentation.setLoggerProvider?.(loggerProvider);
    instrumentation.setMeterProvider(metrics.getMeterProvider());
    return new (loadCopy())(options);
  },
  async langfuse() {
    trace.setGlobalTracerProvider(tracerProvider);
    const { observeOpenAI } = await load("@langfuse/openai");
    return observeOpenAI(new OpenAI(options)) as OpenAI;
  },
};

/** Makes the clients of the sides that are asked for; none for a peer whose package is not installed. */
async function makeClients(names: readonly string[]): Promise<Map<string, OpenAI>> {
  const clients = new Map<string, OpenAI>();
  for (const name of names) {
    const make = SIDES[name];
    if (!make) throw new Error(`bench: there is no side ${name}`);
    try {
      clients.set(name, await make());
    } catch (error) {
      if ((error as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw error;
    }
  }
  return clients;
}

/** A way to measure a client, in ms, and how often: some turns before have everything compiled. */
interface Measure {
  readonly measureOne: (client: OpenAI) => Promise<number>;
  readonly warmUps: number;
  readonly turns: number;
}

async function takeCpu(run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e3;
}

/** Gives the CPU of one call, with all that is put off. */
async function measureCalls(client: OpenAI): Promise<number> {
  const millis = await takeCpu(async () => {
    for (let count = 0; count < CALLS; count++) {
      await client.chat.completions.create({ model: "gpt-4o", messages: [...MESSAGES] });
    }
    await flush();
  });
  return millis / CALLS;
}

/** Gives what a caller waits for one call: what is done after it has its answer is done between two calls. */
async function measureWait(client: OpenAI): Promise<number> {
  const waits: number[] = [];
  for (let count = 0; count < APART; count++) {
    const startedAt = performance.now();
    await client.chat.completions.create({ model: "gpt-4o", messages: [...MESSAGES] });
    waits.push(performance.now() - startedAt);
    for (let turn = 0; turn < TURNS; turn++) await nextTurn();
  }
  return median(waits);
}

/** Gives the CPU of one stream. */
function measureStream(client: OpenAI): Promise<number> {
  return takeCpu(async () => {
    const stream = await client.chat.completions.create({
      model: "gpt-4o",
      messages: [...MESSAGES],
      stream: true,
      stream_options: { include_usage: true },
    });
    let chunks = 0;
    for await (const chunk of stream) chunks += chunk.choices.length;
    if (chunks < CHUNKS) throw new Error(`bench: ${chunks} chunks came, not ${CHUNKS}`);
  });
}

const MEASURES: Readonly<Record<string, Measure>> = {
  calls: { measureOne: measureCalls, warmUps: 4, turns: 10 },
  wait: { measureOne: measureWait, warmUps: 40, turns: 40 },
  stream: { measureOne: measureStream, warmUps: 30, turns: 40 },
};

/** Gives the sides in another order at every turn: nobody always follows the same one. */
function order<T>(all: readonly T[], turn: number): readonly T[] {
  const first = turn % all.length;
  const turned = [...all.slice(first), ...all.slice(0, first)];
  return turn % 2 === 0 ? turned : turned.toReversed();
}

async function measureTurns(
  clients: ReadonlyMap<string, OpenAI>,
  { measureOne, warmUps, turns }: Measure,
): Promise<Record<string, number>> {
  const names = [...clients.keys()];
  const figures: Record<string, number>[] = [];
  for (let turn = 0; turn < warmUps + turns; turn++) {
    const measured: Record<string, number> = {};
    for (const [name, client] of order([...clients], turn)) {
      measured[name] = await measureOne(client);
      await setTimeout(REST_MILLIS);
    }
    if (turn >= warmUps) figures.push(measured);
  }
  const bare = median(figures.map((measured) => measured["bare"]!));
  const more = (name: string): number =>
    median(figures.map((measured) => measured[name]! - measured["bare"]!));
  return Object.fromEntries(names.map((name) => [name, name === "bare" ? bare : more(name)]));
}

const send = globalThis.fetch;
globalThis.fetch = (...args) =>
  args[0] instanceof Request || !String(args[0]).includes("/chat/completions")
    ? send(...args)
    : Promise.resolve(answerChat(mode === "stream"));
const measure = MEASURES[mode];
if (!measure) throw new Error(`bench: there is no measure ${mode}`);
const clients = await makeClients(sides.split(","));
process.stdout.write(JSON.stringify(await measureTurns(clients, measure)));
process.exit(0);
