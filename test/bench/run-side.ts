import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const here = fileURLToPath(new URL(".", import.meta.url));

/** Runs a program of the benches in a new process and returns what it prints. */
export async function runSide(program: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [`${here}${program}.js`, ...args], { cwd: here });
  return stdout;
}
