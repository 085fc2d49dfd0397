import { execFile } from "node:child_process";

/** What came of a program. */
export interface ProgramResult {
  /** -1 when it could not be started, or was ended by a signal. */
  readonly code: number;
  /** Whether it was ended because of its deadline. */
  readonly isLate: boolean;
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
  // A program that hangs may not heed a signal that asks it to end.
  const deadline = { timeout: timeoutMillis, killSignal: "SIGKILL" } as const;
  const options = { cwd, env, ...deadline, maxBuffer: MAX_OUTPUT_BYTES };
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      const code = typeof error?.code === "number" ? error.code : -1;
      const isLate = error?.killed === true && error.code !== "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
      const why = isLate ? `not at its end after ${timeoutMillis / 1000} s` : error?.message;
      const reason = error && code === -1 ? `${stderr}${why}` : stderr;
      resolve({ code: error ? code : 0, isLate, stdout, stderr: reason });
    });
  });
}
