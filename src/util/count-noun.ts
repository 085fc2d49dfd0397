const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/**
 * Writes a count with its thousands apart, as `toLocaleString("en-US")` does.
 *
 * By hand: the first use of `Intl` reads the data of all locales, for which a browser keeps a page waiting for tens of
 * milliseconds.
 */
export function formatCount(count: number): string {
  return Number.isSafeInteger(count)
    ? String(count).replace(THOUSANDS, ",")
    : count.toLocaleString("en-US");
}

/** Writes a count with its noun: `1 event`, `2,000 batches`. */
export function countNoun(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}
