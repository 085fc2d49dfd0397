import { findGaps, mergeRanges, type IntegerRange } from "../../util/ranges.ts";
import type { ChainLinks } from "./chain-links.ts";
import type { ChainBreak } from "./chain-report.ts";
import { sortGaps, toText } from "./open-end.ts";
import type { BatchRecord, WriterRecords } from "./writer-records.ts";

/** So many gaps are looked at, from the first; a chain with that many is broken anyway. */
const MAX_GAPS = 100;

/** What is missing of a writer. */
export interface ChainGaps {
  readonly breaks: readonly ChainBreak[];
  /** Events at the open end that may be reported yet. */
  readonly unresolved: readonly IntegerRange[];
  /** The first batch of which nothing tells whether anything is missing with it. */
  readonly unproven: number | undefined;
}

/** Takes what the summed-up reports explain out of the missing ranges, the earliest first. */
function explain(missing: readonly IntegerRange[], { summedUp }: WriterRecords): IntegerRange[] {
  let rest = [...missing];
  for (const { firstSequence = 1, lastSequence = 0, count } of summedUp) {
    let left = count;
    rest = rest.flatMap((gap) => {
      const first = Math.max(gap.first, firstSequence);
      const last = Math.min(gap.last, lastSequence, first + left - 1);
      if (first > last) return [gap];
      left -= last - first + 1;
      return [
        { first: gap.first, last: first - 1 },
        { first: last + 1, last: gap.last },
      ].filter((part) => part.first <= part.last);
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

/** Finds the batch that says it covers an event; the first one, since others may replace it. */
function findHolder(records: readonly BatchRecord[], event: number): BatchRecord | undefined {
  return records.find(({ firstEvent, lastEvent }) => firstEvent <= event && event <= lastEvent);
}

/** Batches whose events came after all before: between two of them are exactly the events between their ranges. */
function findMilestones(records: readonly BatchRecord[]): BatchRecord[] {
  let newest = 0;
  return records.filter(({ replaces, firstEvent, lastEvent }) => {
    const isAhead = !replaces && firstEvent > newest;
    newest = Math.max(newest, lastEvent);
    return isAhead;
  });
}

function findAbsent(links: ChainLinks): IntegerRange[] {
  const sequences = Array.from(links.keys(), (sequence) => ({ first: sequence, last: sequence }));
  const known = mergeRanges(sequences);
  return findGaps(known, known.at(-1)?.last ?? 0);
}

/** Says which batch has lost events, or was lost with them. */
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
  // The batch that had the events first; if another one declares that, one of those that replaced it.
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
  // Whoever reports events of another writer that came after its newest batch tells how its chain has ended.
  if (newestForeign > (milestone?.lastEvent ?? 0)) return undefined;
  // Every event of a batch before a milestone comes before the milestone's, so it was looked for.
  const proven = milestone?.sequence ?? 0;
  const open = absent.find(({ last }) => last > proven);
  return open && Math.max(open.first, proven + 1);
}

/**
 * Finds what is missing.
 *
 * A batch that is not there is no loss in itself: the platform may have refused it, and others carry its
 * events, or a report says that these were given up. Events that nobody has and no report names are a loss, unless
 * they are at the open end.
 */
export function findChainGaps(writer: WriterRecords, links: ChainLinks): ChainGaps {
  const records = [...writer.batches.values()]
    .flat()
    // What a changed envelope says of its events is worth nothing.
    .filter(({ fault }) => fault?.kind !== "hash_changed")
    .toSorted((a, b) => a.sequence - b.sequence);
  const milestones = findMilestones(records);
  const absent = findAbsent(links);
  const { lost, unresolved } = sortGaps(findMissingEvents(writer, records), records);
  const breaks = lost
    .slice(0, MAX_GAPS)
    .map((gap) => locate(writer.writerId, gap, records, milestones, absent));
  return {
    breaks,
    unresolved: unresolved.slice(0, MAX_GAPS),
    unproven: findUnproven(writer, milestones.at(-1), absent),
  };
}
