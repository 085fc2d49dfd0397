import type { ImpactLevel } from "../../events/base-event.ts";
import type { ComplianceCategory, ComplianceSeverity } from "../../events/compliance.ts";
import type { RuleLaw } from "../define-rule.ts";
import type { Concepts } from "../../phrases/parse-phrase.ts";

/** What a rule says of itself; its phrases are compiled apart, by the names of its patterns and probes. */
export interface CompiledRule {
  readonly id: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  readonly explanation: string;
  readonly category: ComplianceCategory;
  readonly severity: ComplianceSeverity;
  readonly threshold?: number;
  readonly alwaysReview?: boolean;
  readonly confidential?: boolean;
  readonly law: RuleLaw;
  readonly recommendation: string;
  readonly impact: { readonly customer: ImpactLevel; readonly business: ImpactLevel };
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
export interface CompiledPack {
  readonly id: string;
  readonly version: string;
  /** SHA-256 of its files, in hex. */
  readonly sha256: string;
  /** In the order of their evaluation. */
  readonly rules: readonly CompiledRule[];
  /** Words that phrases of other packs and rules may name, too. */
  readonly common: Concepts;
}

/** Gives the name under which the phrases of a pattern are compiled. */
export function toPatternName(rule: string, pattern: string): string {
  return `${rule}/${pattern}`;
}

/** Gives the name under which the phrases of a probe are compiled. */
export function toProbeName(rule: string, probe: string): string {
  return `${rule}/probes/${probe}`;
}
