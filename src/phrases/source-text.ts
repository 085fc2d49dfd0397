import { builtInPhrases } from "./built-in-phrases.ts";
import type { CompiledPhrases } from "./compiled-phrases.ts";
import type { TextIndex } from "./match.ts";
import type { TokenRange } from "./spans.ts";
import type { Token } from "./token.ts";
import { Work } from "./work.ts";
import { normalise, type Evasion, type NormalText } from "../text/normalise.ts";
import type { Range } from "../text/pattern.ts";
import { splitSentences } from "../text/sentences.ts";
import { TextReading } from "./text-reading.ts";

/** Side of the exchange that a text comes from. */
export type TextSource = "userMessage" | "agentResponse";

/** A sentence of the normalised text, and where it stands there. */
export interface Sentence extends Range {
  /** The normalised text. */
  readonly text: string;
  /** @internal */
  readonly tokens: readonly Token[];
}

/** A sentence whose text and tokens are cut out when they are asked for, which is hardly ever. */
class ReadSentence implements Sentence {
  readonly start: number;
  readonly end: number;
  readonly #whole: string;
  readonly #work: Work;
  readonly #reading: TextReading;
  readonly #index: number;
  #tokens: readonly Token[] | undefined;

  constructor(
    { start, end }: Range,
    whole: string,
    reading: TextReading,
    index: number,
    work: Work,
  ) {
    this.start = start;
    this.end = end;
    this.#whole = whole;
    this.#work = work;
    this.#reading = reading;
    this.#index = index;
  }

  get text(): string {
    this.#work.spend(1);
    return this.#whole.slice(this.start, this.end);
  }

  get tokens(): readonly Token[] {
    const { start, end } = this.#reading.tokensOf(this.#index);
    // A rule may ask for them at each of them.
    this.#tokens ??= this.#reading.tokens.slice(start, end);
    this.#work.spend(1 + this.#tokens.length);
    return this.#tokens;
  }
}

/** One side of an exchange, prepared for the rules; every part is made on first use. */
export class SourceText {
  /** Side of the exchange. */
  readonly source: TextSource;
  /** The text as it was given. */
  readonly original: string;
  /**
   * Which guards stand before which sentence, as far as it was asked.
   *
   * @internal
   */
  readonly guarded = new Map<string, boolean>();
  /**
   * Counts what reading it costs.
   *
   * @internal
   */
  readonly work: Work;
  #normal: NormalText | undefined;
  #ranges: readonly Range[] | undefined;
  /** One for each set of phrases; there are one or two. */
  #readings: readonly TextReading[] = [];
  #sentences: readonly Sentence[] | undefined;

  constructor(source: TextSource, original: string);
  /** @internal */
  constructor(source: TextSource, original: string, work: Work);
  constructor(source: TextSource, original: string, work = new Work()) {
    this.source = source;
    this.original = original;
    this.work = work;
  }

  /** The text as the rules read it. */
  get normal(): NormalText {
    return (this.#normal ??= normalise(this.original));
  }

  /** The normalised text: what ranges of findings refer to. */
  get folded(): string {
    return this.normal.text;
  }

  /** What was undone to read the text. */
  get evasions(): readonly Evasion[] {
    const { evasions } = this.normal;
    const hasLeet = this.reading().hasLeet || this.#readings.some((reading) => reading.hasLeet);
    return hasLeet ? [...evasions, "leet"] : evasions;
  }

  /** The sentences, in order. */
  sentences(): readonly Sentence[] {
    this.#sentences ??= this.#cutSentences();
    this.work.spend(1);
    return this.#sentences;
  }

  /**
   * Reads the words as a set of phrases knows them, once.
   *
   * @internal
   */
  reading(phrases: CompiledPhrases = builtInPhrases()): TextReading {
    for (const reading of this.#readings) if (reading.phrases === phrases) return reading;
    const { text, evasions } = this.normal;
    this.#ranges ??= splitSentences(text);
    const canSegment = evasions.includes("spaced-letters");
    const reading = new TextReading(phrases, text, this.#ranges, canSegment, this.work);
    this.#readings = [...this.#readings, reading];
    this.work.spend(this.original.length + reading.tokens.length);
    return reading;
  }

  /**
   * The words and numbers, in order.
   *
   * @internal
   */
  tokens(): readonly Token[] {
    return this.reading().tokens;
  }

  /**
   * Where the words of a set of phrases stand. Default: the built-in phrases.
   *
   * @internal
   */
  index(phrases?: CompiledPhrases): TextIndex {
    return this.reading(phrases).index;
  }

  /**
   * Releases what the indexes were made with; they are made again when they are needed.
   *
   * @internal
   */
  release(): void {
    for (const reading of this.#readings) reading.release();
  }

  /**
   * Returns the places of the tokens of a sentence, as a set of phrases reads them; none for one that is not there.
   *
   * @internal
   */
  tokensOf(sentence: number, phrases?: CompiledPhrases): TokenRange {
    return this.reading(phrases).tokensOf(sentence);
  }

  /**
   * Returns the tokens of a sentence as a set of phrases reads them.
   *
   * @internal
   */
  tokensIn(sentence: number, phrases: CompiledPhrases): readonly Token[] {
    if (phrases === builtInPhrases()) return this.sentences()[sentence]?.tokens ?? [];
    const { tokens } = this.reading(phrases);
    const { start, end } = this.tokensOf(sentence, phrases);
    this.work.spend(1 + end - start);
    return tokens.slice(start, end);
  }

  #cutSentences(): readonly Sentence[] {
    const reading = this.reading();
    const { folded, work } = this;
    return reading.ranges.map(
      (range, index) => new ReadSentence(range, folded, reading, index, work),
    );
  }
}
