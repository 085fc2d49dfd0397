import type { ComplianceSeverity } from "../events/compliance.ts";
import type { RulePack } from "./define-rule.ts";
import type { Concepts } from "./phrases/parse-phrase.ts";
import type { PhraseGroup } from "./phrases/phrase-group.ts";
import type { CompiledRule } from "./compiled/compiled-pack.ts";

/** How a pack changes a built-in rule. */
export interface RuleOverride {
  /** Switches the rule off, or on. */
  readonly active?: boolean | undefined;
  /** Severity of findings whose pattern states none. */
  readonly severity?: ComplianceSeverity | undefined;
  /** Confidence from which something found is a finding, 0 to 1. */
  readonly threshold?: number | undefined;
  /** Whether every warning and violation goes to review, whatever the `risk_threshold`. */
  readonly alwaysReview?: boolean | undefined;
  /** Patterns that are switched off, by name. */
  readonly patterns?: Readonly<Record<string, { readonly active: boolean }>> | undefined;
}

/** A rule of a pack, with its phrases as they are compiled at run time. */
export interface PolicyRule {
  /** What the rule says of itself. */
  readonly facts: CompiledRule;
  /** Phrases by the name of the pattern. */
  readonly phrases: Readonly<Record<string, PhraseGroup>>;
}

/** A bank's own pack as `readRulePack` gives it: read, checked, and plain data. */
export interface PolicyPack extends RulePack {
  /** What the pack is called. */
  readonly title: string;
  /**
   * Rules beside the built-in ones.
   *
   * @internal
   */
  readonly rules: readonly PolicyRule[];
  /**
   * Words that the phrases of its rules name.
   *
   * @internal
   */
  readonly concepts: Concepts;
  /**
   * Changes of built-in rules, by id.
   *
   * @internal
   */
  readonly overrides: Readonly<Record<string, RuleOverride>>;
}
