import { findAll, linear, type Range } from "../text/pattern.ts";

/** Digits with separators between them, in the groups that they were written in. */
export interface DigitRun {
  readonly text: string;
  readonly groups: readonly Range[];
  /** The digits of all groups, and where in them each group starts. */
  readonly digits: string;
  readonly offsets: readonly number[];
}

/** Longest gap between two groups of one number, in UTF-16 units. */
const MAX_GAP = 4;

/** Longest of the small pieces that a number may be cut into. */
export const MAX_SMALL_PIECE = 2;

// Digits with whatever stands between them when people, models or evaders write numbers.
const RUN = linear(/\d[\d\s\-./_,:;|~*+\u00b7\u2022()'\u200b-\u200d\u2060\ufeff]{6,}\d/g);
const GROUP = linear(/\d+/g);
const WORD_BEFORE = linear(/(?:[\p{L}\p{N}_$\u20ac\u00a3]|[$\u20ac\u00a3] )$/u);
const WORD_AFTER = linear(/^[\p{L}\p{N}_]/u);
/** Separators that lists and tables have as well: alone they don't make one number. */
const LIST_SEPARATOR = linear(/[,:;|\n\r\t()'+]/);

function toRun(text: string, groups: readonly Range[]): DigitRun {
  const offsets: number[] = [];
  let digits = "";
  for (const { start, end } of groups) {
    offsets.push(digits.length);
    digits += text.slice(start, end);
  }
  return { text, groups, digits, offsets };
}

/** Finds the runs of digits of a text, each at least eight characters long. */
export function findDigitRuns(text: string): DigitRun[] {
  const runs: DigitRun[] = [];
  for (const { start, end } of findAll(RUN, text)) {
    let groups: Range[] = [];
    for (const group of findAll(GROUP, text.slice(start, end))) {
      const range = { start: start + group.start, end: start + group.end };
      const previous = groups.at(-1);
      if (previous && range.start - previous.end > MAX_GAP) {
        runs.push(toRun(text, groups));
        groups = [];
      }
      groups.push(range);
    }
    runs.push(toRun(text, groups));
  }
  return runs;
}

/** Returns what stands between a group and the next, `undefined` behind the last. */
export function separatorAfter(run: DigitRun, index: number): string | undefined {
  const next = run.groups[index + 1];
  return next && run.text.slice(run.groups[index]?.end ?? next.start, next.start);
}

/** Returns whether the same separator stands between all groups from the first to the last. */
export function hasOneSeparator(run: DigitRun, first: number, last: number): boolean {
  const separator = separatorAfter(run, first);
  for (let index = first + 1; index < last; index++) {
    if (separatorAfter(run, index) !== separator) return false;
  }
  return true;
}

/** Returns whether the groups are a whole number cut into equal pieces, the last one shorter if need be: `40122 88888 81881 4`. */
export function isCutEvenly(run: DigitRun, first: number, last: number): boolean {
  const lengths = run.groups.slice(first, last + 1).map(({ start, end }) => end - start);
  const [length = 0] = lengths;
  const end = lengths.at(-1) ?? 0;
  return (
    end <= length &&
    lengths.every((other, index) => other === length || index === lengths.length - 1) &&
    hasOneSeparator(run, first, last) &&
    separatorAfter(run, last) !== separatorAfter(run, first) &&
    (first === 0 || separatorAfter(run, first - 1) !== separatorAfter(run, first))
  );
}

/** Returns whether the groups are a whole number cut into small equal pieces: `6-0-1-1-…`, `40 00 11 …`. */
export function isCutSmall(run: DigitRun, first: number, last: number): boolean {
  const { start, end } = rangeOf(run, first, first);
  return end - start <= MAX_SMALL_PIECE && isCutEvenly(run, first, last);
}

/** Returns whether a separator between the groups is one that lists have as well. */
export function hasListSeparator(run: DigitRun, first: number, last: number): boolean {
  for (let index = first; index < last; index++) {
    if (LIST_SEPARATOR.test(separatorAfter(run, index) ?? "")) return true;
  }
  return false;
}

/** Returns the lengths of the groups from the first to the last, `4-4-4-4`. */
export function groupingOf(run: DigitRun, first: number, last: number): string {
  return run.groups
    .slice(first, last + 1)
    .map(({ start, end }) => end - start)
    .join("-");
}

/** Returns the digits of the groups from the first to the last. */
export function digitsOf(run: DigitRun, first: number, last: number): string {
  return run.digits.slice(run.offsets[first], run.offsets[last + 1]);
}

/** Returns where the groups from the first to the last stand. */
export function rangeOf(run: DigitRun, first: number, last: number): Range {
  return { start: run.groups[first]?.start ?? 0, end: run.groups[last]?.end ?? 0 };
}

/** Returns whether a number is a part of a word or code, or an amount of money. */
export function isPartOfWord(text: string, { start, end }: Range): boolean {
  return (
    WORD_BEFORE.test(text.slice(Math.max(0, start - 2), start)) ||
    WORD_AFTER.test(text.slice(end, end + 2))
  );
}
