import type { ComplianceSeverity } from "../events/compliance.ts";
import type { Concepts } from "../phrases/parse-phrase.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";
import type { CompiledRule } from "./compiled/compiled-pack.ts";
import type { RulePack } from "./rule-definition.ts";

/** How a pack changes a list of words or phrases of the built-in rules: in one of three ways. */
export interface ListChange {
  /** `false` leaves nothing of it. */
  readonly active?: boolean | undefined;
  /** Lines that stand in its place. */
  readonly replace?: readonly string[] | undefined;
  /** Lines beside those that it has. */
  readonly add?: readonly string[] | undefined;
  /** Lines of it that are left out. */
  readonly remove?: readonly string[] | undefined;
}

/** Changes of lists, by name. */
export interface ListOverrides {
  /** Of words, which phrases name as `{name}`. */
  readonly words?: Readonly<Record<string, ListChange>> | undefined;
  /** Of phrases, which others name as `@name`. */
  readonly phrases?: Readonly<Record<string, ListChange>> | undefined;
}

/** Switches the second look off, or on. */
export interface SecondLookOverride {
  readonly active: boolean;
}

/** How a bank's pack changes a pattern of a built-in rule. */
export interface PatternOverride {
  /** Switches the pattern off, or on. */
  readonly active?: boolean | undefined;
  /** Severity of what it finds. */
  readonly severity?: ComplianceSeverity | undefined;
  /** Confidence from which what it finds is a finding, 0 to 1. */
  readonly threshold?: number | undefined;
}

/** Changes of patterns, by `<rule>/<pattern>`. */
export type PatternOverrides = ReadonlyMap<string, PatternOverride>;

/** How a pack changes a built-in rule; `words` and `phrases` are the rule's own lists. */
export interface RuleOverride extends ListOverrides {
  /** Switches the rule off, or on. */
  readonly active?: boolean | undefined;
  /** Severity of findings whose pattern states none. */
  readonly severity?: ComplianceSeverity | undefined;
  /** Confidence from which something found is a finding, 0 to 1. */
  readonly threshold?: number | undefined;
  /** Whether every warning and violation goes to review, whatever the `risk_threshold`. */
  readonly alwaysReview?: boolean | undefined;
  /** Changes of patterns by name; `learned` is what the second look finds by itself. */
  readonly patterns?: Readonly<Record<string, PatternOverride>> | undefined;
  /** Whether what the rule finds is looked at again, if the pack says so. */
  readonly secondLook?: SecondLookOverride | undefined;
}

/** Built-in rules some of whose lists a pack has changed; their phrases are compiled at run time, as one set. */
export interface RewrittenRules {
  readonly rules: readonly CompiledRule[];
  /** Phrases of their patterns and probes, by the names under which these are compiled. */
  readonly groups: Readonly<Record<string, PhraseGroup>>;
  /** Words that the phrases name. */
  readonly concepts: Concepts;
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
  /**
   * Changes of the lists that built-in rules share.
   *
   * @internal
   */
  readonly listOverrides: ListOverrides;
  /**
   * Whether what the built-in rules find is looked at again, if the pack says so.
   *
   * @internal
   */
  readonly secondLook?: SecondLookOverride | undefined;
  /**
   * The built-in rules whose lists are others then.
   *
   * @internal
   */
  readonly rewritten: RewrittenRules;
}
