import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "./statistics.ts";

const PROCESSES = 9;

/** What a process feels of the rules at its start, in ms. */
export interface ReadinessFigures {
  /** Longest time for which the rules held the thread on their way to being ready. */
  readonly readySliceMs: number;
  /** From the constructor on, nothing else going on. */
  readonly readyMs: number;
  /** The first checked answer behind `await ready()`. */
  readonly firstMs: number;
  /** A tracked answer right behind the constructor, the call alone. */
  readonly earlyTrackMs: number;
}

const SETUP = `
  const { AgentMonitor } = await import("agent-monitor");
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const config = { apiKey: "key", organizationId: "bench", endpoint: "http://127.0.0.1:9", logger, shutdownTimeout: 100 };
  const answer = "Your balance is $1,204.55. The fee of $25 was refunded on May 3. Call 555-0100 for more. ".repeat(20);
  const startedAt = performance.now();
  const monitor = new AgentMonitor(config);
  const madeAt = performance.now();
`;

/** The application takes its turn whenever it can; how long it can't is what the rules took. */
const SLICES = `${SETUP}
  let longest = 0;
  let last = performance.now();
  let isReady = false;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isReady) setImmediate(look);
  };
  setImmediate(look);
  await monitor.ready();
  isReady = true;
  const readyAt = performance.now();
  monitor.trackAgentResponse("assistant", "session", answer);
  const firstMs = performance.now() - readyAt;
  console.log(JSON.stringify({ readySliceMs: longest, readyMs: readyAt - madeAt, firstMs }));
  process.exit();
`;

const EARLY = `${SETUP}
  monitor.trackAgentResponse("assistant", "session", answer);
  console.log(JSON.stringify({ earlyTrackMs: performance.now() - madeAt }));
  process.exit();
`;

function measure(code: string): Partial<ReadinessFigures> {
  const options = { cwd: fileURLToPath(new URL(".", import.meta.url)), encoding: "utf8" as const };
  const stdout = execFileSync(process.execPath, ["--input-type=module", "-e", code], options);
  return JSON.parse(stdout) as Partial<ReadinessFigures>;
}

/** Measures how ready a new process is, each time in another one. */
export function measureReadiness(): ReadinessFigures {
  const runs = Array.from({ length: PROCESSES }, () => ({ ...measure(SLICES), ...measure(EARLY) }));
  const of = (key: keyof ReadinessFigures): number =>
    median(runs.map((run) => run[key] ?? Number.NaN));
  return {
    readySliceMs: of("readySliceMs"),
    readyMs: of("readyMs"),
    firstMs: of("firstMs"),
    earlyTrackMs: of("earlyTrackMs"),
  };
}
