import { formatCount } from "./format-count.ts";

/** Writes a count with its noun: `1 event`, `2,000 batches`. */
export function countNoun(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}
