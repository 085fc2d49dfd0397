/** One thing that is wrong with a pack, and where. */
export interface PackProblem {
  /** The pack's file, as it was named to the reader. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** What is wrong, and what was expected. */
  readonly message: string;
}

/** Writes a problem in one line, with its place. */
export function formatProblem({ file, line, column, message }: PackProblem): string {
  return `${file}:${line}:${column}: ${message}`;
}
