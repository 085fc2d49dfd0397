import type { IntegerRange } from "../../util/ranges.ts";
import type { ChainKey } from "./chain.ts";

/** A batch to be verified. */
export interface VerifiableBatch {
  /** The whole batch as parsed JSON, whatever it is. */
  readonly batch: unknown;
  /** The exact bytes of its `events` array; absent where the source can't give them. */
  readonly eventsJson?: Uint8Array | undefined;
}

/** A batch that is known to exist: what `monitor.stats().chain` said at some time. */
export interface ChainAnchor {
  readonly sequence: number;
  readonly hash?: string | undefined;
}

/** What to verify against. */
export interface VerifyOptions {
  /** Keys by their ids. When there is any, a hash without a key proves nothing. */
  readonly keys?: ReadonlyMap<string, ChainKey["key"]>;
  /** By writer: the batch, or at least its sequence, up to which everything must be there. */
  readonly expectLast?: ReadonlyMap<string, number | ChainAnchor>;
  /** Writers whose batches are not there on purpose: what others say of their end counts nothing. */
  readonly without?: ReadonlySet<string>;
}

/** What can be wrong with a batch; of one batch, the first of these is told. */
export const CHAIN_BREAK_KINDS = [
  /** It says that it has a chain, but what it says makes no sense. */
  "malformed",
  /** Its hash is not that of its envelope. */
  "hash_changed",
  /** Another batch has the same sequence. */
  "fork",
  /** An event is where it can't have been written. */
  "event_order",
  /** An event is gone, and no report says that it was given up. */
  "event_missing",
  /** Its events are not those of its checksum. */
  "events_changed",
  /** What it says of the batch that it replaces contradicts another batch. */
  "replacement_differs",
  /** What it says of the batch before is wrong. */
  "link_broken",
  /** It is gone, and so are events. */
  "batch_missing",
  /** The chain ends before it. */
  "truncated",
  /** It is not the batch that was expected. */
  "anchor_differs",
] as const;
export type ChainBreakKind = (typeof CHAIN_BREAK_KINDS)[number];

/** What is wrong with one batch, apart from where it is. */
export interface ChainFault {
  readonly kind: ChainBreakKind;
  /** In words; never content. */
  readonly detail: string;
  readonly eventSequence?: number | undefined;
}

/** A place where a chain is broken. */
export interface ChainBreak extends ChainFault {
  readonly writerId: string;
  /** Sequence of the batch; absent when it can't be read. */
  readonly sequence?: number | undefined;
  /** Absent when the batch is. */
  readonly batchId?: string | undefined;
}

/**
 * How far something is proven.
 *
 * `incomplete`: nothing wrong was found, but not everything could be looked at.
 */
export type ChainStatus = "verified" | "broken" | "incomplete";

/** What was found about one writer. */
export interface WriterReport {
  readonly writerId: string;
  readonly status: ChainStatus;
  /** Different batches. */
  readonly batches: number;
  /** Batches that came more than once, each repetition counted. */
  readonly repeated: number;
  /** Batches that were planned and are not there; no loss if others carry their events. */
  readonly absent: number;
  /** Different events. */
  readonly events: number;
  /** Events that were given up, by reason. */
  readonly dropped: Readonly<Record<string, number>>;
  /** The newest batch: an anchor for the next time. */
  readonly last: ChainAnchor | undefined;
  /** The later writer that names it as its predecessor, and the batch up to which it says that all was taken. */
  readonly successor?: { readonly writerId: string; readonly sequence: number };
  /** The first broken link. */
  readonly firstBreak: ChainBreak | undefined;
  /** Every broken link, the first ones only when there are many. */
  readonly breaks: readonly ChainBreak[];
  readonly breakCount: number;
  /** Batches whose hash could not be recomputed or, when there are keys, has none. */
  readonly unverified: number;
  /**
   * Events that are missing at the open end of the chain, the first ones only when there are many: what was refused
   * there may be reported yet. Absent where this is not looked for.
   */
  readonly unresolved?: readonly IntegerRange[];
  /** What is needed to verify more, in words. */
  readonly doubts: readonly string[];
}

/** What was found about all batches. */
export interface ChainReport {
  readonly status: ChainStatus;
  /** Batches looked at, repetitions included. */
  readonly batches: number;
  /** Batches that have no chain. */
  readonly unchained: number;
  readonly writers: readonly WriterReport[];
}
