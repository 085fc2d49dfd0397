/** A command of the command line tool. */
export interface Command {
  readonly help: string;
  /** Runs the command to its end and gives the exit code. */
  run(args: readonly string[]): Promise<number>;
}

/** Says that a command was called in the wrong way; ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError" as const;
}
