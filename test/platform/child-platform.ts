import { once } from "node:events";
import { startCommand } from "../helpers/command.ts";
import { toAddress } from "./postgres/open-database.ts";
import { ON_POSTGRES } from "./stored-database.ts";

/** A platform in a process of its own. */
export interface ChildPlatform {
  readonly url: string;
  readonly pid: number;
  output(): string;
  /** Sends a signal and gives the exit code once the process is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Has `--db` name the database of PostgreSQL that stands for its file. */
async function nameOnServer(args: readonly string[]): Promise<readonly string[]> {
  const at = args.indexOf("--db");
  const file = args[at + 1];
  if (at === -1 || file === undefined) return args;
  return [...args.slice(0, at), "--database", await toAddress(file), ...args.slice(at + 2)];
}

/**
 * Starts `agent-monitor dev` and waits until it listens.
 *
 * @param env - Variables beside those of the tests.
 * @param program - Another version of the command.
 */
export async function startChildPlatform(
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  program?: string,
): Promise<ChildPlatform> {
  return startChildProcess(ON_POSTGRES ? await nameOnServer(args) : args, env, program);
}

/** Does the same on the database that is named, whatever the tests have. */
export async function startChildProcess(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  program?: string,
): Promise<ChildPlatform> {
  const child = startCommand(["dev", "--port", "0", ...args], {
    env: { ...process.env, ...env },
    ...(program !== undefined && { program }),
  });
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
