import type { Share } from "../score.ts";

/** What a reviewer meets when a share of all answers is wrong. */
export interface PrecisionAt {
  readonly baseRate: number;
  /** Share of the alarms that are right; `null` when nothing was measured, or there would be no alarm. */
  readonly precision: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Alarms among 1,000 answers, right and wrong ones. */
  readonly alarmsPer1000: number | null;
  readonly rightPer1000: number | null;
}

/** Shares of wrong answers that precision is told at. */
export const BASE_RATES: readonly number[] = [0.05, 0.02, 0.01, 0.005, 0.001];

const round = (value: number): number => Math.round(value * 10_000) / 10_000;

interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Computes the interval of a ratio of two independent shares from theirs, by the method of variance estimates recovery.
 *
 * @see Donner and Zou, "Closed-form confidence intervals for functions of the normal mean and standard deviation" (2012)
 */
function divide(above: Interval, below: Interval): Interval {
  const product = above.value * below.value;
  const bound = (a: number, b: number, sign: 1 | -1): number => {
    const divisor = b * (2 * below.value - b);
    // The limit of a small share may lie so far off that the ratio has no bound on this side.
    if (divisor <= 0) return sign < 0 ? 0 : Number.POSITIVE_INFINITY;
    const spread = product ** 2 - a * (2 * above.value - a) * divisor;
    return (product + sign * Math.sqrt(Math.max(0, spread))) / divisor;
  };
  return {
    value: above.value / below.value,
    low: Math.max(0, bound(above.low, below.high, -1)),
    high: bound(above.high, below.low, 1),
  };
}

const isMeasured = (share: Share): share is Share & Interval => share.value !== null;

/** Computes how many alarms would be right if that share of all answers were wrong. */
export function precisionAt(baseRate: number, recall: Share, alarms: Share): PrecisionAt {
  const nothing = {
    baseRate,
    precision: null,
    low: null,
    high: null,
    alarmsPer1000: null,
    rightPer1000: null,
  };
  if (!isMeasured(recall) || !isMeasured(alarms)) return nothing;
  const right = baseRate * recall.value;
  const all = right + (1 - baseRate) * alarms.value;
  const counts = {
    alarmsPer1000: round(all * 1000),
    rightPer1000: round(right * 1000),
  };
  if (recall.value === 0) return { ...nothing, ...counts, precision: all === 0 ? null : 0 };
  const ratio = divide(alarms, recall);
  const odds = (1 - baseRate) / baseRate;
  const toPrecision = (value: number): number => round(1 / (1 + value * odds));
  return {
    baseRate,
    precision: toPrecision(ratio.value),
    low: toPrecision(ratio.high),
    high: toPrecision(ratio.low),
    ...counts,
  };
}
