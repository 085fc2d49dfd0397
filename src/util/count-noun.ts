let number: Intl.NumberFormat | undefined;

/** Writes a count with its noun: `1 event`, `2,000 batches`. */
export function countNoun(count: number, singular: string, plural = `${singular}s`): string {
  // The first format of a process reads the data of all locales: 6 ms that an import must not take.
  number ??= new Intl.NumberFormat("en-US");
  return `${number.format(count)} ${count === 1 ? singular : plural}`;
}
