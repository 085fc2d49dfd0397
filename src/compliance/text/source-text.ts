import { TextIndex } from "../phrases/match.ts";
import type { TokenRange } from "../phrases/spans.ts";
import type { Token } from "../phrases/token.ts";
import { tokenise, type TokenisedText } from "../phrases/tokenise.ts";
import { Work } from "../work.ts";
import { normalise, type Evasion, type NormalText } from "./normalise.ts";
import type { Range } from "./pattern.ts";
import { splitSentences } from "./sentences.ts";

/** Side of the exchange that a text comes from. */
export type TextSource = "userMessage" | "agentResponse";

/** A sentence of the normalised text, and where it stands there. */
export interface Sentence extends Range {
  /** The normalised text. */
  readonly text: string;
  /** @internal */
  readonly tokens: readonly Token[];
}

/** A text cut into sentences and words. */
interface ReadText extends TokenisedText {
  readonly ranges: readonly Range[];
}

/** A sentence whose text and tokens are cut out when they are asked for, which is hardly ever. */
class ReadSentence implements Sentence {
  readonly start: number;
  readonly end: number;
  readonly #whole: string;
  readonly #work: Work;
  readonly #read: TokenisedText;
  readonly #index: number;
  #tokens: readonly Token[] | undefined;

  constructor(
    { start, end }: Range,
    whole: string,
    read: TokenisedText,
    index: number,
    work: Work,
  ) {
    this.start = start;
    this.end = end;
    this.#whole = whole;
    this.#work = work;
    this.#read = read;
    this.#index = index;
  }

  get text(): string {
    this.#work.spend(1);
    return this.#whole.slice(this.start, this.end);
  }

  get tokens(): readonly Token[] {
    const { tokens, starts } = this.#read;
    // A rule may ask for them at each of them.
    this.#tokens ??= tokens.slice(starts[this.#index], starts[this.#index + 1]);
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
  #read: ReadText | undefined;
  #sentences: readonly Sentence[] | undefined;
  #index: TextIndex | undefined;

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
    return this.#readOnce().hasLeet ? [...evasions, "leet"] : evasions;
  }

  /** The sentences, in order. */
  sentences(): readonly Sentence[] {
    this.#sentences ??= this.#cutSentences();
    this.work.spend(1);
    return this.#sentences;
  }

  /**
   * The words and numbers, in order.
   *
   * @internal
   */
  tokens(): readonly Token[] {
    return this.#readOnce().tokens;
  }

  /**
   * Where the words stand.
   *
   * @internal
   */
  index(): TextIndex {
    if (this.#index?.isStale === true) this.#read = this.#sentences = undefined;
    else if (this.#index) return this.#index;
    const { tokens, starts } = this.#readOnce();
    this.#index = new TextIndex(tokens, starts, this.work);
    return this.#index;
  }

  /**
   * Gives back what the index was made with; it is made again when it is needed.
   *
   * @internal
   */
  release(): void {
    this.#index?.release();
  }

  /**
   * Gives the tokens of a sentence; none for one that is not there.
   *
   * @internal
   */
  tokensOf(sentence: number): TokenRange {
    const { starts } = this.#readOnce();
    const start = starts[sentence] ?? 0;
    return { start, end: starts[sentence + 1] ?? start };
  }

  /**
   * Gives the tokens of the sentences that a range touches, and of the ones before and behind in the same paragraph:
   * between paragraphs stands a sentence without words.
   *
   * @internal
   */
  tokensNear({ start, end }: TokenRange): TokenRange {
    const { starts, tokens } = this.#readOnce();
    const index = this.index();
    const first = index.sentenceOf(start);
    const last = index.sentenceOf(Math.max(start, end - 1));
    return { start: starts[first - 1] ?? 0, end: starts[last + 2] ?? tokens.length };
  }

  #readOnce(): ReadText {
    if (!this.#read) {
      this.#read = readText(this.normal);
      this.work.spend(this.original.length + this.#read.tokens.length);
    }
    return this.#read;
  }

  #cutSentences(): readonly Sentence[] {
    const read = this.#readOnce();
    const { folded, work } = this;
    return read.ranges.map((range, index) => new ReadSentence(range, folded, read, index, work));
  }
}

function readText({ text, evasions }: NormalText): ReadText {
  const ranges = splitSentences(text);
  const { tokens, starts, hasLeet } = tokenise(text, ranges, evasions.includes("spaced-letters"));
  return { ranges, tokens, starts, hasLeet };
}
