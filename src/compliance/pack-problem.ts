/** One thing that is wrong with a pack, and where. */
export interface PackProblem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly message: string;
}

/** Writes a problem in one line, with its place. */
export function formatProblem({ file, line, column, message }: PackProblem): string {
  return `${file}:${line}:${column}: ${message}`;
}
