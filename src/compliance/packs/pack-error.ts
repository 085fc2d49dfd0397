import { formatProblem, type PackProblem } from "../pack-problem.ts";

const MAX_LISTED = 100;

/** Problems behind which a file, or what compares files, is read no further: each costs a look for its place. */
export const MAX_PROBLEMS = 200;

/** Returns the first problems, and looks for no more. */
export function* upToBound(problems: Iterable<PackProblem>): Iterable<PackProblem> {
  let count = 0;
  for (const problem of problems) {
    yield problem;
    if (++count === MAX_PROBLEMS) return;
  }
}

function compareProblems(one: PackProblem, other: PackProblem): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  return one.line - other.line || one.column - other.column;
}

/** Thrown for a pack that can't be taken; lists every problem at once, by file, line and column. */
export class PackError extends Error {
  /** Always `PackError`, also across copies of the package. */
  override readonly name = "PackError" as const;
  /** By file, line and column. */
  readonly problems: readonly PackProblem[];

  constructor(problems: readonly PackProblem[]) {
    const sorted = problems.toSorted(compareProblems);
    const lines = sorted.slice(0, MAX_LISTED).map(formatProblem);
    const rest = sorted.length - lines.length;
    super([...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n"));
    this.problems = sorted;
  }
}
