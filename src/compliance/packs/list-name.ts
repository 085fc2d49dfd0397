/** Begins a line that stands for all phrases of a named list. */
const LIST_MARK = "@";

/** Gives the name of the list that a line stands for. */
export function listNameOf(line: string): string | undefined {
  return line.startsWith(LIST_MARK) ? line.slice(LIST_MARK.length) : undefined;
}
