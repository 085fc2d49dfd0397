import { builtInPhrases } from "../phrases/built-in-phrases.ts";
import { CompiledPhrases } from "../phrases/compiled-phrases.ts";
import type { Exchange } from "../phrases/exchange.ts";
import { toGroupSet, type GroupSet } from "../phrases/find-matches.ts";
import type { NamedGroup } from "../phrases/named-group.ts";
import { compilePhrases } from "../phrases/phrase-compiler.ts";
import { commonWords } from "./compiled/built-in.ts";
import { toPatternName } from "./compiled/compiled-pack.ts";
import type { RuleDefinition } from "./rule-definition.ts";

/** What a rule finds by its phrases. */
export interface RulePatterns {
  /** Names of the patterns that phrases find, in the order of the groups. */
  readonly names: readonly string[];
  readonly groups: readonly NamedGroup[];
  /** Returns the groups as they are compiled for the rule alone. */
  readonly getOwn: () => GroupSet;
  readonly isCompiled: () => boolean;
  /** Returns the groups for an exchange: as a part of the set that the engine has made, if it has. */
  readonly of: (exchange: Exchange) => GroupSet;
}

/**
 * Compiles phrases that are not built in; they may name the common words, and are read beside the built-in phrases.
 *
 * @throws PhraseError for a phrase that can't be read.
 */
export function compileAdded(groups: Iterable<NamedGroup>): CompiledPhrases {
  return new CompiledPhrases(compilePhrases(groups, commonWords), builtInPhrases());
}

/** Takes the groups of a rule out of the set that they are compiled in, when they are first asked for. */
export function takePatterns(
  id: string,
  names: readonly string[],
  phrases: () => CompiledPhrases,
  groups: readonly NamedGroup[] = [],
): RulePatterns {
  const ids = names.map((name) => toPatternName(id, name));
  let own: GroupSet | undefined;
  let joined: GroupSet | undefined;
  const getOwn = (): GroupSet => (own ??= toGroupSet(phrases(), ids));
  return {
    names,
    groups,
    getOwn,
    isCompiled: () => own !== undefined,
    of({ added }: Exchange): GroupSet {
      if (!added?.has(groups)) return getOwn();
      if (joined?.phrases !== added.phrases) joined = toGroupSet(added.phrases, ids);
      return joined;
    },
  };
}

/** Compiles the groups of a rule: as a set of its own, or as a part of the one that the engine has made. */
export function compilePatterns({ id, phrases = {}, concepts }: RuleDefinition): RulePatterns {
  const groups = Object.entries(phrases).map(([pattern, group]): NamedGroup => ({
    name: toPatternName(id, pattern),
    group,
    concepts,
  }));
  return takePatterns(id, Object.keys(phrases), () => compileAdded(groups), groups);
}
