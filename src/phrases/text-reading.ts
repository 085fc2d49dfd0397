import type { CompiledPhrases } from "./compiled-phrases.ts";
import { TextIndex } from "./match.ts";
import type { TokenRange } from "./spans.ts";
import type { Token } from "./token.ts";
import { tokenise } from "./tokenise.ts";
import type { Work } from "./work.ts";
import type { Range } from "../text/pattern.ts";

/** The words of a text as one set of phrases knows them. */
export class TextReading {
  readonly phrases: CompiledPhrases;
  /** The sentences. */
  readonly ranges: readonly Range[];
  readonly tokens: readonly Token[];
  /** Whether letters were written as other signs. */
  readonly hasLeet: boolean;
  /** The first token of each sentence, and the number of all. */
  readonly #starts: readonly number[];
  readonly #work: Work;
  #index: TextIndex | undefined;

  /**
   * @param text - Normalised.
   * @param canSegment - Whether the text had letters set apart, so that words may stick together.
   * @param work - Counts what the index costs.
   */
  constructor(
    phrases: CompiledPhrases,
    text: string,
    ranges: readonly Range[],
    canSegment: boolean,
    work: Work,
  ) {
    this.phrases = phrases;
    this.ranges = ranges;
    const { tokens, starts, hasLeet } = tokenise(text, ranges, canSegment, phrases.words);
    this.tokens = tokens;
    this.hasLeet = hasLeet;
    this.#starts = starts;
    this.#work = work;
  }

  /** Where the words stand. */
  get index(): TextIndex {
    const { tokens } = this;
    const starts = this.#starts;
    return (this.#index ??= new TextIndex(this.phrases, { tokens, starts }, this.#work));
  }

  /** Releases what the index was made with; it is made again when it is needed. */
  release(): void {
    this.#index?.release();
    this.#index = undefined;
  }

  /** Returns the tokens of a sentence; none for one that is not there. */
  tokensOf(sentence: number): TokenRange {
    const start = this.#starts[sentence] ?? 0;
    return { start, end: this.#starts[sentence + 1] ?? start };
  }

  /**
   * Returns the tokens of the sentences that a range touches, and of the ones before and behind in the same paragraph:
   * between paragraphs stands a sentence without words.
   */
  tokensNear({ start, end }: TokenRange): TokenRange {
    const first = this.index.sentenceOf(start);
    const last = this.index.sentenceOf(Math.max(start, end - 1));
    return {
      start: this.#starts[first - 1] ?? 0,
      end: this.#starts[last + 2] ?? this.tokens.length,
    };
  }
}
