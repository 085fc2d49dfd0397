import { builtInPhrases } from "../phrases/built-in-phrases.ts";
import { CompiledPhrases } from "../phrases/compiled-phrases.ts";
import type { NamedGroup } from "../phrases/named-group.ts";
import { compilePhrases } from "../phrases/phrase-compiler.ts";
import { commonWords } from "./compiled/built-in.ts";

/**
 * Compiles phrases that are not built in; they may name the common words, and are read beside the built-in phrases.
 *
 * @throws PhraseError for a phrase that can't be read.
 */
export function compileAdded(groups: Iterable<NamedGroup>): CompiledPhrases {
  return new CompiledPhrases(compilePhrases(groups, commonWords), builtInPhrases());
}
