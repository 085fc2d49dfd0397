import { createHash } from "node:crypto";
import type { Chain, DroppedReport, Predecessor } from "../../src/events/chain.ts";
import {
  toChainHash,
  type ChainKey,
  type VerifiableBatch,
} from "../../src/delivery/chain/chain.ts";
import { uuidV7 } from "../../src/util/ids.ts";

const NOW = Date.UTC(2026, 10, 20, 14);
const ORGANIZATION = "first-bank";

export interface ChainedEvent {
  [member: string]: unknown;
  writerId: string;
  sequence: number;
}

/** A batch as it is sent. */
export interface ChainedBatch {
  batchId: string;
  organizationId: string;
  timestamp: number;
  events: ChainedEvent[];
  eventCount: number;
  totalSize: number;
  checksum: string;
  metadata: { batchVersion: string; chain: Chain; dropped?: DroppedReport[] };
}

export interface BatchPlan {
  /** Event sequences in the batch. */
  readonly sequences: readonly number[];
  /** The range it covers, if events of it are missing at the edges. */
  readonly firstEvent?: number;
  readonly lastEvent?: number;
  readonly replaces?: ChainedBatch;
  readonly dropped?: DroppedReport[];
  readonly predecessors?: Predecessor[];
}

/** Plans batches as one writer does, each linked to the one before. */
export interface ChainWriter {
  readonly writerId: string;
  /** Batches planned so far, whether they are delivered or not. */
  readonly planned: readonly ChainedBatch[];
  plan(plan: BatchPlan): ChainedBatch;
}

function createEvent(writerId: string, sequence: number): ChainedEvent {
  return {
    eventId: uuidV7(NOW),
    timestamp: NOW,
    sessionId: "session-1",
    agentId: "agent-1",
    environment: "development",
    requestId: `request-${sequence}`,
    version: "1.0",
    interactionType: "user_message",
    content: `message ${sequence}`,
    contentLength: 9,
    writerId,
    sequence,
  };
}

/** Makes count, size and checksum right again after a change of the events. */
export function resum(batch: ChainedBatch): ChainedBatch {
  const json = JSON.stringify(batch.events);
  batch.eventCount = batch.events.length;
  batch.totalSize = Buffer.byteLength(json);
  batch.checksum = `sha256:${createHash("sha256").update(json).digest("hex")}`;
  return batch;
}

/** Makes the hash right again after a change of the envelope, as far as the key is known. */
export function rehash(batch: ChainedBatch, key?: ChainKey): ChainedBatch {
  const { chain, dropped } = batch.metadata;
  chain.hash = toChainHash({ ...batch, chain, dropped }, key);
  return batch;
}

/** Starts a chain. */
export function createChainWriter(key?: ChainKey, organizationId = ORGANIZATION): ChainWriter {
  const writerId = uuidV7(NOW);
  const planned: ChainedBatch[] = [];
  return {
    writerId,
    planned,
    plan({ sequences, firstEvent, lastEvent, replaces, dropped, predecessors }) {
      const before = planned.at(-1)?.metadata.chain;
      const events = sequences.map((sequence) => createEvent(writerId, sequence));
      const chain: Chain = {
        writerId,
        sequence: planned.length + 1,
        previous: before?.hash ?? null,
        firstEvent: firstEvent ?? sequences[0] ?? 0,
        lastEvent: lastEvent ?? sequences.at(-1) ?? 0,
        hash: "",
        ...(key && { keyId: key.keyId }),
        ...(predecessors && { predecessors }),
      };
      if (replaces) {
        const { sequence, hash, previous } = replaces.metadata.chain;
        chain.replaces = { batchId: replaces.batchId, sequence, hash, previous };
      }
      const batch = resum({
        batchId: uuidV7(NOW),
        organizationId,
        timestamp: NOW,
        events,
        eventCount: 0,
        totalSize: 0,
        checksum: "",
        metadata: { batchVersion: "1.0", chain, ...(dropped && { dropped }) },
      });
      planned.push(rehash(batch, key));
      return batch;
    },
  };
}

/** How far a writer got, as whoever follows it names it. */
export function endOf({ writerId, planned }: ChainWriter): Predecessor {
  const { sequence = 0, hash = "" } = planned.at(-1)?.metadata.chain ?? {};
  return { writerId, sequence, hash };
}

/** Gives a copy that may be changed. */
export function copyOf(batch: ChainedBatch): ChainedBatch {
  return structuredClone(batch);
}

/** Gives a batch as a source gives it: written to bytes and read again. */
export function toVerifiable(batch: unknown): VerifiableBatch {
  const parsed = JSON.parse(JSON.stringify(batch)) as { events?: unknown } | null;
  return { batch: parsed, eventsJson: Buffer.from(JSON.stringify(parsed?.events ?? null)) };
}
