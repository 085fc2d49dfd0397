const HOUR_MILLIS = 3_600_000;
const DAY_MILLIS = 24 * HOUR_MILLIS;

/** Widths of the buckets that are counted, in ms: hours, and days in UTC. */
export const WIDTHS = [HOUR_MILLIS, DAY_MILLIS] as const;
export type Width = (typeof WIDTHS)[number];

/** A period in whole buckets. */
export interface Period {
  /** Start of the first bucket, ms since the Unix epoch. */
  readonly from: number;
  /** End of the last bucket. */
  readonly to: number;
  /** ms */
  readonly width: Width;
}

/** Longest period that is shown by the hour. */
const MAX_HOURS = 48 * HOUR_MILLIS;
/** Longest period. */
export const MAX_DAYS = 400;
/** Length of a period of which only the end is known. */
const DEFAULT_DAYS = 7;

/** Returns the start of the bucket of a time. */
export function toBucket(at: number, width: Width): number {
  return Math.floor(at / width) * width;
}

/**
 * Widens a period to whole buckets: hours up to two days, else days.
 *
 * @param from - By default 7 days before `to`.
 * @returns `undefined` where it is empty or longer than `MAX_DAYS`.
 */
export function toPeriod(from: number | undefined, to: number): Period | undefined {
  const start = from ?? Math.max(0, to - DEFAULT_DAYS * DAY_MILLIS);
  if (start >= to || to - start > MAX_DAYS * DAY_MILLIS) return undefined;
  const width = to - start <= MAX_HOURS ? HOUR_MILLIS : DAY_MILLIS;
  return { from: toBucket(start, width), to: toBucket(to - 1, width) + width, width };
}

/** Lists the starts of a period's buckets. */
export function listBuckets({ from, to, width }: Period): number[] {
  return Array.from({ length: (to - from) / width }, (_, index) => from + index * width);
}
