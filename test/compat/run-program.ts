import { execFile } from "node:child_process";

/** What came of a program; `code` is -1 when it was ended because of its deadline. */
export interface ProgramResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly timeoutMillis: number;
}

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Runs a program to its end, or to its deadline; never rejects. */
export function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env = process.env, timeoutMillis }: ProgramOptions,
): Promise<ProgramResult> {
  const options = { cwd, env, timeout: timeoutMillis, maxBuffer: MAX_OUTPUT_BYTES };
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      const code = typeof error?.code === "number" ? error.code : -1;
      const reason = error && code === -1 ? `${stderr}${error.message}` : stderr;
      resolve({ code: error ? code : 0, stdout, stderr: reason });
    });
  });
}
