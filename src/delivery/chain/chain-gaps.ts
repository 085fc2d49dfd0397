import { cutRange, findGaps, mergeRanges, toSingle, type IntegerRange } from "../../util/ranges.ts";
import type { ChainBreak } from "./chain.ts";
import type { BatchRecord, WriterRecords } from "./writer-records.ts";

/** Number of gaps that are examined, from the first; a chain with more is broken anyway. */
const MAX_GAPS = 100;

/** Subtracts the events that summed-up reports explain from the missing ranges, the earliest first. */
function explain(missing: readonly IntegerRange[], { summedUp }: WriterRecords): IntegerRange[] {
  let rest = [...missing];
  for (const { firstSequence = 1, lastSequence = 0, count } of summedUp) {
    let left = count;
    rest = rest.flatMap((gap) => {
      const first = Math.max(gap.first, firstSequence);
      const last = Math.min(gap.last, lastSequence, first + left - 1);
      if (first > last) return [gap];
      left -= last - first + 1;
      return cutRange(gap, { first, last });
    });
  }
  return rest;
}

function findMissingEvents(writer: WriterRecords, records: readonly BatchRecord[]): IntegerRange[] {
  const present = writer.present.merged();
  const accounted = mergeRanges([...present, ...writer.givenUp.merged()]);
  const newest = records.reduce(
    (last, { lastEvent }) => Math.max(last, lastEvent),
    writer.newestForeign,
  );
  return explain(findGaps(accounted, newest), writer);
}

/** Finds the batch whose range covers an event; the first one, since others may replace it. */
function findHolder(records: readonly BatchRecord[], event: number): BatchRecord | undefined {
  return records.find(({ firstEvent, lastEvent }) => firstEvent <= event && event <= lastEvent);
}

/** Finds batches whose events came after all before: the events between two of them are those between their ranges. */
function findMilestones(records: readonly BatchRecord[]): BatchRecord[] {
  let newest = 0;
  return records.filter(({ replaces, firstEvent, lastEvent }) => {
    const isAhead = !replaces && firstEvent > newest;
    newest = Math.max(newest, lastEvent);
    return isAhead;
  });
}

function findAbsent(sequences: readonly number[]): IntegerRange[] {
  const known = mergeRanges(sequences.map(toSingle));
  return findGaps(known, known.at(-1)?.last ?? 0);
}

/** Describes a range of events in words. */
function toText({ first, last }: IntegerRange): string {
  return first === last ? `event ${first}` : `events ${first} to ${last}`;
}

/** Finds the batch that has lost events, or was lost with them. */
function locate(
  writerId: string,
  gap: IntegerRange,
  records: readonly BatchRecord[],
  milestones: readonly BatchRecord[],
  absent: readonly IntegerRange[],
): ChainBreak {
  const fault = { writerId, eventSequence: gap.first };
  const holder = findHolder(records, gap.first);
  if (holder) {
    const detail = `${toText(gap)} of it can't be found, and no report says why`;
    const { batchId, sequence } = holder;
    return { ...fault, kind: "event_missing", detail, sequence, batchId };
  }
  const after = milestones.find(({ firstEvent }) => firstEvent > gap.first);
  const before = milestones.findLast(({ lastEvent }) => lastEvent < gap.first);
  const [from, to] = [before?.sequence ?? 0, after?.sequence ?? Infinity];
  // The batch that had the events first; if another one declares that it replaces it, one of its replacements.
  const lost =
    absent.find(({ first, last }) => last > from && first < to) ??
    absent.find(({ last }) => last > from);
  if (lost) {
    const sequence = Math.max(lost.first, from + 1);
    const detail = `it can't be found, nor can ${toText(gap)}, and no report says why`;
    return { ...fault, kind: "batch_missing", detail, sequence };
  }
  const detail = `${toText(gap)} before it are in no batch, and no report says why`;
  const next = after ?? records.at(-1);
  return {
    ...fault,
    kind: "event_missing",
    detail,
    sequence: next?.sequence,
    batchId: next?.batchId,
  };
}

function findUnproven(
  { newestForeign }: WriterRecords,
  milestone: BatchRecord | undefined,
  absent: readonly IntegerRange[],
): number | undefined {
  // A report of another writer about events after this one's newest batch shows how its chain has ended.
  if (newestForeign > (milestone?.lastEvent ?? 0)) return undefined;
  // Every event of a batch before a milestone precedes the milestone's events, so it was looked for.
  const proven = milestone?.sequence ?? 0;
  const open = absent.find(({ last }) => last > proven);
  return open && Math.max(open.first, proven + 1);
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
function sortGaps(gaps: readonly IntegerRange[], records: readonly BatchRecord[]) {
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
    /** Events whose report should be there and is not. */
    lost: intersect(gaps, closed),
    /** Events whose report may still come. */
    unresolved: intersect(gaps, findGaps(closed, Infinity)),
  };
}

/**
 * Finds the gaps in a writer's chain.
 *
 * A missing batch is no loss in itself: the platform may have refused it, and others carry its events, or a report
 * says that these were dropped. Missing events without a report are a loss, unless they are at the open end.
 *
 * @param known - Sequences of the batches that are there or that others declare.
 */
export function findChainGaps(writer: WriterRecords, known: readonly number[]) {
  const records = [...writer.batches.values()]
    .flat()
    // The sequences in a changed envelope are worth nothing.
    .filter(({ fault }) => fault?.kind !== "hash_changed")
    .toSorted((a, b) => a.sequence - b.sequence);
  const milestones = findMilestones(records);
  const absent = findAbsent(known);
  const { lost, unresolved } = sortGaps(findMissingEvents(writer, records), records);
  const breaks = lost
    .slice(0, MAX_GAPS)
    .map((gap) => locate(writer.writerId, gap, records, milestones, absent));
  return {
    breaks,
    /** Events at the open end that may still be reported. */
    unresolved: unresolved.slice(0, MAX_GAPS),
    /** First batch for which nothing proves whether events are missing with it. */
    unproven: findUnproven(writer, milestones.at(-1), absent),
  };
}

type ChainGaps = ReturnType<typeof findChainGaps>;

/** Describes the doubt that the open end of the chain leaves, if any. */
export function describeOpenEnd({ unresolved, unproven }: ChainGaps): string | undefined {
  if (unresolved.length === 0)
    return unproven === undefined
      ? undefined
      : `a later batch must tell whether anything is missing with batch ${unproven}`;
  const named = unresolved.slice(0, MAX_NAMED).map(toText).join(", ");
  const more = unresolved.length > MAX_NAMED ? " and others" : "";
  const [first, second] = unresolved;
  const isOne = !second && first?.first === first?.last;
  return `${named}${more} ${isOne ? "was refused or is" : "were refused or are"} still to be reported`;
}
