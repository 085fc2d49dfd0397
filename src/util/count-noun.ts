const NUMBER = new Intl.NumberFormat("en-US");

/** Writes a count with its noun: `1 event`, `2,000 batches`. */
export function countNoun(count: number, singular: string, plural = `${singular}s`): string {
  return `${NUMBER.format(count)} ${count === 1 ? singular : plural}`;
}
