import type { Range } from "../text/pattern.ts";
import type { SourceText, TextSource } from "../text/source-text.ts";
import { hashOf, hashOfTwo, stemOf, toFeature, toNumberKey } from "./word-features.ts";

/** The features of a sentence that has words. */
export interface SentenceFeatures {
  /** Where it stands in the normalised text. */
  readonly range: Range;
  /** Its words, and each two of them one behind the other; each feature once. */
  readonly features: readonly number[];
}

/** Of longer messages the sentences behind are not looked at: such a message is no answer. */
const MAX_SENTENCES = 2000;

/** Of longer sentences the words behind are not looked at. */
const MAX_WORDS = 400;
const MAX_KNOWN_WORDS = 20_000;
const MAX_KNOWN_LENGTH = 32;
const SENTENCE_START = hashOf("<s>");
const SENTENCE_END = hashOf("</s>");
const CONTEXT_SEED = 0x3c_6e_f3_72;
/** Makes the features of users' messages others than those of answers: what offends there does not here. */
const SOURCE_SEEDS: Readonly<Record<TextSource, number>> = {
  agentResponse: 0,
  userMessage: 0x9e_37_79_b1,
};

/** Reads the features of messages. Words are hashed once; texts use the same few thousand again and again. */
export class FeatureReader {
  readonly #hashes = new Map<string, number>();

  /** Reads the sentences of a message that have words, in order. */
  readSentences(text: SourceText): SentenceFeatures[] {
    const seed = SOURCE_SEEDS[text.source];
    const { ranges } = text.reading();
    const sentences: SentenceFeatures[] = [];
    for (const [index, range] of ranges.entries()) {
      if (sentences.length === MAX_SENTENCES) break;
      const words = this.#readWords(text, index);
      if (words.length === 0) continue;
      const found = new Set<number>();
      let before = SENTENCE_START;
      for (const word of words) {
        found.add(toFeature(word ^ seed));
        found.add(toFeature(hashOfTwo(before, word) ^ seed));
        before = word;
      }
      found.add(toFeature(hashOfTwo(before, SENTENCE_END) ^ seed));
      sentences.push({ range, features: [...found] });
    }
    return sentences;
  }

  /** Reads the words of the message that was answered, as features of the answer. */
  readContext(text: SourceText | undefined): number[] {
    const found = new Set<number>();
    for (const index of text?.reading().ranges.keys() ?? []) {
      if (!text || index === MAX_SENTENCES) break;
      for (const word of this.#readWords(text, index)) found.add(toFeature(word ^ CONTEXT_SEED));
    }
    return [...found];
  }

  #readWords(text: SourceText, sentence: number): number[] {
    const { tokens } = text.reading();
    const { start, end: last } = text.tokensOf(sentence);
    const end = Math.min(last, start + MAX_WORDS);
    const words: number[] = [];
    for (let at = start; at < end; at++) {
      const token = tokens[at];
      if (token)
        words.push(token.value === undefined ? this.#hash(token.word) : hashOf(toNumberKey(token)));
    }
    return words;
  }

  #hash(word: string): number {
    const known = this.#hashes.get(word);
    if (known !== undefined) return known;
    const hash = hashOf(stemOf(word));
    if (word.length <= MAX_KNOWN_LENGTH) {
      if (this.#hashes.size >= MAX_KNOWN_WORDS) this.#hashes.clear();
      this.#hashes.set(word, hash);
    }
    return hash;
  }
}
