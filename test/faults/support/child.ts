import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";
import type { MonitorStats } from "../../../src/index.ts";
import type { LifePlan } from "../../fixtures/faults/life.ts";
import { until } from "./until.ts";

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** A process that tracks events and promises them. */
export interface Child {
  readonly pid: number;
  readonly ended: Promise<Ending>;
  /** What it has reported of a kind, oldest first. */
  reports(kind: string): unknown[];
  /** Ids of the events that it must not lose. */
  readonly promised: readonly string[];
  /** The newest that it has told of its books. */
  readonly stats: MonitorStats | undefined;
  kill(signal?: NodeJS.Signals): void;
  /** Waits until it has reported something of a kind; times in ms. @throws when it ends before. */
  reported(kind: string, deadlineMillis?: number, pollMillis?: number): Promise<void>;
}

/** How a program is started. */
export interface StartOptions {
  /** Default: `life`. */
  readonly program?: string;
  /** Where the programs are; default: the bundle that all tests share. */
  readonly programDirectory?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeOptions?: readonly string[];
  /** Node.js; default: the one that runs the tests. */
  readonly execPath?: string;
  /** What a shell does before the program takes its place. */
  readonly shell?: string;
}

/** Makes a directory that is gone after the test. */
export function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "agent-monitor-fault-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function parseReports(path: string): { kind: string; value: unknown }[] {
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => {
    const space = line.indexOf(" ");
    return { kind: line.slice(0, space), value: JSON.parse(line.slice(space + 1)) as unknown };
  });
}

/** Path of a bundled program. */
export function toProgramPath(program: string, directory = inject("childDirectory")): string {
  return join(directory, `${program}.mjs`);
}

/** Starts a program of `test/fixtures/faults`; it is killed when the test is over. */
export function startChild(plan: object, options: StartOptions = {}): Child {
  const { program = "life", env, nodeOptions = [], execPath = process.execPath, shell } = options;
  const programPath = toProgramPath(program, options.programDirectory);
  const reportPath = join(makeDirectory(), "report");
  const report = openSync(reportPath, "a");
  const command = [execPath, ...nodeOptions, programPath];
  const [file = "", ...args] = shell
    ? ["bash", "-c", `${shell}; exec "$@"`, "bash", ...command]
    : command;
  const child = spawn(file, args, {
    env: { ...process.env, ...env, FAULT_PLAN: JSON.stringify(plan) },
    stdio: ["ignore", "ignore", "pipe", report],
  });
  closeSync(report);
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  let hasEnded = false;
  const ended = new Promise<Ending>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      hasEnded = true;
      resolve({ code, signal, stderr });
    });
  });
  const kill = (signal: NodeJS.Signals = "SIGKILL"): void => void child.kill(signal);
  onTestFinished(async () => {
    kill();
    await ended;
  });
  const reports = (kind: string): unknown[] =>
    parseReports(reportPath).flatMap((one) => (one.kind === kind ? [one.value] : []));
  return {
    pid: child.pid ?? 0,
    ended,
    reports,
    get promised() {
      return reports("promise") as string[];
    },
    get stats() {
      return reports("stats").at(-1) as MonitorStats | undefined;
    },
    kill,
    async reported(kind, ...times) {
      const isSo = (): boolean => hasEnded || reports(kind).length > 0;
      await until(`"${kind}" is reported or the process ended`, isSo, ...times);
      if (reports(kind).length === 0) throw new Error(`ended before "${kind}": ${stderr}`);
    },
  };
}

/** Starts one life of an application. */
export function startLife(plan: LifePlan, options?: StartOptions): Child {
  return startChild(plan, options);
}

/** A machine that is busy must not cut a recovery short. */
const RECOVERY_MILLIS = 60_000;

/** A healthy life that tracks nothing and delivers what others have left; gives it when it has ended. */
export async function recover(
  monitor: LifePlan["monitor"],
  options?: StartOptions,
): Promise<Child> {
  const patient = { shutdownTimeout: RECOVERY_MILLIS, ...monitor };
  const child = startLife(
    { name: "recovery", monitor: patient, count: 0, end: "shutdown" },
    options,
  );
  const { code, stderr } = await child.ended;
  if (code !== 0) throw new Error(`the recovery ended with ${code}: ${stderr}`);
  return child;
}
