import { hashOf, hashOfTwo } from "../../phrases/word-hash.ts";
import type { Range } from "../../text/pattern.ts";
import type { SourceText, TextSource } from "../../phrases/source-text.ts";
import type { TextReading } from "../../phrases/text-reading.ts";
import { FeatureSet } from "./feature-set.ts";
import { hashOfToken, toFeature } from "./word-features.ts";

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
const SENTENCE_START = hashOf("<s>");
const SENTENCE_END = hashOf("</s>");
const CONTEXT_SEED = 0x3c_6e_f3_72;
const NO_FEATURES: readonly number[] = [];
/** Makes the features of users' messages others than those of answers: what offends there does not here. */
const SOURCE_SEEDS: Readonly<Record<TextSource, number>> = {
  agentResponse: 0,
  userMessage: 0x9e_37_79_b1,
};

/** Reads the features of messages. */
export class FeatureReader {
  readonly #seen = new FeatureSet();
  /** Gathered one behind the other, and cut out at the right length: lists that grow leave much behind. */
  readonly #found: number[] = [];
  #count = 0;

  /** Reads the sentences of a message that have words, in order. */
  readSentences(text: SourceText): SentenceFeatures[] {
    const seed = SOURCE_SEEDS[text.source];
    const reading = text.reading();
    const sentences: SentenceFeatures[] = [];
    let index = 0;
    for (const range of reading.ranges) {
      if (sentences.length === MAX_SENTENCES) break;
      const features = this.#readSentence(reading, index++, seed);
      if (features.length > 0) sentences.push({ range, features });
    }
    return sentences;
  }

  /** Reads the words of the message that was answered, as features of the answer. */
  readContext(text: SourceText | undefined): number[] {
    if (!text) return [];
    const reading = text.reading();
    const last = Math.min(reading.ranges.length, MAX_SENTENCES);
    this.#begin();
    for (let sentence = 0; sentence < last; sentence++) {
      const { start, end } = wordsOf(reading, sentence);
      for (let at = start; at < end; at++) {
        const token = reading.tokens[at];
        if (token) this.#add(toFeature(hashOfToken(token) ^ CONTEXT_SEED));
      }
    }
    return this.#take();
  }

  #readSentence(reading: TextReading, sentence: number, seed: number): readonly number[] {
    const { start, end } = wordsOf(reading, sentence);
    if (start === end) return NO_FEATURES;
    this.#begin();
    let before = SENTENCE_START;
    for (let at = start; at < end; at++) {
      const token = reading.tokens[at];
      if (!token) break;
      const word = hashOfToken(token);
      this.#add(toFeature(word ^ seed));
      this.#add(toFeature(hashOfTwo(before, word) ^ seed));
      before = word;
    }
    this.#add(toFeature(hashOfTwo(before, SENTENCE_END) ^ seed));
    return this.#take();
  }

  #begin(): void {
    this.#seen.clear();
    this.#count = 0;
  }

  #add(feature: number): void {
    if (this.#seen.add(feature)) this.#found[this.#count++] = feature;
  }

  #take(): number[] {
    return this.#found.slice(0, this.#count);
  }
}

/** Returns the words of a sentence that are looked at. */
function wordsOf(reading: TextReading, sentence: number): Range {
  const { start, end } = reading.tokensOf(sentence);
  return { start, end: Math.min(end, start + MAX_WORDS) };
}
