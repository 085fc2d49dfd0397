import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Sink } from "../../helpers/sink.ts";
import type { SpoolLife } from "./spool-lives.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** Long enough that nothing is sent before it is asked for. */
const FLUSH_MILLIS = 1_000_000;

/** Where lives are lived. */
export interface Scene {
  /** Programs, and what they report. */
  readonly directory: string;
  readonly platform: Sink;
  /** Hangs. */
  readonly model: Sink;
  /** Wall-clock time at which a life begins. */
  readonly now: number;
}

/** A process that writes to a spool directory, or another end of it. */
export interface SpoolProcess {
  kill(): void;
  readonly ended: Promise<unknown>;
  reports(kind: string): string[];
}

function toEnvironment(
  life: SpoolLife,
  spoolDirectory: string,
  { platform, model, now }: Scene,
): Record<string, string> {
  const { program = "life", plan, monitor = {} } = life;
  const clock = { FAULT_WALL_CLOCK: String(now) };
  if (program === "early")
    return {
      ...clock,
      EARLY_END: "kill",
      AGENT_MONITOR_ENDPOINT: platform.url,
      AGENT_MONITOR_SPOOL_DIRECTORY: spoolDirectory,
      ...(monitor.spoolKey !== undefined && { AGENT_MONITOR_SPOOL_KEY: monitor.spoolKey }),
    };
  const settings = {
    endpoint: platform.url,
    spoolDirectory,
    flushInterval: FLUSH_MILLIS,
    enableLogging: false,
    retryAttempts: 0,
    ...monitor,
  };
  const whole = {
    name: "life",
    modelUrl: model.url,
    second: { organizationId: "other" },
    ...plan,
    monitor: settings,
  };
  return { ...clock, FAULT_PLAN: JSON.stringify(whole) };
}

/** Starts a process that lives a life. */
export function startProcess(
  life: SpoolLife,
  spoolDirectory: string,
  scene: Scene,
  env: Record<string, string>,
): SpoolProcess {
  const { program = "life" } = life;
  const toImport = (name: string): string[] => [
    "--import",
    pathToFileURL(join(scene.directory, `${name}.mjs`)).href,
  ];
  const args = [
    ...toImport("wall-clock"),
    ...(env["FAULT_CRASH_AT"] === undefined ? [] : toImport("crash-at")),
    join(scene.directory, `${program}.mjs`),
  ];
  const report = join(scene.directory, "report");
  writeFileSync(report, "");
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...toEnvironment(life, spoolDirectory, scene), ...env },
    stdio: ["ignore", "ignore", "inherit", openSync(report, "a")],
  });
  return {
    kill: () => void child.kill("SIGKILL"),
    ended: once(child, "close"),
    reports(kind) {
      const lines = readFileSync(report, "utf8").split("\n").slice(0, -1);
      return lines
        .filter((line) => line.startsWith(`${kind} `))
        .map((line) => line.slice(kind.length + 1));
    },
  };
}
