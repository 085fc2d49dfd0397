/** A part that both texts have, or one of them alone. */
export interface Edit<Part> {
  readonly kind: "same" | "removed" | "added";
  readonly part: Part;
}

/** Changes that are looked for; texts that differ in more are shown as one removed and one added. */
const MAX_CHANGES = 400;
const MAX_PARTS = 20_000;

/** The furthest place on each diagonal after so many changes. */
type Frontier = ReadonlyMap<number, number>;

/** Returns whether the way to a diagonal is by a part that was added. */
function isByAddition(frontier: Frontier, diagonal: number, changes: number): boolean {
  if (diagonal === -changes) return true;
  if (diagonal === changes) return false;
  return (frontier.get(diagonal - 1) ?? -1) < (frontier.get(diagonal + 1) ?? -1);
}

/** Finds the frontiers up to the end of both lists; `undefined` where they differ in too much. */
function findFrontiers(
  before: readonly string[],
  after: readonly string[],
): Frontier[] | undefined {
  const frontiers: Frontier[] = [];
  let last: Frontier = new Map([[1, 0]]);
  for (let changes = 0; changes <= MAX_CHANGES; changes++) {
    const next = new Map<number, number>();
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = isByAddition(last, diagonal, changes)
        ? (last.get(diagonal + 1) ?? 0)
        : (last.get(diagonal - 1) ?? 0) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal])
        x++;
      next.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return [...frontiers, next];
    }
    frontiers.push(next);
    last = next;
  }
  return undefined;
}

const all = (kind: Edit<string>["kind"], parts: readonly string[]): Edit<string>[] =>
  parts.map((part) => ({ kind, part }));

/** Walks back from the end of both lists to their start. */
function toEdits(
  before: readonly string[],
  after: readonly string[],
  frontiers: readonly Frontier[],
): Edit<string>[] {
  const edits: Edit<string>[] = [];
  let [x, y] = [before.length, after.length];
  for (let changes = frontiers.length - 1; changes > 0; changes--) {
    const frontier = frontiers[changes - 1] ?? new Map<number, number>();
    const isAddition = isByAddition(frontier, x - y, changes);
    const diagonal = x - y + (isAddition ? 1 : -1);
    const startX = frontier.get(diagonal) ?? 0;
    const startY = startX - diagonal;
    edits.push(...all("same", before.slice(isAddition ? startX : startX + 1, x)).toReversed());
    const changed = isAddition ? after.slice(startY, startY + 1) : before.slice(startX, startX + 1);
    edits.push(...all(isAddition ? "added" : "removed", changed));
    [x, y] = [startX, startY];
  }
  return [...edits, ...all("same", before.slice(0, x)).toReversed()].toReversed();
}

/**
 * Compares two lists: the fewest parts that were removed and added, as far as these are not too many.
 *
 * @see Myers, An O(ND) difference algorithm and its variations (1986)
 */
export function diffParts(before: readonly string[], after: readonly string[]): Edit<string>[] {
  const isBounded = before.length + after.length <= MAX_PARTS;
  const frontiers = isBounded ? findFrontiers(before, after) : undefined;
  if (frontiers) return toEdits(before, after, frontiers);
  return [...all("removed", before), ...all("added", after)];
}

/** A line of a comparison; what differs within it from the line that it replaces is marked. */
export interface DiffLine {
  readonly kind: Edit<string>["kind"];
  readonly parts: readonly { readonly text: string; readonly isChanged: boolean }[];
}

const toWholeLine = ({ kind, part }: Edit<string>): DiffLine => ({
  kind,
  parts: [{ text: part, isChanged: false }],
});

/** Words, with what stands between them. */
const toWords = (line: string): string[] => line.split(/(\s+)/).filter((word) => word !== "");

function toLine(kind: "removed" | "added", edits: readonly Edit<string>[]): DiffLine {
  const parts: { text: string; isChanged: boolean }[] = [];
  for (const edit of edits) {
    if (edit.kind !== "same" && edit.kind !== kind) continue;
    const isChanged = edit.kind !== "same";
    const last = parts.at(-1);
    if (last && last.isChanged === isChanged) last.text += edit.part;
    else parts.push({ text: edit.part, isChanged });
  }
  return { kind, parts };
}

/** Compares lines that were removed with those that were added in their place. */
function pairLines(removed: readonly Edit<string>[], added: readonly Edit<string>[]): DiffLine[] {
  const pairs = removed.map((edit, index) => {
    const other = added[index];
    return other ? diffParts(toWords(edit.part), toWords(other.part)) : undefined;
  });
  return [
    ...removed.map((edit, index) => {
      const words = pairs[index];
      return words ? toLine("removed", words) : toWholeLine(edit);
    }),
    ...added.map((edit, index) => {
      const words = pairs[index];
      return words ? toLine("added", words) : toWholeLine(edit);
    }),
  ];
}

/** Compares two texts by line, and by word within a line that was changed. */
export function diffTexts(before: string, after: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let [removed, added]: Edit<string>[][] = [[], []];
  const flush = (): void => {
    lines.push(...pairLines(removed ?? [], added ?? []));
    [removed, added] = [[], []];
  };
  for (const edit of diffParts(before.split("\n"), after.split("\n"))) {
    if (edit.kind === "same") {
      flush();
      lines.push(toWholeLine(edit));
    } else (edit.kind === "removed" ? removed : added)?.push(edit);
  }
  flush();
  return lines;
}
