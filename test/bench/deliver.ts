import { createHash, randomBytes } from "node:crypto";
import { request as httpRequest, Agent } from "node:http";
import { gzip } from "node:zlib";
import { promisify } from "node:util";
import type { LogRecord } from "@opentelemetry/api-logs";
import { ExportResultCode } from "@opentelemetry/core";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { AgentMonitor } from "agent-monitor";
import { agentInfo } from "./agent.ts";
import { startBenchSink } from "./sink.ts";
import { median } from "./statistics.ts";

const EVENTS = 20_000;
const BATCH_SIZE = 500;
const ROUNDS = 5;
const METADATA = {
  llmLatency: 812,
  tokensUsed: { input: 210, output: 64, total: 274 },
  cost: 0.0021,
};

type OtlpConfig = NonNullable<ConstructorParameters<typeof OTLPLogExporter>[0]>;
/** A member of an enum that its package does not hand on. */
const GZIP = "gzip" as NonNullable<OtlpConfig["compression"]>;

/** Answers of 500 characters, each of its own, so that nothing compresses to nothing. */
const CONTENTS = Array.from(
  { length: 500 },
  (_, index) => `${index} ${randomBytes(186).toString("base64")}`,
);

const contentOf = (index: number): string => CONTENTS[index % CONTENTS.length] ?? "";

function createMonitor(endpoint: string, config: object = {}): AgentMonitor {
  const monitor = new AgentMonitor({
    apiKey: "key",
    organizationId: "bank",
    endpoint,
    enableComplianceChecks: false,
    enableLogging: false,
    batchSize: BATCH_SIZE,
    maxQueueSize: EVENTS,
    maxQueueBytes: 2 ** 30,
    maxBatchBytes: 2 ** 24,
    ...config,
  });
  void monitor.registerAgent(agentInfo).catch(() => undefined);
  return monitor;
}

/** Time in ms from the first track to the last acknowledged event. */
async function runMonitor(): Promise<number> {
  const sink = await startBenchSink();
  const monitor = createMonitor(sink.url);
  const start = performance.now();
  for (let index = 0; index < EVENTS; index++) {
    monitor.trackAgentResponse("assistant", "session", contentOf(index), METADATA);
  }
  await monitor.flush();
  const elapsed = performance.now() - start;
  const { acked } = monitor.stats();
  if (acked !== EVENTS) throw new Error(`bench: monitor delivered ${acked} of ${EVENTS}`);
  await monitor.shutdown();
  sink.server.close();
  return elapsed;
}

/** The same events as log records, full content, as the monitor itself would emit them. */
async function captureRecords(): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  const logger = { emit: (record: LogRecord) => void records.push(record), enabled: () => true };
  const monitor = createMonitor("http://127.0.0.1:9", {
    content: "full",
    loggerProvider: { getLogger: () => logger },
    retryAttempts: 0,
    shutdownTimeout: 0,
  });
  for (let index = 0; index < EVENTS; index++) {
    monitor.trackAgentResponse("assistant", "session", contentOf(index), METADATA);
  }
  await monitor.shutdown();
  return records;
}

async function runOtlpJson(records: readonly LogRecord[]): Promise<number> {
  const sink = await startBenchSink();
  const exporter = new OTLPLogExporter({
    url: `${sink.url}/v1/logs`,
    compression: GZIP,
  });
  let exported = 0;
  const provider = new LoggerProvider({
    processors: [
      new BatchLogRecordProcessor({
        exporter: {
          export: (batch, done) =>
            exporter.export(batch, (result) => {
              if (result.code === ExportResultCode.SUCCESS) exported += batch.length;
              done(result);
            }),
          forceFlush: () => exporter.forceFlush(),
          shutdown: () => exporter.shutdown(),
        },
        maxExportBatchSize: BATCH_SIZE,
        maxQueueSize: EVENTS,
      }),
    ],
  });
  const logger = provider.getLogger("bench");
  const start = performance.now();
  for (const record of records) logger.emit(record);
  await provider.forceFlush();
  const elapsed = performance.now() - start;
  if (exported !== EVENTS) throw new Error(`bench: OTLP delivered ${exported} of ${EVENTS}`);
  await provider.shutdown();
  sink.server.close();
  return elapsed;
}

const gzipAsync = promisify(gzip);

function post(
  url: string,
  agent: Agent,
  body: Buffer,
  headers: Record<string, string>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url, { method: "POST", agent, headers }, (incoming) => {
      incoming.resume().on("end", resolve);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** What can't be less: the batches stringified, hashed, compressed as the monitor does, and posted one by one. */
async function runBareLimit(): Promise<number> {
  const sink = await startBenchSink();
  const agent = new Agent({ keepAlive: true });
  const events = Array.from({ length: EVENTS }, (_, index) => ({
    eventId: `event-${index}`,
    timestamp: Date.now(),
    sessionId: "session",
    agentId: "assistant",
    environment: "production",
    requestId: `request-${index}`,
    version: "1.0",
    interactionType: "agent_response",
    content: contentOf(index),
    contentLength: contentOf(index).length,
    llmMetadata: { model: "gpt-5", provider: "openai", latency: 812, ...METADATA },
  }));
  const start = performance.now();
  for (let from = 0; from < EVENTS; from += BATCH_SIZE) {
    const body = Buffer.from(JSON.stringify({ events: events.slice(from, from + BATCH_SIZE) }));
    const digest = createHash("sha256").update(body).digest("hex");
    const compressed = await gzipAsync(body, { level: 1 });
    await post(sink.url, agent, compressed, { "content-encoding": "gzip", "x-digest": digest });
  }
  const elapsed = performance.now() - start;
  agent.destroy();
  sink.server.close();
  return elapsed;
}

/** Figures of delivery: rates as ratios, and events per second. */
export interface DeliverFigures {
  readonly vsOtlpJson: number;
  readonly vsBareLimit: number;
  readonly eventsPerSecond: {
    readonly monitor: number;
    readonly otlpJson: number;
    readonly bare: number;
  };
}

/** Measures 20,000 events to a loopback sink beside the OTLP exporter and the bare minimum, in turn. */
export async function benchDeliver(): Promise<DeliverFigures> {
  const records = await captureRecords();
  const times = { monitor: [] as number[], otlpJson: [] as number[], bare: [] as number[] };
  for (let round = -1; round < ROUNDS; round++) {
    const monitor = await runMonitor();
    const otlpJson = await runOtlpJson(records);
    const bare = await runBareLimit();
    if (round < 0) continue;
    times.monitor.push(monitor);
    times.otlpJson.push(otlpJson);
    times.bare.push(bare);
  }
  const ratio = (other: "otlpJson" | "bare"): number =>
    median(times.monitor.map((time, round) => (times[other][round] ?? Number.NaN) / time));
  const rate = (name: keyof typeof times): number =>
    Math.round((EVENTS * 1000) / median(times[name]));
  return {
    vsOtlpJson: ratio("otlpJson"),
    vsBareLimit: ratio("bare"),
    eventsPerSecond: { monitor: rate("monitor"), otlpJson: rate("otlpJson"), bare: rate("bare") },
  };
}
