import { ROOT_CONTEXT, SpanKind, trace, type Attributes, type Span } from "@opentelemetry/api";
import type { LogRecord } from "@opentelemetry/api-logs";
import { ExportResultCode } from "@opentelemetry/core";
import { startObservation, setLangfuseTracerProvider } from "@langfuse/tracing";
import {
  BatchLogRecordProcessor,
  LoggerProvider,
  type LogRecordExporter,
} from "@opentelemetry/sdk-logs";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from "@opentelemetry/sdk-trace-base";
import { AgentMonitor } from "agent-monitor";
import { agentInfo, CONTENT, METADATA } from "./agent.ts";
import { startBenchSink } from "./sink.ts";
import { median } from "./statistics.ts";

/** Calls between two drains: far below every queue bound, so that nothing is dropped on either side. */
const DRAIN_EVERY = 100;
const CALLS_PER_ROUND = 20_000;
const ROUNDS = 9;

export interface Counters {
  spans: number;
  records: number;
}

/** Providers with exporters that only count. */
export function createProviders(counters: Counters) {
  const spanExporter: SpanExporter = {
    export: (spans, done) => {
      counters.spans += spans.length;
      done({ code: ExportResultCode.SUCCESS });
    },
    shutdown: () => Promise.resolve(),
  };
  const logExporter: LogRecordExporter = {
    export: (records, done) => {
      counters.records += records.length;
      done({ code: ExportResultCode.SUCCESS });
    },
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new BatchSpanProcessor(spanExporter)],
  });
  const loggerProvider = new LoggerProvider({
    processors: [new BatchLogRecordProcessor({ exporter: logExporter })],
  });
  return { tracerProvider, loggerProvider };
}

/** One side of the comparison: a call, and what empties its queues. */
interface Side {
  call(): void;
  drain(): Promise<void>;
  /** Throws when anything was dropped. */
  verify(calls: number): void;
}

/** Records that the floor emits in turn; each has values of its own, as in a real program. */
const CAPTURED_RECORDS = 2000;

/** Lets the monitor emit records, so that both sides use the very same attributes. */
async function captureRecords(): Promise<LogRecord[]> {
  const captured: LogRecord[] = [];
  const logger = { emit: (record: LogRecord) => void captured.push(record), enabled: () => true };
  const monitor = createMonitor({ loggerProvider: { getLogger: () => logger } });
  void monitor.registerAgent(agentInfo).catch(() => undefined);
  for (let index = 0; index < CAPTURED_RECORDS; index++) {
    monitor.trackAgentResponse("assistant", "session", CONTENT, METADATA);
  }
  await monitor.shutdown();
  return captured;
}

/** Makes the attributes of one event, as instrumentation written by hand does for every event. */
function toAttributes(values: Attributes): Attributes {
  return {
    "log.record.uid": values["log.record.uid"],
    "session.id": values["session.id"],
    "gen_ai.agent.id": values["gen_ai.agent.id"],
    "deployment.environment.name": values["deployment.environment.name"],
    "agent_monitor.request.id": values["agent_monitor.request.id"],
    "agent_monitor.event.schema_version": values["agent_monitor.event.schema_version"],
    "gen_ai.agent.version": values["gen_ai.agent.version"],
    "agent_monitor.agent.category": values["agent_monitor.agent.category"],
    "gen_ai.response.model": values["gen_ai.response.model"],
    "gen_ai.provider.name": values["gen_ai.provider.name"],
    "agent_monitor.llm.latency_ms": values["agent_monitor.llm.latency_ms"],
    "gen_ai.usage.input_tokens": values["gen_ai.usage.input_tokens"],
    "gen_ai.usage.output_tokens": values["gen_ai.usage.output_tokens"],
    "agent_monitor.usage.total_tokens": values["agent_monitor.usage.total_tokens"],
    "agent_monitor.usage.cost": values["agent_monitor.usage.cost"],
    "gen_ai.request.temperature": values["gen_ai.request.temperature"],
    "agent_monitor.content.length": values["agent_monitor.content.length"],
  };
}

function verifyAttributes({ attributes = {} }: LogRecord): void {
  const made = Object.entries(toAttributes(attributes as Attributes));
  const isSame = made.every(([key, value]) => value !== undefined && attributes[key] === value);
  if (!isSame || made.length !== Object.keys(attributes).length) {
    throw new Error(
      `bench: the floor lacks attributes of the monitor: ${Object.keys(attributes).join(", ")}`,
    );
  }
}

function createMonitor(config: object): AgentMonitor {
  return new AgentMonitor({
    apiKey: "key",
    organizationId: "bank",
    endpoint: "http://127.0.0.1:9",
    enableComplianceChecks: false,
    enableLogging: false,
    retryAttempts: 0,
    shutdownTimeout: 0,
    flushInterval: 1_000_000,
    maxQueueSize: 10_000_000,
    maxQueueBytes: 2 ** 40,
    batchSize: 1000,
    compression: "none",
    ...config,
  });
}

function createFloor(records: readonly LogRecord[]): Side {
  const counters = { spans: 0, records: 0 };
  const { tracerProvider, loggerProvider } = createProviders(counters);
  const logger = loggerProvider.getLogger("floor");
  const tracer = tracerProvider.getTracer("floor");
  let span: Span | undefined;
  let events = 0;
  records.forEach(verifyAttributes);
  return {
    call() {
      const record = records[events++ % records.length];
      if (!record) throw new Error("bench: no record was captured");
      const { eventName = "", severityNumber = 0 } = record;
      const attributes = toAttributes(record.attributes as Attributes);
      const timestamp = Date.now();
      // As with the monitor, the first call of a conversation starts its span.
      span ??= tracer.startSpan("floor", { kind: SpanKind.INTERNAL }, ROOT_CONTEXT);
      logger.emit({
        eventName,
        severityNumber,
        timestamp,
        attributes,
        context: trace.setSpan(ROOT_CONTEXT, span),
      });
      // Under the default content policy every attribute is one that a span takes as well.
      span.addEvent(eventName, attributes, timestamp);
    },
    async drain() {
      span?.end();
      span = undefined;
      await Promise.all([tracerProvider.forceFlush(), loggerProvider.forceFlush()]);
    },
    verify(calls) {
      if (counters.records !== calls || events !== calls)
        throw new Error(`bench: floor dropped ${calls - counters.records}`);
    },
  };
}

function createMonitorSide(endpoint: string): Side {
  const counters = { spans: 0, records: 0 };
  const providers = createProviders(counters);
  // Delivery is measured elsewhere, and not timed here: a platform that takes everything empties the store.
  const monitor = createMonitor({ ...providers, endpoint });
  void monitor.registerAgent(agentInfo).catch(() => undefined);
  let session = 0;
  return {
    call() {
      monitor.trackAgentResponse("assistant", `session-${session}`, CONTENT, METADATA);
    },
    async drain() {
      monitor.trackConversationEnd("assistant", `session-${session}`);
      session++;
      await Promise.all([
        providers.tracerProvider.forceFlush(),
        providers.loggerProvider.forceFlush(),
        monitor.flush(),
      ]);
    },
    verify(calls) {
      const { tracked, dropped } = monitor.stats();
      const ends = session;
      if (tracked !== calls + ends || dropped !== 0 || counters.records !== calls + ends) {
        throw new Error(
          `bench: monitor tracked ${tracked} of ${calls + ends}, ${counters.records} records, ${dropped} dropped`,
        );
      }
    },
  };
}

function createLangfuse(): Side {
  const counters = { spans: 0, records: 0 };
  const { tracerProvider } = createProviders(counters);
  setLangfuseTracerProvider(tracerProvider);
  return {
    call() {
      const generation = startObservation(
        "chat",
        {
          model: "gpt-5",
          output: CONTENT,
          usageDetails: { input: 210, output: 64, total: 274 },
          modelParameters: { temperature: 0.2 },
        },
        { asType: "generation" },
      );
      generation.end();
    },
    drain: () => tracerProvider.forceFlush(),
    verify(calls) {
      if (counters.spans !== calls)
        throw new Error(`bench: langfuse dropped ${calls - counters.spans}`);
    },
  };
}

const NAMES = ["monitor", "floor", "langfuse"] as const;
type Name = (typeof NAMES)[number];

/**
 * Runs the sides in turn, a hundred calls each, and gives the time of each in microseconds per call.
 *
 * In turns as short as these a machine that becomes slower does so for all of them.
 */
async function runRound(sides: Readonly<Record<Name, Side>>): Promise<Record<Name, number>> {
  const elapsed = { monitor: 0, floor: 0, langfuse: 0 };
  for (let done = 0; done < CALLS_PER_ROUND; done += DRAIN_EVERY) {
    for (const name of NAMES) {
      const start = performance.now();
      for (let index = 0; index < DRAIN_EVERY; index++) sides[name].call();
      elapsed[name] += performance.now() - start;
      await sides[name].drain();
    }
  }
  for (const name of NAMES) elapsed[name] *= 1000 / CALLS_PER_ROUND;
  return elapsed;
}

/** Figures of the track path, in microseconds per call and as ratios. */
export interface TrackFigures {
  readonly vsOtelFloor: number;
  readonly vsLangfuse: number;
  readonly micros: { readonly monitor: number; readonly floor: number; readonly langfuse: number };
}

/** Measures `trackAgentResponse` beside the bare OTel calls and Langfuse, in turn, within one run. */
export async function benchTrack(): Promise<TrackFigures> {
  const sink = await startBenchSink();
  const sides = {
    monitor: createMonitorSide(sink.url),
    floor: createFloor(await captureRecords()),
    langfuse: createLangfuse(),
  };
  const times: Record<Name, number[]> = { monitor: [], floor: [], langfuse: [] };
  await runRound(sides);
  for (let round = 0; round < ROUNDS; round++) {
    const each = await runRound(sides);
    for (const name of NAMES) times[name].push(each[name]);
  }
  for (const side of Object.values(sides)) side.verify(CALLS_PER_ROUND * (ROUNDS + 1));
  sink.server.unref();
  const ratios = (other: "floor" | "langfuse"): number =>
    median(times.monitor.map((time, round) => time / (times[other][round] ?? Number.NaN)));
  return {
    vsOtelFloor: ratios("floor"),
    vsLangfuse: ratios("langfuse"),
    micros: {
      monitor: median(times.monitor),
      floor: median(times.floor),
      langfuse: median(times.langfuse),
    },
  };
}
