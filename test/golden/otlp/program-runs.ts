import { context, metrics, propagation, trace } from "@opentelemetry/api";
import { logs } from "@opentelemetry/api-logs";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { startSink, type Sink } from "../../helpers/sink.ts";
import type { Program } from "./programs.ts";
import { runSurrounded } from "./surroundings.ts";

const POLICIES = ["full", "redacted", "none"] as const;
type Policy = (typeof POLICIES)[number];

/** What one receiver of OTLP/JSON got, request by request. */
export interface Received {
  /** Who got it, `fan-out-redacted`. */
  readonly receiver: string;
  readonly traces: readonly unknown[];
  readonly logs: readonly unknown[];
}

/** What one run of a program has sent. */
export interface ProgramRun {
  readonly program: string;
  readonly isObserved: boolean;
  /** How it was run: `fan-out`, or with providers of the application under a policy. */
  readonly way: string;
  readonly batches: readonly unknown[];
  readonly received: readonly Received[];
  readonly printed: readonly string[];
}

function toReceived(receiver: string, { requests }: Sink): Received {
  const bodiesOf = (path: string): unknown[] =>
    requests.filter((request) => request.path === path).map(({ json }) => json);
  return { receiver, traces: bodiesOf("/v1/traces"), logs: bodiesOf("/v1/logs") };
}

/** Takes back what a program, or a run, has registered for the whole process. */
function clearGlobals(): void {
  for (const api of [trace, logs, metrics, context, propagation]) api.disable();
}

/** Runs a program with three destinations of the monitor's own, one under each policy. */
async function runWithDestinations({
  name,
  isObserved = false,
  run,
}: Program): Promise<ProgramRun> {
  const platform = await startSink();
  const sinks = await Promise.all(POLICIES.map(() => startSink()));
  const otlp = POLICIES.map((content, index) => ({ url: sinks[index]?.url, content }));
  const environment = {
    AGENT_MONITOR_ENDPOINT: platform.url,
    AGENT_MONITOR_OTLP: JSON.stringify(otlp),
  };
  const printed = await runSurrounded(environment, run).finally(clearGlobals);
  const received = sinks.map((sink, index) => toReceived(`fan-out-${POLICIES[index]}`, sink));
  await Promise.all([platform, ...sinks].map((sink) => sink.close()));
  return {
    program: name,
    isObserved,
    way: "fan-out",
    batches: platform.batches,
    received,
    printed,
  };
}

/** Registers providers as an application does that exports OTLP/JSON. @returns Sends what is left. */
function registerProviders(url: string): () => Promise<void> {
  const resource = resourceFromAttributes({ "service.name": "golden" });
  const spans = new BatchSpanProcessor(new OTLPTraceExporter({ url: `${url}/v1/traces` }));
  const exporter = new OTLPLogExporter({ url: `${url}/v1/logs` });
  const records = new BatchLogRecordProcessor({ exporter });
  const tracerProvider = new BasicTracerProvider({ resource, spanProcessors: [spans] });
  const loggerProvider = new LoggerProvider({ resource, processors: [records] });
  trace.setGlobalTracerProvider(tracerProvider);
  logs.setGlobalLoggerProvider(loggerProvider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return async () => {
    await Promise.all([tracerProvider.shutdown(), loggerProvider.shutdown()]);
  };
}

async function runWithProviders(
  { name, isObserved = false, run }: Program,
  content: Policy,
): Promise<ProgramRun> {
  const [platform, sink] = await Promise.all([startSink(), startSink()]);
  const environment = { AGENT_MONITOR_ENDPOINT: platform.url, AGENT_MONITOR_CONTENT: content };
  const printed = await runSurrounded(environment, async () => {
    const shutdown = registerProviders(sink.url);
    await run();
    await shutdown();
  }).finally(clearGlobals);
  const way = `providers-${content}`;
  const received = [toReceived(way, sink)];
  await Promise.all([platform.close(), sink.close()]);
  return { program: name, isObserved, way, batches: platform.batches, received, printed };
}

/** Runs a program in every way in which it may be set up, one after the other. */
export async function runInAllWays(program: Program): Promise<ProgramRun[]> {
  const runs = [await runWithDestinations(program)];
  if (program.bringsItsOwn === true) return runs;
  for (const policy of POLICIES) runs.push(await runWithProviders(program, policy));
  return runs;
}
