import type { Exchange } from "../text/exchange.ts";
import type { SourceText } from "../text/source-text.ts";
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
export interface WindowedText {
  readonly text: SourceText;
  readonly sentences: readonly SentenceFeatures[];
  /** Features that go with each window. */
  readonly context: readonly number[];
  readonly windows: readonly Window[];
}

function listWindows(text: SourceText, sentences: readonly SentenceFeatures[]): Window[] {
  const toWindow = (...parts: SentenceFeatures[]): Window => ({
    text,
    sentences: parts,
    start: parts[0]?.range.start ?? 0,
    end: parts.at(-1)?.range.end ?? 0,
    length: sentences.length,
  });
  return sentences.flatMap((sentence, index) => {
    const next = sentences[index + 1];
    return next ? [toWindow(sentence), toWindow(sentence, next)] : [toWindow(sentence)];
  });
}

/** Cuts the messages of an exchange into windows: each sentence, and each two neighbours. */
export function readWindows(
  { userMessage, agentResponse }: Exchange,
  reader: FeatureReader,
): WindowedText[] {
  return [userMessage, agentResponse].flatMap((text) => {
    if (!text) return [];
    const sentences = reader.readSentences(text);
    const context = text === agentResponse ? reader.readContext(userMessage) : [];
    return [{ text, sentences, context, windows: listWindows(text, sentences) }];
  });
}
