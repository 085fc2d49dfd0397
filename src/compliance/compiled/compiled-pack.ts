import type { Concepts } from "../../phrases/parse-phrase.ts";
import type { RuleFacts, RulePack } from "../rule-definition.ts";

/** What a rule says of itself; its phrases are compiled apart, by the names of its patterns and probes. */
export interface CompiledRule extends Omit<RuleFacts, "name" | "check"> {
  readonly version: string;
  readonly title: string;
  /** Ids of the check and of the exemption. */
  readonly check?: string;
  readonly exemption?: string;
  /** Names of the patterns that phrases find, and of those that the check finds. */
  readonly patterns: readonly string[];
  readonly checked: readonly string[];
  /** What the check gets: names of groups of phrases, and lists of words. */
  readonly probes: readonly string[];
  readonly words: Readonly<Record<string, readonly string[]>>;
}

/** What a pack is when its phrases are compiled apart. */
export interface CompiledPack extends RulePack {
  /** In the order of their evaluation. */
  readonly rules: readonly CompiledRule[];
  /** Words that phrases of other packs and rules may name, too. */
  readonly common: Concepts;
}

/** Returns the name under which the phrases of a pattern are compiled. */
export function toPatternName(rule: string, pattern: string): string {
  return `${rule}/${pattern}`;
}

/** Returns the name under which the phrases of a probe are compiled. */
export function toProbeName(rule: string, probe: string): string {
  return `${rule}/probes/${probe}`;
}
