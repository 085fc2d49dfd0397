import fc from "fast-check";
import type { Predecessor } from "../../src/events/chain.ts";
import type { BatchPlan } from "../../src/delivery/batch.ts";
import {
  applyRecord,
  createOutboxState,
  type OutboxRecord,
  type OutboxState,
} from "../../src/delivery/outbox-state.ts";

/** A plan of which only what a state looks at is as it should be. */
export function createPlan(
  sequence: number,
  first: number,
  last: number,
  dropped?: BatchPlan["metadata"]["dropped"],
  predecessors?: Predecessor[],
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
        ...(predecessors && { predecessors }),
      },
      ...(dropped && { dropped }),
    },
  };
}

/** How far another writer got. */
export function createEnd(number: number, sequence = 1): Predecessor {
  return { writerId: `writer-${number}`, sequence, hash: `hash-${number}-${sequence}` };
}

/** What an outbox does next; `choice` says with which of its batches. */
const step = fc.record({
  kind: fc.constantFrom("plan", "plan", "replace", "settle", "settle", "drop", "cut", "carry"),
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
    const { predecessors = [] } = state;
    const named = predecessors.length > 0 ? [...predecessors] : undefined;
    return { type: "plan", plan: createPlan(sequence, next, next + size - 1, dropped, named) };
  }
  if (kind === "carry") return { type: "report", reports: [], predecessors: [createEnd(choice)] };
  if (kind === "drop")
    return { type: "drop", reason: "expired", first: next, last: next + size - 1 };
  if (!chosen) return undefined;
  const { first, last, metadata } = chosen;
  const batch = metadata.chain.sequence;
  if (kind === "settle") {
    const dead = { reason: "dead", count: 1, firstSequence: first, lastSequence: first };
    const settled = { type: "settle", batch, first, last } as const;
    if (choice % 3 > 0) return { ...settled, dropped: [], takenBy: "https://platform.example" };
    const { predecessors } = metadata.chain;
    return { ...settled, dropped: [dead], ...(predecessors && { predecessors }) };
  }
  const middle = Math.floor((first + last) / 2);
  if (kind === "cut")
    return middle < last ? { type: "drop", reason: "exit", first: middle + 1, last } : undefined;
  const ends = [...(metadata.chain.predecessors ?? []), ...(state.predecessors ?? [])];
  const named = ends.length > 0 ? ends : undefined;
  const plans = [createPlan(sequence, first, middle, undefined, named)];
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
