import { findGaps, mergeRanges, type IntegerRange } from "../../util/ranges.ts";
import type { ChainBreak } from "./chain-report.ts";
import { sortGaps, toText } from "./open-end.ts";
import type { BatchRecord, WriterRecords } from "./writer-records.ts";

/** A batch that is present, or that another one declares. */
interface ChainLink {
  readonly batchId: string;
  readonly hash: string;
  readonly previous: string | null;
}

/** Batches of a writer by sequence. */
export type ChainLinks = Map<number, readonly ChainLink[]>;

function toBreak(
  writerId: string,
  record: BatchRecord,
  fault: Omit<ChainBreak, "writerId">,
): ChainBreak {
  return { ...fault, writerId, sequence: record.sequence, batchId: record.batchId };
}

function recordsOf({ batches }: WriterRecords): BatchRecord[] {
  return [...batches.values()].flat();
}

/** Adds the batches that others replace, and returns declarations that contradict known batches. */
function declareReplaced(writer: WriterRecords, links: ChainLinks): ChainBreak[] {
  return recordsOf(writer).flatMap((record): ChainBreak[] => {
    const { replaces, sequence } = record;
    if (!replaces) return [];
    const known = links.get(replaces.sequence);
    const isKnown = known?.some(
      (link) =>
        link.hash === replaces.hash &&
        link.batchId === replaces.batchId &&
        link.previous === replaces.previous,
    );
    if (replaces.sequence < sequence && !known) {
      links.set(replaces.sequence, [replaces]);
      return [];
    }
    if (replaces.sequence < sequence && isKnown === true) return [];
    const detail = `what it says of batch ${replaces.sequence}, which it replaces, is not so`;
    return [toBreak(writer.writerId, record, { kind: "replacement_differs", detail })];
  });
}

function judgePrevious(
  sequence: number,
  previous: string | null,
  before: readonly ChainLink[] | undefined,
): string | undefined {
  if (sequence === 1)
    return previous === null ? undefined : "it is the first, but names one before";
  if (previous === null) return "it names no batch before it";
  if (!before || before.some(({ hash }) => hash === previous)) return undefined;
  return `what it says of batch ${sequence - 1}, which it follows, is not so`;
}

function findBrokenLinks(writerId: string, links: ChainLinks): ChainBreak[] {
  return [...links].flatMap(([sequence, alternatives]) =>
    alternatives.flatMap(({ batchId, previous }): ChainBreak[] => {
      const detail = judgePrevious(sequence, previous, links.get(sequence - 1));
      return detail === undefined
        ? []
        : [{ kind: "link_broken", detail, writerId, sequence, batchId }];
    }),
  );
}

function findForks({ writerId, batches }: WriterRecords): ChainBreak[] {
  return [...batches].flatMap(([sequence, [first, second]]): ChainBreak[] => {
    if (!first || !second) return [];
    const isOther = first.batchId !== second.batchId || first.hash !== second.hash;
    if (!isOther) return [];
    const detail = `the batch ${second.batchId} has the same place`;
    return [{ kind: "fork", detail, writerId, sequence, batchId: first.batchId }];
  });
}

/** Links the batches of a writer, including those that others declare as replaced, and returns the breaks found. */
export function linkBatches(writer: WriterRecords): { links: ChainLinks; breaks: ChainBreak[] } {
  const links: ChainLinks = new Map(writer.batches);
  const differing = declareReplaced(writer, links);
  const faults = recordsOf(writer).flatMap((record) =>
    record.fault ? [toBreak(writer.writerId, record, record.fault)] : [],
  );
  const broken = findBrokenLinks(writer.writerId, links);
  return { links, breaks: [...faults, ...findForks(writer), ...differing, ...broken] };
}

/** Number of gaps that are examined, from the first; a chain with more is broken anyway. */
const MAX_GAPS = 100;

/** Missing events and batches of a writer. */
export interface ChainGaps {
  readonly breaks: readonly ChainBreak[];
  /** Events at the open end that may still be reported. */
  readonly unresolved: readonly IntegerRange[];
  /** First batch for which nothing proves whether events are missing with it. */
  readonly unproven: number | undefined;
}

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

function findAbsent(links: ChainLinks): IntegerRange[] {
  const sequences = Array.from(links.keys(), (sequence) => ({ first: sequence, last: sequence }));
  const known = mergeRanges(sequences);
  return findGaps(known, known.at(-1)?.last ?? 0);
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

/**
 * Finds the gaps in a writer's chain.
 *
 * A missing batch is no loss in itself: the platform may have refused it, and others carry its events, or a report
 * says that these were dropped. Missing events without a report are a loss, unless they are at the open end.
 */
export function findChainGaps(writer: WriterRecords, links: ChainLinks): ChainGaps {
  const records = [...writer.batches.values()]
    .flat()
    // The sequences in a changed envelope are worth nothing.
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
