import { compileAdded } from "./compile-added.ts";
import { toPatternName } from "./compiled/compiled-pack.ts";
import type { CompiledPhrases } from "../phrases/compiled-phrases.ts";
import { toGroupSet, type GroupSet } from "../phrases/find-matches.ts";
import type { NamedGroup } from "../phrases/named-group.ts";
import type { Concepts } from "../phrases/parse-phrase.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";
import type { Wording } from "../phrases/wording.ts";
import type { Exchange } from "../phrases/exchange.ts";

/** What a rule says of its phrases. */
interface PhrasedRule {
  readonly id: string;
  readonly phrases?: Readonly<Record<string, Wording<PhraseGroup>>>;
  readonly concepts?: Wording<Concepts>;
}

/** What a rule finds by its phrases. */
export interface RulePatterns {
  /** Names of the patterns that phrases find, in the order of the groups. */
  readonly names: readonly string[];
  readonly groups: readonly NamedGroup[];
  /** Gives the groups as they are compiled for the rule alone. */
  getOwn(): GroupSet;
  isCompiled(): boolean;
  /** Gives the groups for an exchange: as a part of the set that the engine has made, if it has. */
  readonly of: (exchange: Exchange) => GroupSet;
}

/** Compiles the groups of a rule: as a set of its own, or as a part of the one that the engine has made. */
export function compilePatterns({ id, phrases = {}, concepts }: PhrasedRule): RulePatterns {
  const groups = Object.entries(phrases).map(([pattern, group]): NamedGroup => ({
    name: toPatternName(id, pattern),
    group,
    concepts,
  }));
  const names = groups.map(({ name }) => name);
  let own: GroupSet | undefined;
  let joined: GroupSet | undefined;
  const getOwn = (): GroupSet => (own ??= toGroupSet(compileAdded(groups), names));
  return {
    names: Object.keys(phrases),
    groups,
    getOwn,
    isCompiled: () => own !== undefined,
    of({ added }: Exchange): GroupSet {
      if (added === undefined || !added.has(groups)) return getOwn();
      if (joined?.phrases !== added.phrases) joined = toGroupSet(added.phrases, names);
      return joined;
    },
  };
}

/** Takes the groups of a built-in rule out of the set that they are compiled in. */
export function takePatterns(
  id: string,
  patterns: readonly string[],
  phrases: () => CompiledPhrases,
): RulePatterns {
  const names = patterns.map((pattern) => toPatternName(id, pattern));
  let own: GroupSet | undefined;
  const getOwn = (): GroupSet => (own ??= toGroupSet(phrases(), names));
  return {
    names: patterns,
    groups: [],
    getOwn,
    isCompiled: () => own !== undefined,
    of: getOwn,
  };
}
