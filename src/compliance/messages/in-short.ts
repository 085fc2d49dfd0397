import type { SourceText } from "../../phrases/source-text.ts";

/** Sentences of a short message. */
const MAX_SHORT = 6;
/** Too little for a finding: a candidate, which the second look may confirm. */
const CANDIDATE = 0.5;

/**
 * Returns the confidence of what follows from a question and its answer together. In a long answer most sentences are about
 * something else: there the passage is a candidate.
 */
export function inShort(confidence: number, text: SourceText): number {
  return text.reading().ranges.length <= MAX_SHORT ? confidence : CANDIDATE;
}
