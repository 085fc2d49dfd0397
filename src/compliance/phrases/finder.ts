import type { Exchange } from "../text/exchange.ts";
import { builtInPhrases } from "./built-in-phrases.ts";
import type { CompiledGroup } from "./compiled-phrases.ts";
import { findMatches, type PhraseMatch } from "./find-matches.ts";
import type { PhraseSource } from "./named-group.ts";
import type { Concepts } from "./parse-phrase.ts";
import type { PhraseGroup } from "./phrase-group.ts";
import type { Wording } from "./wording.ts";

/** Finds what one group looks for. */
export interface Finder extends PhraseSource {
  (exchange: Exchange): readonly PhraseMatch[];
}

/** Makes a finder for the `check` of a built-in rule, which the rule lists in `finders`. */
export function createFinder(
  name: string,
  group: Wording<PhraseGroup>,
  concepts?: Wording<Concepts>,
): Finder {
  let compiled: CompiledGroup | undefined;
  const find = (exchange: Exchange): readonly PhraseMatch[] =>
    findMatches((compiled ??= builtInPhrases().group(name)), exchange);
  return Object.assign(find, { listGroups: () => [{ name, group, concepts }] });
}
