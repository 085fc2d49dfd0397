import type { Exchange } from "../../phrases/exchange.ts";
import type { SourceText } from "../../phrases/source-text.ts";
import type { FeatureReader, SentenceFeatures } from "./sentence-features.ts";

/** One sentence, or two neighbours: what is judged as a whole. */
export interface Window {
  readonly text: SourceText;
  readonly sentences: readonly SentenceFeatures[];
  /** In the normalised text. */
  readonly start: number;
  readonly end: number;
  /** Sentences of the whole message. */
  readonly length: number;
}

/** A message with its windows. */
export class WindowedText {
  readonly text: SourceText;
  readonly sentences: readonly SentenceFeatures[];
  /** Features that go with each window. */
  readonly context: readonly number[];

  constructor(
    text: SourceText,
    sentences: readonly SentenceFeatures[],
    context: readonly number[],
  ) {
    this.text = text;
    this.sentences = sentences;
    this.context = context;
  }

  /** Returns the window of a sentence and of those behind it, `count` in all. */
  windowAt(first: number, count: number): Window {
    const { text } = this;
    const sentences = this.sentences.slice(first, first + count);
    const start = sentences[0]?.range.start ?? 0;
    const end = sentences.at(-1)?.range.end ?? 0;
    return { text, sentences, start, end, length: this.sentences.length };
  }

  /** Each sentence, and each two neighbours. */
  get windows(): Window[] {
    return this.sentences.flatMap((_, index) =>
      index + 1 < this.sentences.length
        ? [this.windowAt(index, 1), this.windowAt(index, 2)]
        : [this.windowAt(index, 1)],
    );
  }
}

/** Cuts the messages of an exchange into windows: each sentence, and each two neighbours. */
export function readWindows(
  { userMessage, agentResponse }: Exchange,
  reader: FeatureReader,
): WindowedText[] {
  return [userMessage, agentResponse].flatMap((text) => {
    if (!text) return [];
    const context = text === agentResponse ? reader.readContext(userMessage) : [];
    return [new WindowedText(text, reader.readSentences(text), context)];
  });
}
