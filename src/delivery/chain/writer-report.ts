import { countIntegers } from "../../util/ranges.ts";
import { findChainGaps, type ChainGaps } from "./chain-gaps.ts";
import { linkBatches, type ChainLinks } from "./chain-links.ts";
import {
  CHAIN_BREAK_KINDS,
  type ChainAnchor,
  type ChainBreak,
  type ChainFault,
  type WriterReport,
} from "./chain-report.ts";
import { describeUnresolved } from "./open-end.ts";
import { judgeSuccessors, pickNewest } from "./successors.ts";
import type { WriterRecords } from "./writer-records.ts";

const MAX_BREAKS = 20;

function compareBreaks(a: ChainBreak, b: ChainBreak): number {
  const [left, right] = [a.sequence ?? Infinity, b.sequence ?? Infinity];
  if (left !== right) return left < right ? -1 : 1;
  return CHAIN_BREAK_KINDS.indexOf(a.kind) - CHAIN_BREAK_KINDS.indexOf(b.kind);
}

function findNewest(links: ChainLinks): number {
  let newest = 0;
  for (const sequence of links.keys()) newest = Math.max(newest, sequence);
  return newest;
}

/** Compares a chain with what is known of its end. */
function judgeAnchor(
  links: ChainLinks,
  { sequence, hash }: ChainAnchor,
): { fault?: ChainFault & { sequence: number }; doubt?: string } {
  const newest = findNewest(links);
  if (newest < sequence) {
    const detail = `the chain ends before it, although there was a batch ${sequence}`;
    return { fault: { kind: "truncated", detail, sequence: newest + 1 } };
  }
  if (hash === undefined || sequence === 0) return {};
  const hashes =
    links.get(sequence)?.map((link) => link.hash) ??
    links.get(sequence + 1)?.map(({ previous }) => previous);
  if (!hashes) return { doubt: `nothing tells the hash of batch ${sequence}, which is expected` };
  if (hashes.includes(hash)) return {};
  return {
    fault: { kind: "anchor_differs", detail: "it is not the batch that was expected", sequence },
  };
}

/** Says what the end of the chain leaves open. */
function describeDoubt({ unresolved, unproven }: ChainGaps): string | undefined {
  if (unresolved.length > 0) return describeUnresolved(unresolved);
  if (unproven === undefined) return undefined;
  return `a later batch must tell whether anything is missing with batch ${unproven}`;
}

/** Judges all that is known of a writer. */
export function reportWriter(writer: WriterRecords, anchor: ChainAnchor | undefined): WriterReport {
  const { writerId, batches, repeated, unverified, successors } = writer;
  const { links, breaks } = linkBatches(writer);
  const gaps = findChainGaps(writer, links);
  const end = anchor ? judgeAnchor(links, anchor) : {};
  const found = [...writer.malformed, ...breaks, ...gaps.breaks];
  for (const fault of [...(end.fault ? [end.fault] : []), ...judgeSuccessors(batches, successors)])
    found.push({ ...fault, writerId, batchId: links.get(fault.sequence)?.[0]?.batchId });
  found.sort(compareBreaks);
  const doubts = [...writer.doubts, end.doubt, describeDoubt(gaps)].filter(
    (doubt) => doubt !== undefined,
  );
  const newest = findNewest(links);
  const hash = links.get(newest)?.[0]?.hash;
  const successor = pickNewest(successors);
  return {
    writerId,
    status: found.length > 0 ? "broken" : doubts.length > 0 ? "incomplete" : "verified",
    batches: batches.size,
    repeated,
    absent: newest - batches.size,
    events: countIntegers(writer.present.merged()),
    dropped: Object.fromEntries(writer.dropped),
    last: hash === undefined ? undefined : { sequence: newest, hash },
    ...(successor && {
      successor: { writerId: successor.writerId, sequence: successor.sequence },
    }),
    firstBreak: found[0],
    breaks: found.slice(0, MAX_BREAKS),
    breakCount: found.length,
    unverified,
    unresolved: gaps.unresolved,
    doubts,
  };
}
