import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "./statistics.ts";

const PROCESSES = 11;
const BYTES_PER_MB = 1024 * 1024;

/** What a process feels of the rules at its start, in ms. */
export interface ReadinessFigures {
  /** Longest time for which the rules held the thread on their way to being ready. */
  readonly readySliceMs: number;
  /** From the constructor on, nothing else going on. */
  readonly readyMs: number;
  /** The first evaluation of a process, right behind the constructor: nothing was waited for. */
  readonly firstMs: number;
  /** What the rules keep in memory once they have judged answers, beside a monitor without checks. */
  readonly memoryMb: number;
  /** A tracked answer right behind the constructor, the call alone. */
  readonly earlyTrackMs: number;
}

const SETUP = `
  const { AgentMonitor } = await import("agent-monitor");
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const enableComplianceChecks = process.argv[1] !== "off";
  const config = { apiKey: "key", organizationId: "bench", endpoint: "http://127.0.0.1:9", logger, shutdownTimeout: 100, enableComplianceChecks };
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
  console.log(JSON.stringify({ readySliceMs: longest, readyMs: readyAt - madeAt }));
  process.exit();
`;

const FIRST = `${SETUP}
  monitor.complianceEngine.evaluate({ agentId: "assistant", agentCategory: "persona", sessionId: "session", timestamp: 0, agentResponse: answer });
  console.log(JSON.stringify({ firstMs: performance.now() - madeAt }));
  process.exit();
`;

/** Answers that differ, so that their words are kept as those of an application are. */
const MEMORY = `${SETUP}
  await monitor.ready();
  for (let index = 0; index < 50; index++)
    monitor.trackAgentResponse("assistant", "session-" + index, answer + " Reference " + index + ".");
  gc();
  console.log(JSON.stringify({ bytes: process.memoryUsage().rss }));
  process.exit();
`;

const EARLY = `${SETUP}
  monitor.trackAgentResponse("assistant", "session", answer);
  console.log(JSON.stringify({ earlyTrackMs: performance.now() - madeAt }));
  process.exit();
`;

/** What a process prints. */
type Printed = Partial<ReadinessFigures> & { readonly bytes?: number };

function measure(code: string, ...args: readonly string[]): Printed {
  const options = { cwd: fileURLToPath(new URL(".", import.meta.url)), encoding: "utf8" as const };
  const flags = ["--expose-gc", "--input-type=module", "-e", code];
  return JSON.parse(execFileSync(process.execPath, [...flags, ...args], options)) as Printed;
}

function measureMemory(): Printed {
  const bytesOf = (mode: string): number => measure(MEMORY, mode).bytes ?? Number.NaN;
  return { memoryMb: (bytesOf("on") - bytesOf("off")) / BYTES_PER_MB };
}

/** Measures how ready a new process is, each time in another one. */
export function measureReadiness(): ReadinessFigures {
  const runs = Array.from({ length: PROCESSES }, () => ({
    ...measure(SLICES),
    ...measure(FIRST),
    ...measure(EARLY),
    ...measureMemory(),
  }));
  const of = (key: keyof ReadinessFigures): number =>
    median(runs.map((run) => run[key] ?? Number.NaN));
  return {
    readySliceMs: of("readySliceMs"),
    readyMs: of("readyMs"),
    firstMs: of("firstMs"),
    memoryMb: of("memoryMb"),
    earlyTrackMs: of("earlyTrackMs"),
  };
}
