import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { inject } from "vitest";

/** Output and exit code of a command that ended. */
export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface CommandOptions {
  /** @defaultValue the project */
  readonly cwd?: string;
  /** @defaultValue that of the tests */
  readonly env?: NodeJS.ProcessEnv;
  /** Arguments for Node.js itself. */
  readonly nodeArgs?: readonly string[];
  /** @defaultValue this version of the command */
  readonly program?: string;
}

/** Starts `agent-monitor` in a process of its own. */
export function startCommand(
  args: readonly string[],
  {
    nodeArgs = [],
    program = join(inject("programDirectory"), "cli.mjs"),
    ...options
  }: CommandOptions = {},
): ChildProcess {
  return spawn(process.execPath, [...nodeArgs, program, ...args], options);
}

/** Runs `agent-monitor` to its end. @param input - Its standard input. */
export async function runCommand(
  args: readonly string[],
  { input = "", ...options }: CommandOptions & { readonly input?: string | Buffer } = {},
): Promise<Finished> {
  const child = startCommand(args, options);
  let [out, err] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (err += chunk));
  // It may end before it has read everything.
  child.stdin?.on("error", () => undefined).end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out, err };
}
