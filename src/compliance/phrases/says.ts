import type { SourceText } from "../text/source-text.ts";
import type { Phrase } from "./parse-phrase.ts";
import { findPassages } from "./phrase-matches.ts";

/** Tells whether one of some phrases stands in a text, whatever guards it. */
export function says(
  text: SourceText | undefined,
  phrases: readonly Phrase[],
  within = 1,
): boolean {
  if (!text || phrases.length === 0) return false;
  const index = text.index();
  for (const phrase of phrases) if (findPassages(index, phrase, within, 1).length > 0) return true;
  return false;
}
