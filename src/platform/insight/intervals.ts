/** A share with its interval: 0 to 1 each. */
export interface Share {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Of how many cases. */
  readonly cases: number;
}

/** Quantile of the normal distribution for 95 %, two-sided. */
const Z = 1.959_963_984_540_054;

/**
 * Computes a share and its 95 % interval.
 *
 * @param hits - Cases that count; more than `cases` count as all of them.
 * @returns `null` where there is no case, of which nothing is known.
 * @see Wilson, Probable inference, the law of succession, and statistical inference (1927)
 */
export function toShare(hits: number, cases: number): Share | null {
  if (cases <= 0) return null;
  const value = Math.min(1, Math.max(0, hits / cases));
  const square = Z * Z;
  const center = value + square / (2 * cases);
  const margin = Z * Math.sqrt((value * (1 - value)) / cases + square / (4 * cases * cases));
  const scale = 1 + square / cases;
  return {
    value,
    // Rounding must not put the value outside of its own interval.
    low: Math.min(value, Math.max(0, (center - margin) / scale)),
    high: Math.max(value, Math.min(1, (center + margin) / scale)),
    cases,
  };
}
