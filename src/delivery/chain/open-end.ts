import { findGaps, mergeRanges, type IntegerRange } from "../../util/ranges.ts";
import type { BatchRecord } from "./writer-records.ts";

/** Missing events, sorted by whether they may still be reported. */
export interface SortedGaps {
  /** Events whose report should be there and is not. */
  readonly lost: readonly IntegerRange[];
  /** Events whose report may still come. */
  readonly unresolved: readonly IntegerRange[];
}

const MAX_NAMED = 5;

/**
 * Returns whether a batch has the reports of all events dropped before its own: a batch of new events has, and so does
 * the part of a refused batch that was planned right after it, since it took over the reports of that batch.
 */
function isReporter({ sequence, replaces }: BatchRecord): boolean {
  return !replaces || replaces.sequence === sequence - 1;
}

/** Returns the intersection of two lists of ranges; both must be in order. */
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
 * Dropped events are reported by the next batch that is planned. At the end there may be none yet: only accepted
 * parts of a refused batch, and nothing after them.
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

/** Describes a range of events in words. */
export function toText({ first, last }: IntegerRange): string {
  return first === last ? `event ${first}` : `events ${first} to ${last}`;
}

/** Describes the events that are missing at the open end. */
export function describeUnresolved(unresolved: readonly IntegerRange[]): string {
  const named = unresolved.slice(0, MAX_NAMED).map(toText).join(", ");
  const more = unresolved.length > MAX_NAMED ? " and others" : "";
  const [first, second] = unresolved;
  const isOne = !second && first?.first === first?.last;
  return `${named}${more} ${isOne ? "was refused or is" : "were refused or are"} still to be reported`;
}
