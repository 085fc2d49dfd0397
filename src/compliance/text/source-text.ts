import { TextIndex } from "../phrases/match.ts";
import type { TokenRange } from "../phrases/spans.ts";
import type { Token } from "../phrases/token.ts";
import { tokenise, type TokenisedText } from "../phrases/tokenise.ts";
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
  readonly #read: TokenisedText;
  readonly #index: number;
  #tokens: readonly Token[] | undefined;

  constructor({ start, end }: Range, whole: string, read: TokenisedText, index: number) {
    this.start = start;
    this.end = end;
    this.#whole = whole;
    this.#read = read;
    this.#index = index;
  }

  get text(): string {
    return this.#whole.slice(this.start, this.end);
  }

  get tokens(): readonly Token[] {
    const { tokens, starts } = this.#read;
    // A rule may ask for them at each of them.
    return (this.#tokens ??= tokens.slice(starts[this.#index], starts[this.#index + 1]));
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
  #normal: NormalText | undefined;
  #read: ReadText | undefined;
  #sentences: readonly Sentence[] | undefined;
  #index: TextIndex | undefined;

  constructor(source: TextSource, original: string) {
    this.source = source;
    this.original = original;
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
    return (this.#sentences ??= this.#cutSentences());
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
    this.#index = new TextIndex(tokens, starts);
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
    return (this.#read ??= readText(this.normal));
  }

  #cutSentences(): readonly Sentence[] {
    const read = this.#readOnce();
    return read.ranges.map((range, index) => new ReadSentence(range, this.folded, read, index));
  }
}

function readText({ text, evasions }: NormalText): ReadText {
  const ranges = splitSentences(text);
  const { tokens, starts, hasLeet } = tokenise(text, ranges, evasions.includes("spaced-letters"));
  return { ranges, tokens, starts, hasLeet };
}
