import type { SourceText } from "./source-text.ts";
import type { CompiledGroup, PhraseKind } from "./compiled-phrases.ts";
import { findPassages } from "./phrase-matches.ts";

/** Returns whether one of the phrases of a group stands in a text, whatever guards it. */
export function says(
  text: SourceText | undefined,
  group: CompiledGroup,
  kind: PhraseKind = "match",
): boolean {
  const phrases = group.of(kind);
  if (!text || phrases.length === 0) return false;
  const { index } = text.reading(group.phrases);
  for (const phrase of phrases) if (findPassages(index, phrase, 1, 1).length > 0) return true;
  return false;
}
