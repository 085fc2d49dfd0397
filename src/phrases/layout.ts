import type { Buffers } from "./presence-buffers.ts";
import { nextSentenceMask } from "./sentence-mask.ts";
import { toSpan } from "./spans.ts";
import type { Token } from "./token.ts";

/** The sentence of what stands behind the last one. */
export const NO_SENTENCE = -1;

const NO_TOKEN: Pick<Token, "ids"> = { ids: [] };

/**
 * Writes down the sentence of each token, and its bit.
 *
 * @param starts - The first token of each sentence, and the number of all.
 */
export function layOutSentences({ sentenceOf, maskOf }: Buffers, starts: readonly number[]): void {
  let token = 0;
  let mask = 1;
  for (let sentence = 0; sentence + 1 < starts.length; sentence++) {
    const end = starts[sentence + 1] ?? 0;
    // Some have no words; each of the others has a bit.
    if (token < end) mask = nextSentenceMask(mask);
    for (; token < end; token++) {
      sentenceOf[token] = sentence;
      maskOf[token] = mask;
    }
  }
  sentenceOf[token] = NO_SENTENCE;
  maskOf[token] = 0;
}

/** Puts the words of all tokens side by side, because they are read several times, and gives their number. */
export function layOutWords(
  { termAt, spanAt, firstPlaceOf }: Buffers,
  tokens: readonly Token[],
): number {
  let count = 0;
  for (let token = 0; token < tokens.length; token++) {
    firstPlaceOf[token] = count;
    const { ids } = tokens[token] ?? NO_TOKEN;
    for (let index = 0; index < ids.length; index++) {
      termAt[count] = ids[index] ?? 0;
      spanAt[count++] = toSpan(token, token + 1);
    }
  }
  firstPlaceOf[tokens.length] = count;
  // Behind the last token stands one without words.
  firstPlaceOf[tokens.length + 1] = count;
  return count;
}
