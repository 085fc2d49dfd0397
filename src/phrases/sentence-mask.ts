/** The sentences of a text as bits; beyond the 32nd they are counted from the first again. */
export type SentenceMask = number;

/** Every sentence of a text. */
export const ALL_SENTENCES: SentenceMask = -1;

/** Number of sentences that have a bit of their own. */
export const MASK_SENTENCES = 32;

/** Returns the bit of the sentence behind one. */
export function nextSentenceMask(mask: SentenceMask): SentenceMask {
  return (mask << 1) | (mask >>> 31);
}

/**
 * Adds the neighbours of sentences.
 *
 * @param within - Neighbouring sentences over which a passage may spread.
 */
export function spread(mask: SentenceMask, within: number): SentenceMask {
  let spreadMask = mask;
  for (let reach = 1; reach < within; reach++) {
    spreadMask |= (spreadMask << 1) | (spreadMask >>> 31) | (spreadMask >>> 1) | (spreadMask << 31);
  }
  return spreadMask;
}
