import type { ChainBreak } from "./chain-report.ts";
import type { BatchRecord, WriterRecords } from "./writer-records.ts";

/** A batch that is there, or that another one declares. */
export interface ChainLink {
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

/** Adds the batches that others replace; finds declarations that contradict what is known. */
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

/** Links the batches of a writer, those included that others declare as replaced, and tells what doesn't fit. */
export function linkBatches(writer: WriterRecords): { links: ChainLinks; breaks: ChainBreak[] } {
  const links: ChainLinks = new Map(writer.batches);
  const differing = declareReplaced(writer, links);
  const faults = recordsOf(writer).flatMap((record) =>
    record.fault ? [toBreak(writer.writerId, record, record.fault)] : [],
  );
  const broken = findBrokenLinks(writer.writerId, links);
  return { links, breaks: [...faults, ...findForks(writer), ...differing, ...broken] };
}
