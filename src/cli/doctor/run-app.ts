import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { UsageError } from "../parse-arguments.ts";
import { FACTS_FOLDER, FACTS_MILLIS, type RunningFacts } from "./running-facts.ts";

/** An application's command and run time. */
export interface AppRun {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly folder: string;
  /** Run time in ms. */
  readonly millis: number;
}

/** Result of the run. */
export interface AppReport {
  /** Of each process with a monitor or with OpenTelemetry. */
  readonly processes: readonly RunningFacts[];
  /** How the application ended before its time; absent when it kept running. */
  readonly end?:
    | { readonly code: number | null; readonly signal: NodeJS.Signals | null }
    | undefined;
}

/** Time for the probe to write, and for a process to end after its signal. */
const GRACE_MILLIS = 1500;
const isPosix = process.platform !== "win32";

/** Signals an application, with its child processes where the system can. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(isPosix ? -pid : pid, name);
  } catch {
    // The process has ended.
  }
}

function start({ command, folder, millis }: AppRun, facts: string): ChildProcess {
  const [program = "", ...args] = command;
  const probe = new URL(`probe${extname(import.meta.url)}`, import.meta.url).href;
  const options = [process.env["NODE_OPTIONS"], `--import=${probe}`].filter(Boolean).join(" ");
  return spawn(program, args, {
    cwd: folder,
    env: {
      ...process.env,
      NODE_OPTIONS: options,
      [FACTS_FOLDER]: facts,
      [FACTS_MILLIS]: String(millis),
    },
    // Output of the application must not get into the report.
    stdio: ["ignore", process.stderr, "inherit"],
    detached: isPosix,
  });
}

function readFacts(folder: string): RunningFacts[] {
  return readdirSync(folder).flatMap((name) => {
    try {
      return [JSON.parse(readFileSync(join(folder, name), "utf8")) as RunningFacts];
    } catch {
      return [];
    }
  });
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  signal(child, "SIGTERM");
  await Promise.race([ended, setTimeout(GRACE_MILLIS, undefined, { ref: false })]);
  signal(child, "SIGKILL");
}

/**
 * Runs an application for a while, and ends it with all its child processes.
 *
 * @throws UsageError when it can't be started.
 */
export async function runApp(run: AppRun): Promise<AppReport> {
  const facts = mkdtempSync(join(tmpdir(), "agent-monitor-doctor-"));
  const child = start(run, facts);
  const ended = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const interrupt = (): void => signal(child, "SIGINT");
  process.on("SIGINT", interrupt);
  try {
    // The running child keeps the process alive; when it ends, there is nothing to wait for.
    const over = setTimeout(run.millis + GRACE_MILLIS, undefined, { ref: false });
    const end = await Promise.race([ended, over]);
    const processes = readFacts(facts);
    return { processes, ...(end && { end: { code: end[0], signal: end[1] } }) };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new UsageError(`${run.command[0] ?? ""} can't be started (${code})`);
  } finally {
    process.off("SIGINT", interrupt);
    await stop(
      child,
      ended.catch(() => undefined),
    );
    rmSync(facts, { recursive: true, force: true });
  }
}
