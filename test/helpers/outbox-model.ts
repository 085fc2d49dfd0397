import fc from "fast-check";
import type { BatchPlan } from "../../src/exporter/batch.ts";
import {
  applyRecord,
  createOutboxState,
  type OutboxRecord,
  type OutboxState,
} from "../../src/exporter/outbox-state.ts";

/** A plan of which only what a state looks at is as it should be. */
export function createPlan(
  sequence: number,
  first: number,
  last: number,
  dropped?: BatchPlan["metadata"]["dropped"],
): BatchPlan {
  return {
    batchId: `batch-${sequence}`,
    timestamp: 0,
    eventCount: last - first + 1,
    totalSize: 0,
    checksum: "",
    first,
    last,
    oldestAt: 0,
    metadata: {
      batchVersion: "1.0",
      compressionType: "none",
      chain: {
        writerId: "writer",
        sequence,
        previous: null,
        firstEvent: first,
        lastEvent: last,
        hash: `hash-${sequence}`,
      },
      ...(dropped && { dropped }),
    },
  };
}

/** What an outbox does next; `choice` says with which of its batches. */
const step = fc.record({
  kind: fc.constantFrom("plan", "plan", "replace", "settle", "settle", "drop"),
  choice: fc.nat(),
  size: fc.integer({ min: 1, max: 6 }),
});
export const steps = fc.array(step, { minLength: 1, maxLength: 40 });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function toRecord(state: OutboxState, { kind, choice, size }: Step): OutboxRecord | undefined {
  const { chain, next, open, unreported } = state;
  const chosen = open[choice % Math.max(1, open.length)];
  const sequence = chain.sequence + 1;
  if (kind === "plan") {
    const dropped = unreported.length > 0 ? unreported.slice() : undefined;
    return { type: "plan", plan: createPlan(sequence, next, next + size - 1, dropped) };
  }
  if (kind === "drop")
    return { type: "drop", reason: "expired", first: next, last: next + size - 1 };
  if (!chosen) return undefined;
  const { first, last, metadata } = chosen;
  const batch = metadata.chain.sequence;
  if (kind === "settle") {
    const dead = { reason: "dead", count: 1, firstSequence: first, lastSequence: first };
    return { type: "settle", batch, first, last, dropped: choice % 3 === 0 ? [dead] : [] };
  }
  const middle = Math.floor((first + last) / 2);
  const plans = [createPlan(sequence, first, middle)];
  if (middle < last) plans.push(createPlan(sequence + 1, middle + 1, last));
  return { type: "replace", replaced: batch, plans };
}

/** The records that an outbox writes, and what it holds at the end. */
export function recordAll(list: readonly Step[]): { records: OutboxRecord[]; state: OutboxState } {
  const state = createOutboxState();
  const records: OutboxRecord[] = [];
  for (const one of list) {
    const record = toRecord(state, one);
    if (!record) continue;
    records.push(structuredClone(record));
    applyRecord(state, record);
  }
  return { records, state };
}

/** The sequences that are not settled and in a batch or a hole, each as often as it is. */
export function unsettledOf({ open, holes }: OutboxState): number[] {
  return [...open, ...holes]
    .flatMap(({ first, last }) =>
      Array.from({ length: last - first + 1 }, (_value, index) => first + index),
    )
    .toSorted((a, b) => a - b);
}
