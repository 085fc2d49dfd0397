import type { DroppedReport } from "../events/chain.ts";
import type { StoredEvent } from "./event-store.ts";
import type { SequenceRange } from "./outbox-state.ts";

/** Finds the sequences of a range that no event has. */
export function findLost(
  events: readonly StoredEvent[],
  { first, last }: SequenceRange,
): SequenceRange[] {
  const lost: SequenceRange[] = [];
  let expected = first;
  for (const { sequence } of events) {
    if (sequence > expected) lost.push({ first: expected, last: sequence - 1 });
    expected = sequence + 1;
  }
  if (expected <= last) lost.push({ first: expected, last });
  return lost;
}

/** Says to the platform that the events of a range were given up. */
export function toReport(reason: string, { first, last }: SequenceRange): DroppedReport {
  return { reason, count: last - first + 1, firstSequence: first, lastSequence: last };
}
