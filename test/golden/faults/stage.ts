import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentMonitoringConfig } from "../../../src/config/config.ts";
import { AgentMonitor } from "../../../src/monitor/monitor.ts";
import { until } from "../../faults/support/until.ts";
import { startSink, type Sink } from "../../helpers/sink.ts";
import { createNotingLogger, describeRequests, describeStats } from "../runs/describe-run.ts";
import { createNormaliser } from "../runs/normalise.ts";
import { withStageClock, type StageClock } from "../runs/stage-clock.ts";

/** Where a scenario is played: a platform on a real socket, a spool directory, and a clock that stands still. */
export interface Stage {
  readonly clock: StageClock;
  readonly sink: Sink;
  /** Exists, and is empty. */
  readonly directory: string;
  /** Says in the record what the scenario does now. */
  readonly say: (text: string) => void;
  /** Starts a monitor that keeps events in memory and sends only what it is asked to send. */
  readonly start: (config?: Partial<AgentMonitoringConfig>) => AgentMonitor;
  /** Tracks messages of users, named by their place. */
  readonly track: (monitor: AgentMonitor, count: number, padding?: number) => void;
  /** Puts the books of a monitor on record. */
  readonly tell: (monitor: AgentMonitor) => void;
  /** Waits until so many requests have come. */
  readonly requests: (count: number) => Promise<void>;
  /** Waits until something is on record. */
  readonly logged: (text: string) => Promise<void>;
  /** Waits until the judge has nothing to do. */
  readonly judged: (monitor: AgentMonitor) => Promise<void>;
}

/** What is on record of a scenario. */
export interface StageRecord {
  readonly lines: readonly string[];
  /** What the platform got, in full. */
  readonly requests: readonly string[];
}

/** Plays a scenario, and gives what is on record. */
export async function playOnStage(play: (stage: Stage) => Promise<void>): Promise<StageRecord> {
  const directory = mkdtempSync(join(tmpdir(), "agent-monitor-golden-"));
  const sink = await startSink();
  try {
    return await withStageClock((clock) => record(play, { directory, sink, clock }));
  } finally {
    await sink.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function record(
  play: (stage: Stage) => Promise<void>,
  place: Pick<Stage, "directory" | "sink" | "clock">,
): Promise<StageRecord> {
  const { directory, sink } = place;
  const normalise = createNormaliser({ "<spool>": directory, "<platform>": sink.url }, false);
  const lines: string[] = [];
  const monitors: AgentMonitor[] = [];
  let tracked = 0;
  const tell = (monitor: AgentMonitor): void =>
    void lines.push(...describeStats(monitor.stats()).map((line) => `  ${line}`));
  const stage: Stage = {
    ...place,
    say: (text) => void lines.push(`> ${text}`),
    start(config) {
      const monitor = new AgentMonitor({
        apiKey: "key",
        organizationId: "bank",
        endpoint: sink.url,
        environment: "development",
        enableComplianceChecks: false,
        compression: "none",
        flushInterval: 1_000_000,
        retryAttempts: 0,
        logger: createNotingLogger((line) => lines.push(line)),
        logLevel: "debug",
        ...config,
      });
      monitors.push(monitor);
      return monitor;
    },
    track(monitor, count, padding = 0) {
      for (let index = 0; index < count; index++)
        monitor.trackUserMessage("agent", "session", `life-${tracked++} ${"x".repeat(padding)}`);
    },
    tell,
    requests: (count) => until(`${count} requests`, () => sink.requests.length >= count),
    judged: (monitor) => until("all is judged", () => monitor.stats().judge?.pending === 0),
    logged: (text) => until(text, () => lines.some((line) => line.includes(text))),
  };
  await play(stage);
  for (const monitor of monitors) {
    stage.say("books at the end");
    tell(monitor);
  }
  stage.say("what the platform got");
  lines.push(...describeRequests(sink.requests, normalise, true));
  stage.say("what is left in the directory");
  lines.push(...readdirSync(directory, { recursive: true, encoding: "utf8" }).toSorted());
  const requests = sink.requests.map(({ text }) => text);
  return { lines: lines.map(normalise), requests: requests.map(normalise) };
}
