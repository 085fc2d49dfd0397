import { createHash } from "node:crypto";
import { EVENT_SCHEMA_VERSION } from "../events/base-event.ts";
import { CHECKSUM_PREFIX } from "../events/batch.ts";
import type { Chain, DroppedReport, Predecessor } from "../events/chain.ts";
import { uuidV7 } from "../util/ids.ts";
import type { IntegerRange } from "../util/ranges.ts";
import { toChainHash, type ChainKey } from "./chain/chain.ts";
import type { StoredEvent } from "./event-store.ts";

/**
 * A batch planned from new events, and the ever smaller batches that it is split into when it is refused.
 *
 * One bad event must not take the others along, and a platform that refuses everything must not turn a whole
 * stream into dead letters: an event becomes one only once the platform has accepted something else.
 */
export class Lineage {
  /** Whether it began as a single event: its refusal does not show whether event or platform is at fault. */
  readonly isLone: boolean;
  /** Whether it is a part of a batch that an earlier process saw refused: another refusal is no news. */
  readonly isLeftover: boolean;
  /** Whether the platform accepts events now, so that a refused event is itself at fault. */
  isTaken = false;
  /** Whether its batches wait until the platform has accepted another one. */
  isSuspended = false;
  readonly #maxFruitless: number;
  #refusals = 0;

  /** @param size - Number of events of its first batch. */
  constructor(size: number, isLeftover = false) {
    this.isLone = size === 1;
    this.isLeftover = isLeftover;
    this.#maxFruitless = 2 * Math.ceil(Math.log2(size)) + 2;
  }

  /** Whether so many parts were refused, and none accepted, that sending more is in vain. */
  get isInVain(): boolean {
    return !this.isTaken && this.#refusals > this.#maxFruitless;
  }

  noteRefusal(): void {
    this.#refusals++;
  }

  noteTaken(): void {
    this.isTaken = true;
    this.isSuspended = false;
  }

  suspend(): void {
    this.isSuspended = true;
  }
}

/** Smaller bodies are sent as they are: gzip would save nothing. */
const COMPRESS_ABOVE_BYTES = 1024;
export type Compression = "gzip" | "none";

/** Metadata of a batch as it is sent; the order of the members is the order on the wire. */
interface PlannedMetadata {
  readonly batchVersion: string;
  readonly compressionType: Compression;
  readonly encryptionInfo?: string;
  readonly chain: Chain;
  readonly dropped?: readonly DroppedReport[];
}

/** All of a batch but its events: together they make the same bytes at every attempt. */
export interface BatchPlan extends IntegerRange {
  readonly batchId: string;
  /** When it was planned, milliseconds since the Unix epoch. */
  readonly timestamp: number;
  readonly eventCount: number;
  readonly totalSize: number;
  readonly checksum: string;
  readonly metadata: PlannedMetadata;
  /** When its oldest event happened. */
  readonly oldestAt: number;
}

/** Returns the position of a batch in the chain of its writer, by which records refer to it. */
export function toChainSequence({ metadata }: BatchPlan): number {
  return metadata.chain.sequence;
}

/** A batch with the bytes that every attempt sends. */
export interface PlannedBatch {
  readonly plan: BatchPlan;
  readonly events: readonly StoredEvent[];
  /** The `EventBatch` as UTF-8 JSON. */
  readonly body: Buffer;
}

/** Writer of the batches, their destination and their protection. */
export interface BatchOrigin {
  readonly organizationId: string;
  readonly writerId: string;
  /** URL of the platform, without credentials: another platform need not have what this one has accepted. */
  readonly platform: string;
  readonly compression: Compression;
  readonly encryptionInfo?: string | undefined;
  /** Keys the hashes of the chain, so that nobody without the key can recompute them. */
  readonly chainKey?: ChainKey | undefined;
}

/** Content of a batch to plan. */
export interface BatchContent extends IntegerRange {
  readonly events: readonly StoredEvent[];
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Link to the batch that was planned before. */
  readonly previous: { readonly sequence: number; readonly hash: string | null };
  readonly replaces?: BatchPlan | undefined;
  readonly dropped: readonly DroppedReport[];
  /** Ended writers that no batch has named yet. */
  readonly predecessors: readonly Predecessor[];
}

const COMMA = Buffer.from(",");
const OPEN = Buffer.from("[");
const CLOSE = Buffer.from("]");

function toEventsArray(events: readonly StoredEvent[]): Buffer {
  const parts = events.flatMap(({ json }) => [COMMA, json]);
  return Buffer.concat([OPEN, ...parts.slice(1), CLOSE]);
}

function toChecksum(eventsJson: Buffer): string {
  return CHECKSUM_PREFIX + createHash("sha256").update(eventsJson).digest("hex");
}

function toBody(plan: BatchPlan, organizationId: string, eventsJson: Buffer): Buffer {
  const { batchId, timestamp, eventCount, totalSize, checksum, metadata } = plan;
  const head = `{"batchId":"${batchId}","organizationId":${JSON.stringify(organizationId)},"timestamp":${timestamp},"events":`;
  const tail = JSON.stringify({ eventCount, totalSize, checksum, metadata });
  return Buffer.concat([Buffer.from(head), eventsJson, Buffer.from(`,${tail.slice(1)}`)]);
}

function toReplaces({ batchId, metadata: { chain } }: BatchPlan): NonNullable<Chain["replaces"]> {
  return { batchId, sequence: chain.sequence, hash: chain.hash, previous: chain.previous };
}

/** Fixes id, time, order and bytes of a batch, and links it to the one before. */
export function planBatch(content: BatchContent, origin: BatchOrigin): PlannedBatch {
  const { events, first, last, now, previous, replaces, dropped, predecessors } = content;
  const { organizationId, writerId, chainKey } = origin;
  const eventsJson = toEventsArray(events);
  const sums = {
    batchId: uuidV7(now),
    timestamp: now,
    eventCount: events.length,
    totalSize: eventsJson.length,
    checksum: toChecksum(eventsJson),
  };
  const reports = dropped.length > 0 ? { dropped } : {};
  const link = {
    writerId,
    sequence: previous.sequence + 1,
    previous: previous.hash,
    firstEvent: first,
    lastEvent: last,
    ...(chainKey && { keyId: chainKey.keyId }),
    ...(replaces && { replaces: toReplaces(replaces) }),
    ...(predecessors.length > 0 && { predecessors: [...predecessors] }),
  };
  const hash = toChainHash({ ...sums, ...reports, organizationId, chain: link }, chainKey);
  const isCompressed =
    origin.encryptionInfo !== undefined ||
    (origin.compression === "gzip" && eventsJson.length > COMPRESS_ABOVE_BYTES);
  const plan: BatchPlan = {
    ...sums,
    metadata: {
      batchVersion: EVENT_SCHEMA_VERSION,
      compressionType: isCompressed ? "gzip" : "none",
      ...(origin.encryptionInfo !== undefined && { encryptionInfo: origin.encryptionInfo }),
      chain: { ...link, hash },
      ...reports,
    },
    first,
    last,
    oldestAt: events[0]?.timestamp ?? now,
  };
  return { plan, events, body: toBody(plan, organizationId, eventsJson) };
}

/**
 * Rebuilds the bytes of a batch that was planned before.
 *
 * @returns `undefined` when its events have changed: they can't be sent as this batch any more.
 */
export function rebuildBatch(
  plan: BatchPlan,
  events: readonly StoredEvent[],
  organizationId: string,
): PlannedBatch | undefined {
  const eventsJson = toEventsArray(events);
  if (toChecksum(eventsJson) !== plan.checksum) return undefined;
  return { plan, events, body: toBody(plan, organizationId, eventsJson) };
}
