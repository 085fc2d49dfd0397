import { createHash, createHmac, type KeyObject } from "node:crypto";
import {
  KEYED_HASH_PREFIX,
  PLAIN_HASH_PREFIX,
  type Chain,
  type DroppedReport,
} from "../../events/chain.ts";
import type { BatchEnvelope } from "../../events/batch.ts";
import type { IntegerRange } from "../../util/ranges.ts";
import type { PurgedBatch } from "./purged-batch.ts";

/** Domain separation: the digest can't be taken for that of anything else. */
const CHAIN_FORMAT = "agent-monitor/chain/1";

/** A shared secret: without it nobody can recompute a hash. */
export interface ChainKey {
  readonly keyId: string;
  readonly key: Uint8Array | KeyObject;
}

/** Input of a batch's hash; its checksum makes the hash cover the events as well. */
export interface ChainInput extends Omit<BatchEnvelope, "checksum" | "events" | "metadata"> {
  readonly checksum: string;
  readonly dropped?: readonly DroppedReport[] | undefined;
  readonly chain: Omit<Chain, "hash" | "keyId">;
}

function toText(input: ChainInput, keyId: string | undefined): string {
  const { chain, dropped = [] } = input;
  const { replaces, predecessors } = chain;
  // An array, since its order is certain in every language.
  return JSON.stringify([
    CHAIN_FORMAT,
    input.organizationId,
    input.batchId,
    input.timestamp,
    input.eventCount,
    input.totalSize,
    input.checksum,
    chain.writerId,
    chain.sequence,
    chain.previous,
    chain.firstEvent,
    chain.lastEvent,
    keyId ?? null,
    replaces ? [replaces.batchId, replaces.sequence, replaces.hash, replaces.previous] : null,
    dropped.map(({ reason, count, firstSequence, lastSequence, writerId }) => [
      reason,
      count,
      firstSequence ?? null,
      lastSequence ?? null,
      ...(writerId === undefined ? [] : [writerId]),
    ]),
    // Absent in a batch that names none, so that its hash is the same as before there were predecessors.
    ...(predecessors
      ? [predecessors.map(({ writerId, sequence, hash }) => [writerId, sequence, hash])]
      : []),
  ]);
}

/** Computes the hash that links a batch to the previous one: HMAC-SHA256 if there is a key, else SHA-256. */
export function toChainHash(input: ChainInput, key?: ChainKey): string {
  const text = toText(input, key?.keyId);
  return key
    ? KEYED_HASH_PREFIX + createHmac("sha256", key.key).update(text).digest("hex")
    : PLAIN_HASH_PREFIX + createHash("sha256").update(text).digest("hex");
}

/** A batch to be verified. */
export interface VerifiableBatch {
  /** The whole batch as parsed JSON, of any type. */
  readonly batch: unknown;
  /** The exact bytes of its `events` array; absent if the source does not have them. */
  readonly eventsJson?: Uint8Array | undefined;
}

/** A batch that is known to exist: `monitor.stats().chain` of some earlier time. */
export interface ChainAnchor {
  readonly sequence: number;
  readonly hash?: string | undefined;
}

/** Returns the anchor for a batch, of which the sequence alone may be known. */
export function toAnchor(expected: number | ChainAnchor | undefined): ChainAnchor | undefined {
  return typeof expected === "number" ? { sequence: expected } : expected;
}

/** Keys and anchors of a verification. */
export interface VerifyOptions {
  /** Keys by their ids. When there is any, a hash without a key proves nothing. */
  readonly keys?: ReadonlyMap<string, ChainKey["key"]>;
  /** By writer: the batch, or at least its sequence, up to which everything must be present. */
  readonly expectLast?: ReadonlyMap<string, number | ChainAnchor>;
  /** Writers whose batches are missing on purpose: what others report of their end does not count. */
  readonly without?: ReadonlySet<string>;
  /**
   * Called for each batch of which events were purged: the purge's record in the audit trail has to vouch for it in place of the checksum.
   * Without it such a batch counts as changed.
   */
  readonly onPurged?: (batch: PurgedBatch) => void;
}

/** Faults of a batch; the first of these is reported for each batch. */
export const CHAIN_BREAK_KINDS = [
  /** Its chain is invalid. */
  "malformed",
  /** Its hash is not that of its envelope. */
  "hash_changed",
  /** Another batch has the same sequence. */
  "fork",
  /** An event is where it can't have been written. */
  "event_order",
  /** An event is missing, and no report says that it was dropped. */
  "event_missing",
  /** Its events are not those of its checksum. */
  "events_changed",
  /** Its copy of the batch that it replaces contradicts that batch. */
  "replacement_differs",
  /** Its hash of the previous batch is wrong. */
  "link_broken",
  /** It is missing, and so are events. */
  "batch_missing",
  /** The chain ends before it. */
  "truncated",
  /** It is not the batch that was expected. */
  "anchor_differs",
] as const;
export type ChainBreakKind = (typeof CHAIN_BREAK_KINDS)[number];

/** Fault of a batch, without its position. */
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
  /** Absent when the batch is missing. */
  readonly batchId?: string | undefined;
}

/**
 * Result of a verification.
 *
 * `incomplete`: nothing wrong was found, but not everything could be checked.
 */
export type ChainStatus = "verified" | "broken" | "incomplete";

/** Findings about one writer. */
export interface WriterReport {
  readonly writerId: string;
  readonly status: ChainStatus;
  /** Number of different batches. */
  readonly batches: number;
  /** Number of repeated batches, each repetition counted. */
  readonly repeated: number;
  /** Number of planned batches that are missing; no loss if others carry their events. */
  readonly absent: number;
  /** Number of different events. */
  readonly events: number;
  /** Numbers of dropped events, by reason. */
  readonly dropped: Readonly<Record<string, number>>;
  /** The newest batch: an anchor for the next verification. */
  readonly last: ChainAnchor | undefined;
  /** The later writer that names it as its predecessor, and the batch up to which all were accepted according to it. */
  readonly successor?: { readonly writerId: string; readonly sequence: number };
  /** The first broken link. */
  readonly firstBreak: ChainBreak | undefined;
  /** Every broken link, the first ones only when there are many. */
  readonly breaks: readonly ChainBreak[];
  readonly breakCount: number;
  /** Number of batches whose hash could not be recomputed or, when there are keys, has none. */
  readonly unverified: number;
  /**
   * Events that are missing at the open end of the chain, the first ones only when there are many: refused events
   * there may still be reported. Absent if this is not checked.
   */
  readonly unresolved?: readonly IntegerRange[];
  /** Needs of a more complete verification, in words. */
  readonly doubts: readonly string[];
}

/** Findings about all batches. */
export interface ChainReport {
  readonly status: ChainStatus;
  /** Number of batches read, repetitions included. */
  readonly batches: number;
  /** Number of batches without a chain. */
  readonly unchained: number;
  readonly writers: readonly WriterReport[];
}
