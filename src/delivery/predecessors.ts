import type { Predecessor } from "../events/chain.ts";

/** So many writers are named at most; of more, the last ones that were added. */
export const MAX_PREDECESSORS = 100;

/** Adds writers that have ended to others; of one that is there already, the end that is further on counts. */
export function joinPredecessors(
  known: readonly Predecessor[],
  added: readonly Predecessor[],
): Predecessor[] {
  const byWriter = new Map(known.map((one) => [one.writerId, one]));
  for (const one of added) {
    const other = byWriter.get(one.writerId);
    if (!other || other.sequence < one.sequence) byWriter.set(one.writerId, one);
  }
  return [...byWriter.values()].slice(-MAX_PREDECESSORS);
}
