import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const CLI = join(import.meta.dirname, "../../src/cli.ts");

/** Output and exit code of a command that ended. */
export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function spawnCli(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, ["--import", "tsx", CLI, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Runs the command line tool to its end. */
export async function runCli(args: readonly string[]): Promise<Finished> {
  const child = spawnCli(args);
  let out = "";
  let err = "";
  child.stdout?.on("data", (chunk) => (out += String(chunk)));
  child.stderr?.on("data", (chunk) => (err += String(chunk)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out, err };
}

/** A platform in a process of its own. */
export interface ChildPlatform {
  readonly url: string;
  readonly pid: number;
  output(): string;
  /** Sends a signal and gives the exit code once the process is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts `agent-monitor dev` and waits until it listens. */
export async function startChildPlatform(args: readonly string[] = []): Promise<ChildPlatform> {
  const child = spawnCli(["dev", "--port", "0", ...args]);
  const exited = once(child, "exit") as Promise<[number | null]>;
  let out = "";
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: unknown): void => {
      out += String(chunk);
      const found = /endpoint +(\S+)\n/.exec(out)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    void exited.then(() => reject(new Error(`the platform ended: ${out}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    output: () => out,
    async end(signal) {
      child.kill(signal);
      return (await exited)[0];
    },
  };
}
