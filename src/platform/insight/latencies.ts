/** Upper bound of the first class in ms; each further one is half as large again. */
const FIRST_BOUND = 32;
const FACTOR = 1.5;
/** Classes of a latency: up to 32 ms, 48 ms, 72 ms ... 4 minutes, and beyond. */
export const LATENCY_CLASSES = 24;

const BOUNDS = Array.from(
  { length: LATENCY_CLASSES - 1 },
  (_, index) => FIRST_BOUND * FACTOR ** index,
);

/** Returns the class of a latency in ms. */
export function toLatencyClass(millis: number): number {
  const index = BOUNDS.findIndex((bound) => millis <= bound);
  return index === -1 ? LATENCY_CLASSES - 1 : index;
}

/**
 * Reads a quantile out of the counts of the classes, at most half a class beside the true one.
 *
 * @param share - 0.5 for the median.
 * @returns ms; `null` where nothing was counted.
 */
export function readQuantile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total <= 0) return null;
  let left = share * total;
  for (const [index, count] of counts.entries()) {
    if (count >= left && count > 0) {
      const upper = FIRST_BOUND * FACTOR ** Math.min(index, BOUNDS.length - 1);
      if (index === 0) return (upper * left) / count;
      // Beyond the last bound nothing is known but that.
      if (index > BOUNDS.length - 1) return upper;
      return (upper / FACTOR) * FACTOR ** (left / count);
    }
    left -= count;
  }
  return BOUNDS.at(-1) ?? null;
}
