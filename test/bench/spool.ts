import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentMonitor } from "agent-monitor";
import { SpoolBudget } from "../../src/delivery/spool/spool-context.ts";
import { nodeFileSystem } from "../../src/delivery/spool/file-system.ts";
import { SegmentSet } from "../../src/delivery/spool/segment-set.ts";
import { agentInfo, CONTENT, METADATA } from "./agent.ts";
import { startBenchSink } from "./sink.ts";
import { median } from "./statistics.ts";
import { createProviders } from "./track.ts";

const CALLS_PER_ROUND = 5000;
/** Calls between two flushes. */
const DRAIN_EVERY = 100;
const ROUNDS = 7;
const REPLAYED_EVENTS = 100_000;
const BATCH_SIZE = 500;
export function createBenchMonitor(endpoint: string, config: object): AgentMonitor {
  const monitor = new AgentMonitor({
    apiKey: "key",
    organizationId: "bank",
    endpoint,
    enableComplianceChecks: false,
    enableLogging: false,
    flushInterval: 1_000_000,
    maxQueueSize: 1_000_000,
    maxQueueBytes: 2 ** 40,
    maxSpoolBytes: 2 ** 40,
    maxBatchBytes: 2 ** 24,
    batchSize: BATCH_SIZE,
    compression: "none",
    ...config,
  });
  void monitor.registerAgent(agentInfo).catch(() => undefined);
  return monitor;
}

export function track(monitor: AgentMonitor, content = CONTENT): void {
  monitor.trackAgentResponse("assistant", "session", content, METADATA);
}

type Providers = ReturnType<typeof createProviders>;

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

/** Time of each call in µs. */
async function timeCalls(monitor: AgentMonitor, providers: Providers): Promise<Float64Array> {
  const times = new Float64Array(CALLS_PER_ROUND);
  for (let index = 0; index < CALLS_PER_ROUND; index++) {
    const start = performance.now();
    track(monitor);
    times[index] = (performance.now() - start) * 1000;
    if (index % DRAIN_EVERY < DRAIN_EVERY - 1) continue;
    monitor.trackConversationEnd("assistant", "session");
    await Promise.all([
      providers.tracerProvider.forceFlush(),
      providers.loggerProvider.forceFlush(),
      monitor.flush(),
    ]);
  }
  return times;
}

function timeBareWrites(path: string, bytes: number): number {
  const fd = openSync(path, "a");
  const frame = Buffer.alloc(bytes, 120);
  const start = performance.now();
  for (let index = 0; index < CALLS_PER_ROUND; index++) writeSync(fd, frame, 0, bytes);
  const elapsed = performance.now() - start;
  closeSync(fd);
  rmSync(path);
  return (elapsed * 1000) / CALLS_PER_ROUND;
}

/** What it costs to write an event ahead, beside keeping it in memory and beside the bare system call. */
export interface AppendFigures {
  readonly vsMemory: number;
  readonly powerVsMemory: number;
  readonly vsBareWrite: number;
  /** 99th percentile over the median, of the worse mode. */
  readonly tail: number;
  readonly micros: Readonly<Record<"memory" | "process" | "power" | "bare", number>>;
}

/** Measures `track` in the three modes in turn, within one run. */
export async function benchAppend(): Promise<AppendFigures> {
  const sink = await startBenchSink();
  const root = mkdtempSync(join(tmpdir(), "agent-monitor-bench-"));
  const spool = (durability: string): object => ({
    spoolDirectory: join(root, durability),
    durability,
  });
  // With spans and log records, as in `track`: that is what an application pays for a call.
  const providers = createProviders({ spans: 0, records: 0 });
  const monitors = {
    memory: createBenchMonitor(sink.url, providers),
    process: createBenchMonitor(sink.url, { ...providers, ...spool("process") }),
    power: createBenchMonitor(sink.url, { ...providers, ...spool("power") }),
  };
  const probe = createBenchMonitor("http://127.0.0.1:9", { spoolDirectory: join(root, "probe") });
  track(probe);
  const frameBytes = probe.stats().pendingBytes;
  const times: Record<keyof typeof monitors | "bare", number[]> = {
    memory: [],
    process: [],
    power: [],
    bare: [],
  };
  const tails: number[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    for (const [name, monitor] of Object.entries(monitors) as [
      keyof typeof monitors,
      AgentMonitor,
    ][]) {
      const calls = (await timeCalls(monitor, providers)).toSorted();
      if (round < 0) continue;
      times[name].push(calls.reduce((sum, time) => sum + time, 0) / CALLS_PER_ROUND);
      if (name !== "memory") tails.push(quantile(calls, 0.99) / quantile(calls, 0.5));
    }
    const bare = timeBareWrites(join(root, "bare"), frameBytes);
    if (round >= 0) times.bare.push(bare);
  }
  for (const monitor of [...Object.values(monitors), probe]) {
    const { tracked, acked, dropped, pending } = monitor.stats();
    if (dropped > 0 || acked + pending !== tracked) throw new Error("bench: spool lost events");
    await monitor.shutdown();
  }
  sink.server.close();
  rmSync(root, { recursive: true });
  const ratio = (name: "process" | "power", other: "memory" | "bare"): number =>
    median(times[name].map((time, round) => time / (times[other][round] ?? Number.NaN)));
  return {
    vsMemory: ratio("process", "memory"),
    powerVsMemory: ratio("power", "memory"),
    vsBareWrite: ratio("process", "bare"),
    tail: median(tails),
    micros: {
      memory: median(times.memory),
      process: median(times.process),
      power: median(times.power),
      bare: median(times.bare),
    },
  };
}

async function makeBacklog(spoolDirectory: string, events: number): Promise<void> {
  const config = { spoolDirectory, retryAttempts: 0, shutdownTimeout: 0 };
  const monitor = createBenchMonitor("http://127.0.0.1:9", config);
  for (let index = 0; index < events; index++) track(monitor);
  await monitor.shutdown();
}

/** Events per second that are read from the files, as the sender reads them. */
async function timeRead(spoolDirectory: string): Promise<number> {
  const [writer] = readdirSync(spoolDirectory).filter((name) =>
    statSync(join(spoolDirectory, name)).isDirectory(),
  );
  const segments = new SegmentSet({
    directory: join(spoolDirectory, writer ?? ""),
    fs: nodeFileSystem,
    cipherOf: () => undefined,
    budget: new SpoolBudget(Infinity),
    onDamage: () => undefined,
  });
  segments.load();
  const start = performance.now();
  let next = 1;
  while (next <= REPLAYED_EVENTS) {
    const range = { first: next, last: REPLAYED_EVENTS };
    const { events, end } = await segments.read({
      ...range,
      maxCount: BATCH_SIZE,
      maxBytes: 2 ** 24,
    });
    if (events.length === 0) throw new Error(`bench: no event from ${next} on`);
    next = end + 1;
  }
  const elapsed = performance.now() - start;
  segments.close();
  return (REPLAYED_EVENTS * 1000) / elapsed;
}

/** Figures of the delivery of what an earlier process left. */
export interface ReplayFigures {
  /** Events per second that are read. */
  readonly eventsPerSecond: number;
  /** Rate of delivery over that of events tracked in memory and delivered at once. */
  readonly vsLive: number;
}

async function timeDelivery(config: object, liveEvents: number): Promise<number> {
  const sink = await startBenchSink();
  const monitor = createBenchMonitor(sink.url, config);
  const start = performance.now();
  for (let index = 0; index < liveEvents; index++) track(monitor);
  await monitor.flush();
  const elapsed = performance.now() - start;
  const { acked } = monitor.stats();
  if (acked !== REPLAYED_EVENTS) throw new Error(`bench: delivered ${acked} of ${REPLAYED_EVENTS}`);
  await monitor.shutdown();
  sink.server.close();
  return elapsed;
}

/** Measures how 100,000 events are read again and delivered, beside as many that are delivered live. */
export async function benchReplay(): Promise<ReplayFigures> {
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let round = -1; round < 3; round++) {
    const root = mkdtempSync(join(tmpdir(), "agent-monitor-bench-"));
    await makeBacklog(root, REPLAYED_EVENTS);
    const rate = await timeRead(root);
    const live = await timeDelivery({}, REPLAYED_EVENTS);
    const replay = await timeDelivery({ spoolDirectory: root }, 0);
    rmSync(root, { recursive: true });
    if (round < 0) continue;
    rates.push(rate);
    ratios.push(live / replay);
  }
  return { eventsPerSecond: Math.round(median(rates)), vsLive: median(ratios) };
}
