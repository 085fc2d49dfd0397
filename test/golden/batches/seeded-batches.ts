import type { DroppedReport, Predecessor } from "../../../src/events/chain.ts";
import {
  planBatch,
  rebuildBatch,
  type BatchContent,
  type BatchOrigin,
  type PlannedBatch,
} from "../../../src/delivery/batch.ts";
import { toChainHash } from "../../../src/delivery/chain/chain.ts";
import { MemoryStore, type StoredEvent } from "../../../src/delivery/event-store.ts";
import { PendingEvent } from "../../../src/delivery/pending-event.ts";
import type { Random } from "../../faults/support/random.ts";
import { NOW } from "../../helpers/events.ts";
import { toSeededEvent } from "./seeded-events.ts";

const MAX_EVENTS = 50;
/** Bytes of an event: some of the events are larger, and are cut. */
const LIMIT_BYTES = 16 * 1024;
const LOST_EVERY = 40;

/** What a batch holds, whoever sends it. */
export type SeededContent = Omit<BatchContent, "previous" | "replaces"> & {
  readonly number: number;
  readonly isRepeated: boolean;
};

function toUuid(random: Random): string {
  const hex = Array.from({ length: 4 }, () =>
    random
      .below(2 ** 32)
      .toString(16)
      .padStart(8, "0"),
  );
  return hex
    .join("")
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, (_, ...parts: string[]) =>
      [parts[0], parts[1], `7${parts[2]}`, `8${parts[3]}`, parts[4]].join("-"),
    );
}

const toDigestText = (random: Random): string =>
  `sha256:${toUuid(random).replaceAll("-", "").repeat(2)}`;

function toDropped(random: Random): DroppedReport[] {
  if (random.below(6) > 0) return [];
  const count = 1 + random.below(9);
  const range = { firstSequence: 1, lastSequence: count };
  return [
    { reason: "queue_full", count },
    { reason: random.pick(["expired", "dead"]), count, ...range },
    ...(random.below(2) === 0
      ? [{ reason: "corrupt", count, ...range, writerId: toUuid(random) }]
      : []),
  ];
}

function toPredecessors(random: Random): Predecessor[] {
  return Array.from({ length: Math.max(0, random.below(12) - 9) }, () => ({
    writerId: toUuid(random),
    sequence: 1 + random.below(1000),
    hash: toDigestText(random),
  }));
}

/** Makes the contents of batches, one behind the other, out of random events. */
export async function* toContents(
  random: Random,
  writerId: string,
  batches: number,
): AsyncGenerator<SeededContent, void> {
  const store = new MemoryStore({ writerId, maxCount: Infinity, maxBytes: Infinity });
  let events = 0;
  for (let number = 1; number <= batches; number++) {
    const first = events + 1;
    const size = 1 + random.below(MAX_EVENTS);
    for (let index = 0; index < size; index++) {
      const event = toSeededEvent(random, ++events);
      store.append(new PendingEvent(event, 0, LIMIT_BYTES));
    }
    const read = await store.read({ first, last: events, maxCount: Infinity, maxBytes: Infinity });
    store.forget(events);
    const kept = read.events.filter(() => random.below(LOST_EVERY) > 0);
    yield {
      number,
      events: kept.length > 0 ? kept : read.events,
      first,
      last: events,
      now: NOW + number * 1000,
      dropped: toDropped(random),
      predecessors: toPredecessors(random),
      isRepeated: random.below(15) === 0,
    };
  }
}

/** Writes the id, which no seed repeats, as another one; whatever depends on it is computed anew. */
function withId(batch: PlannedBatch, batchId: string, origin: BatchOrigin): PlannedBatch {
  const { plan } = batch;
  const { organizationId, chainKey } = origin;
  const { chain, dropped } = plan.metadata;
  const toHash = (id: string): string =>
    toChainHash({ ...plan, organizationId, batchId: id, dropped, chain }, chainKey);
  if (toHash(plan.batchId) !== chain.hash)
    throw new Error("golden: the hash of a batch is not that of its members");
  const hash = toHash(batchId);
  const text = batch.body.toString("latin1");
  const body = text.replace(plan.batchId, batchId).replace(chain.hash, hash);
  const metadata = { ...plan.metadata, chain: { ...chain, hash } };
  return { ...batch, plan: { ...plan, batchId, metadata }, body: Buffer.from(body, "latin1") };
}

function verifyRebuilt(
  { plan, body }: PlannedBatch,
  events: readonly StoredEvent[],
  { organizationId }: BatchOrigin,
): void {
  const rebuilt = rebuildBatch(plan, events, organizationId);
  if (!rebuilt?.body.equals(body))
    throw new Error("golden: a batch that is made again has other bytes");
}

/** Plans batches as one writer does, each linked to the one before, with ids that a seed repeats. */
export function createPlanner(
  random: Random,
  origin: BatchOrigin,
): (content: SeededContent) => PlannedBatch {
  let before: PlannedBatch | undefined;
  return (content) => {
    const { sequence = 0, hash = null } = before?.plan.metadata.chain ?? {};
    const replaces = content.isRepeated ? before?.plan : undefined;
    const planned = planBatch({ ...content, previous: { sequence, hash }, replaces }, origin);
    before = withId(planned, toUuid(random), origin);
    verifyRebuilt(before, content.events, origin);
    return before;
  };
}
