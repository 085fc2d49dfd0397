import type { Exchange } from "./exchange.ts";
import type { CompiledGroup, CompiledPhrases } from "./compiled-phrases.ts";
import { findMatches, type PhraseMatch } from "./find-matches.ts";
import { lazyGroup } from "./lazy-group.ts";

/** Finds what one group looks for. */
export interface Finder {
  (exchange: Exchange): readonly PhraseMatch[];
  /** Returns the group itself, for code that looks for its phrases in its own way. */
  group(): CompiledGroup;
}

/** Makes a finder of a group of some phrases, for the check of a rule. */
export function createFinder(name: string, phrases: () => CompiledPhrases): Finder {
  const group = lazyGroup(name, phrases);
  return Object.assign((exchange: Exchange) => findMatches(group(), exchange), { group });
}
