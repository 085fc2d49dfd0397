import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What came of a child process. */
export interface ChildResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns the path of a bundled program: `register`, or an application of `test/fixtures` like `exit/natural`. */
export function toProgram(name: string): string {
  return join(inject("programDirectory"), `${name}.mjs`);
}

/** Starts Node.js with arguments in a process of its own. */
export function startNode(
  args: readonly string[],
  env: Record<string, string | undefined> = {},
): { child: ChildProcess; result: Promise<ChildResult> } {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const result = new Promise<ChildResult>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, result };
}

/** Starts an application of `test/fixtures`. */
export function startFixture(
  name: string,
  env: Record<string, string> = {},
): ReturnType<typeof startNode> {
  return startNode([toProgram(name)], env);
}
