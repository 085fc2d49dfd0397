import type { ChainFault } from "./chain-report.ts";
import type { BatchRecord } from "./writer-records.ts";

/** A later writer of the same spool directory, which names the last batch of this one that was taken. */
export interface Successor {
  readonly writerId: string;
  /** Sequence of its batch that says so. */
  readonly batch: number;
  readonly sequence: number;
  readonly hash: string;
}

type PlacedFault = ChainFault & { readonly sequence: number };

function judge(
  batches: ReadonlyMap<number, readonly BatchRecord[]>,
  { writerId, batch, sequence, hash }: Successor,
): PlacedFault | undefined {
  const known = batches.get(sequence);
  if (known?.some((record) => record.hash === hash)) return undefined;
  const named = `writer ${writerId} followed it, and names batch ${sequence} as its last (in its batch ${batch})`;
  if (known) {
    const detail = `it is not the one that was delivered: ${named}`;
    return { kind: "anchor_differs", detail, sequence };
  }
  let newest = 0;
  for (const one of batches.keys()) newest = Math.max(newest, one);
  if (newest > sequence) return { kind: "batch_missing", detail: `it is gone: ${named}`, sequence };
  const detail = `its batches are missing from ${newest + 1} on: ${named}`;
  return { kind: "truncated", detail, sequence: newest + 1 };
}

/** Compares the batches of a writer with what later ones say of its end. */
export function judgeSuccessors(
  batches: ReadonlyMap<number, readonly BatchRecord[]>,
  successors: readonly Successor[],
): PlacedFault[] {
  return successors.flatMap((successor) => judge(batches, successor) ?? []);
}

/** The one that names the furthest end. */
export function pickNewest(successors: readonly Successor[]): Successor | undefined {
  return successors.toSorted((a, b) => b.sequence - a.sequence)[0];
}
