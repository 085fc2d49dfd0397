import { createHash, createHmac, type KeyObject } from "node:crypto";
import {
  KEYED_HASH_PREFIX,
  PLAIN_HASH_PREFIX,
  type Chain,
  type DroppedReport,
} from "../../events/chain.ts";

/** Domain separation: the digest can't be taken for that of anything else. */
const CHAIN_FORMAT = "agent-monitor/chain/1";

/** A shared secret: without it nobody can recompute a hash. */
export interface ChainKey {
  readonly keyId: string;
  readonly key: Uint8Array | KeyObject;
}

/** Input of a batch's hash. */
export interface ChainInput {
  readonly organizationId: string;
  readonly batchId: string;
  /** Milliseconds since the Unix epoch. */
  readonly timestamp: number;
  readonly eventCount: number;
  readonly totalSize: number;
  /** Checksum of the events, so that the hash covers them as well. */
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
