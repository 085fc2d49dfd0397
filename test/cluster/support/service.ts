import { spawn } from "node:child_process";
import { once } from "node:events";
import { startCommand } from "../../helpers/command.ts";
import type { Program } from "./newer-command.ts";

/** A command that serves, in a process of its own; it is ended with the process that started it. */
export interface Service {
  readonly url: string;
  readonly output: () => string;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Asks it to end, and returns its exit code. */
  end(): Promise<number | null>;
}

/**
 * Starts a command and waits until it says where it listens.
 *
 * @param program - Another one than that of this Node.js.
 */
export async function startService(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  program?: Program,
): Promise<Service> {
  const options = { env: { ...process.env, ...env } };
  const child = program
    ? spawn(program.execPath, [program.file, ...args], options)
    : startCommand([...args], options);
  const exited = once(child, "exit") as Promise<[number | null]>;
  const killAtExit = (): void => void child.kill("SIGKILL");
  process.once("exit", killAtExit);
  void exited.then(() => process.off("exit", killAtExit));
  let out = "";
  let isAsked = false;
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: unknown): void => {
      out = (out + String(chunk)).slice(-20_000);
      const found = /endpoint +(\S+)\n/.exec(out)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    void exited.then(() => reject(new Error(`${args[0]} has ended: ${out}`)));
  });
  // Whoever waits for it sees a refused connection only.
  void exited.then(([code]) => {
    if (!isAsked) console.log(`${args[0]} has ended by itself with ${code}: ${out.slice(-5000)}`);
  });
  return {
    url,
    output: () => out,
    async kill() {
      isAsked = true;
      child.kill("SIGKILL");
      await exited;
    },
    async end() {
      isAsked = true;
      child.kill("SIGTERM");
      return (await exited)[0];
    },
  };
}

/**
 * Starts a service that can be started again on the same port.
 *
 * @param toArguments - Arguments of the command, by the port; 0 takes a free one.
 */
export async function keepService(toArguments: (port: number) => readonly string[]) {
  let service: Service = await startService(toArguments(0));
  const { url } = service;
  const port = Number(new URL(url).port);
  return {
    url,
    output: () => service.output(),
    /** Ends it as a power cut would, and starts it again. */
    async restart(): Promise<void> {
      await service.kill();
      service = await startService(toArguments(port));
    },
    end: () => service.end(),
  };
}
