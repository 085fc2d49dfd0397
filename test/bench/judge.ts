import { devNull } from "node:os";
import { setImmediate } from "node:timers/promises";
import { writeHeapSnapshot } from "node:v8";
import { AgentMonitor } from "agent-monitor";
import { createRandom, createText } from "./banking-texts.ts";
import { startBenchSink } from "./sink.ts";
import { median } from "./statistics.ts";

const LENGTH = 2 * 1024;
const PENDING = 10_000;
const ROUNDS = 15;
const CALLS_PER_ROUND = 400;
/** About as many answers as the rules let through to the judge. */
const FINDING_EVERY = 7;
const MEBIBYTE = 1024 * 1024;

/** What the judge costs an application. */
export interface JudgeFigures {
  /** Time in `trackAgentResponse` with the judge on, beside the same without. */
  readonly trackVsOff: number;
  /** MB of heap for 10,000 answers of 2 KB that wait for the judge, less what the events take. */
  readonly pendingMb: number;
  readonly micros: { readonly off: number; readonly on: number };
}

type JudgeConfig = NonNullable<ConstructorParameters<typeof AgentMonitor>[0]>["judge"];

function createMonitor(endpoint: string, judge?: JudgeConfig): AgentMonitor {
  return new AgentMonitor({
    apiKey: "key",
    organizationId: "bank",
    endpoint,
    enableLogging: false,
    compression: "none",
    batchSize: 1000,
    ...(judge && { judge }),
  });
}

/** Only a snapshot collects everything first. */
function heapMegabytes(): number {
  writeHeapSnapshot(devNull);
  return process.memoryUsage().heapUsed / MEBIBYTE;
}

const random = createRandom(20_261_124);
let count = 0;

function nextText(): string {
  return createText(random, { length: LENGTH, hasFindings: count++ % FINDING_EVERY === 0 });
}

/** Tracks an answer and gives the time that the caller waited, in microseconds. */
function track(monitor: AgentMonitor, session: string, content: string): number {
  const startedAt = performance.now();
  monitor.trackAgentResponse("assistant", session, content);
  return (performance.now() - startedAt) * 1000;
}

async function compareTracking(
  endpoint: string,
): Promise<JudgeFigures["micros"] & { ratio: number }> {
  const clean = (): Promise<string> => Promise.resolve('{"findings": []}');
  const off = createMonitor(endpoint, undefined);
  const on = createMonitor(endpoint, { model: clean, maxPerMinute: 100_000, maxConcurrency: 100 });
  await Promise.all([off.ready(), on.ready()]);
  const ratios: number[] = [];
  const sums = { off: 0, on: 0 };
  for (let round = 0; round <= ROUNDS; round++) {
    const micros = { off: 0, on: 0 };
    for (let call = 0; call < CALLS_PER_ROUND; call++) {
      const text = nextText();
      const session = `session-${round}-${call >> 2}`;
      const isOffFirst = call % 2 === 0;
      if (isOffFirst) micros.off += track(off, session, text);
      micros.on += track(on, session, text);
      if (!isOffFirst) micros.off += track(off, session, text);
    }
    // What waits is done between the rounds, so that neither side pays for it.
    await Promise.all([off.flush(), on.flush()]);
    await setImmediate();
    // The first round warms up.
    if (round === 0) continue;
    ratios.push(micros.on / micros.off);
    sums.off += micros.off;
    sums.on += micros.on;
  }
  const judged = on.stats().judge?.judged ?? 0;
  if (judged < (ROUNDS * CALLS_PER_ROUND) / FINDING_EVERY / 2)
    throw new Error(`bench: only ${judged} answers were judged`);
  await Promise.all([off.shutdown(), on.shutdown()]);
  const calls = ROUNDS * CALLS_PER_ROUND;
  return { ratio: median(ratios), off: sums.off / calls, on: sums.on / calls };
}

async function measurePending(endpoint: string): Promise<number> {
  const never = (): Promise<string> => new Promise(() => undefined);
  const fill = async (judge?: JudgeConfig): Promise<number> => {
    const monitor = createMonitor(endpoint, judge);
    await monitor.ready();
    const before = heapMegabytes();
    for (let index = 0; index < PENDING; index++) {
      track(monitor, `session-${index}`, nextText());
      if (index % 500 === 499) await monitor.flush({ timeoutMillis: 100 });
    }
    const grown = heapMegabytes() - before;
    const pending = monitor.stats().judge?.pending ?? PENDING;
    if (pending < PENDING) throw new Error(`bench: ${pending} answers wait for the judge`);
    const closing = monitor.shutdown();
    await closing;
    return grown;
  };
  const without = await fill(undefined);
  return (await fill({ model: never, gate: "everything", timeout: 600_000 })) - without;
}

/** Measures what the judge costs the caller's thread, and how much memory waits for it. */
export async function benchJudge(): Promise<JudgeFigures> {
  const sink = await startBenchSink();
  const { ratio, off, on } = await compareTracking(sink.url);
  const pendingMb = await measurePending(sink.url);
  sink.server.close();
  return { trackVsOff: ratio, pendingMb, micros: { off, on } };
}
