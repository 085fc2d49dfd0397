import { findGaps, mergeRanges, type IntegerRange } from "../../util/ranges.ts";
import type { BatchRecord } from "./writer-records.ts";

/** Missing events, by what their absence tells. */
export interface SortedGaps {
  /** A report that should be there is not. */
  readonly lost: readonly IntegerRange[];
  /** The report may be still to come. */
  readonly unresolved: readonly IntegerRange[];
}

const MAX_TOLD = 5;

/**
 * Tells whether a batch has the reports of all that was given up before its events: one of new events has, and the
 * part of a refused batch that was planned right after it, since it took over what that one was to report.
 */
function isReporter({ sequence, replaces }: BatchRecord): boolean {
  return !replaces || replaces.sequence === sequence - 1;
}

/** Gives what two lists of ranges have in common; both must be in order. */
function intersect(a: readonly IntegerRange[], b: readonly IntegerRange[]): IntegerRange[] {
  const common: IntegerRange[] = [];
  let start = 0;
  for (const { first, last } of a) {
    while ((b[start]?.last ?? Infinity) < first) start++;
    for (let index = start; (b[index]?.first ?? Infinity) <= last; index++) {
      const other = b[index];
      if (!other) break;
      common.push({ first: Math.max(first, other.first), last: Math.min(last, other.last) });
    }
  }
  return common;
}

/**
 * Sorts missing events into those before the open end of a chain and those in it.
 *
 * What is given up is reported by the next batch that is planned. At the end there may be none yet: the parts of a
 * refused batch that were taken, and nothing after them.
 *
 * @param gaps - In order.
 */
export function sortGaps(
  gaps: readonly IntegerRange[],
  records: readonly BatchRecord[],
): SortedGaps {
  let end = 0;
  const changed: IntegerRange[] = [];
  for (const record of records) {
    const { firstEvent: first, lastEvent: last } = record;
    if (isReporter(record)) end = Math.max(end, last);
    // A batch whose events were changed has lost them itself.
    else if (record.fault) changed.push({ first, last });
  }
  const closed = mergeRanges([{ first: 1, last: end }, ...changed]);
  return {
    lost: intersect(gaps, closed),
    unresolved: intersect(gaps, findGaps(closed, Infinity)),
  };
}

/** Names events in words. */
export function toText({ first, last }: IntegerRange): string {
  return first === last ? `event ${first}` : `events ${first} to ${last}`;
}

/** Says what is missing at the open end. */
export function describeUnresolved(unresolved: readonly IntegerRange[]): string {
  const told = unresolved.slice(0, MAX_TOLD).map(toText).join(", ");
  const more = unresolved.length > MAX_TOLD ? " and others" : "";
  const [first, second] = unresolved;
  const isOne = !second && first?.first === first?.last;
  return `${told}${more} ${isOne ? "was refused or is" : "were refused or are"} still to be reported`;
}
