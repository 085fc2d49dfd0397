import { runCommand, type Finished } from "./command.ts";

/** Runs a command of the spool to its end. */
export function runSpool(...args: readonly string[]): Promise<Finished> {
  return runCommand(["spool", ...args]);
}

/** Writes events of a spool directory as JSON Lines to the standard output. */
export function writeEvents(directory: string, ...args: readonly string[]): Promise<Finished> {
  return runSpool("redrive", directory, "--to-file", "-", ...args);
}

/** Lists a spool directory as JSON, with the exit code. */
export async function listSpool(directory: string, ...args: readonly string[]): Promise<any> {
  const { out, code, err } = await runSpool("ls", directory, "--json", ...args);
  return { ...JSON.parse(out), code, err };
}
