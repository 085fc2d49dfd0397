import type {
  ComplianceResult,
  ComplianceRule,
  ComplianceViolation,
  InteractionContext,
} from "../events/compliance.ts";
import type { CompiledPhrases } from "../phrases/compiled-phrases.ts";
import { readExchange, type Exchange } from "../phrases/exchange.ts";
import { findAllMatches, type GroupSet } from "../phrases/find-matches.ts";
import type { NamedGroup } from "../phrases/named-group.ts";
import type { GroupInfo } from "../phrases/phrase-tables.ts";
import { toPatternName } from "./compiled/compiled-pack.ts";
import type { PatternOverrides } from "./policy-pack.ts";
import type {
  Finding,
  RuleDefinition,
  RuleExamples,
  RuleFacts,
  RuleLaw,
  RulePack,
} from "./rule-definition.ts";
import { compilePatterns, takePatterns, type RulePatterns } from "./rule-patterns.ts";
import { DEFAULT_THRESHOLD, toRuleResult, toViolation } from "./rule-result.ts";

/** A rule made by `defineRule`. */
export interface DefinedRule extends ComplianceRule {
  /** The pack that it is of, if it is of one; its findings name it. */
  readonly pack?: RulePack;
  /** A bank's pack that has changed it, if one has. */
  readonly changedBy?: RulePack;
  /** A bank's pack that has switched off the second look at what it finds, if one has. */
  readonly withoutSecondLook?: RulePack;
  /**
   * How a pack changes its patterns.
   *
   * @internal
   */
  readonly patternOverrides?: PatternOverrides;
  /** The law behind it. */
  readonly law: RuleLaw;
  /** What to do about a finding. */
  readonly recommendation: string;
  /** What must be known to apply it, if it says so itself. */
  readonly notes?: string;
  /** What a judge is shown of it; absent for built-in rules, whose files are read when a judge is on. */
  readonly examples?: RuleExamples;
  /** Confidence from which something found is a finding. */
  readonly threshold: number;
  /** Whether every warning and violation goes to review, whatever the `risk_threshold`. */
  readonly alwaysReview: boolean;
  /** Whether findings stay out of telemetry. */
  readonly confidential: boolean;
  /** Stable ids, `<rule>/<pattern>`. */
  readonly patternIds: readonly string[];
  /**
   * Names of the patterns that its check finds, by digits, tools and the like.
   *
   * @internal
   */
  readonly checkedPatterns: readonly string[];
  /**
   * Judges an interaction, at once.
   *
   * @param exchange - Default: what `readExchange` returns for the context.
   */
  readonly ruleFunction: (context: InteractionContext, exchange?: Exchange) => ComplianceResult;
  /**
   * Makes a violation of a finding.
   *
   * @internal
   */
  describe(finding: Finding): ComplianceViolation;
  /** Reads the phrases now and not at the first evaluation. */
  prepare(): void;
  /** Returns whether all phrases are read, and reads none. */
  isPrepared(): boolean;
  /**
   * The phrases that the build has not compiled.
   *
   * @internal
   */
  readonly addedGroups: readonly NamedGroup[];
}

const DEFAULT_CONFIDENCE = 0.8;

/** Most rules find nothing in most answers. */
const NO_FINDINGS: readonly Finding[] = [];
const nothingFound = (): ComplianceResult => ({
  isCompliant: true,
  violations: [],
  riskScore: 0,
  requiresReview: false,
});

/** Returns what the phrases find; patterns are those of the groups. */
function findByPhrases(
  patterns: readonly string[],
  set: GroupSet,
  exchange: Exchange,
): readonly Finding[] {
  const matches = findAllMatches(set, exchange);
  if (matches.length === 0) return NO_FINDINGS;
  return matches.map(({ index, match }) => {
    const info: Partial<GroupInfo> = set.groups[index]?.info ?? {};
    const { confidence = DEFAULT_CONFIDENCE, severity, description } = info;
    return {
      pattern: patterns[index] ?? "",
      confidence,
      ...match,
      ...(severity && { severity }),
      ...(description !== undefined && { description }),
    };
  });
}

function createRule(
  facts: RuleFacts,
  patterns: RulePatterns,
  checked: readonly string[] = [],
  patternOverrides?: PatternOverrides,
): DefinedRule {
  const { id, name, version, description, category, severity, law, recommendation } = facts;
  const { threshold = DEFAULT_THRESHOLD, alwaysReview = false, confidential = false } = facts;
  const { notes, examples } = facts;
  // Definitions differ in their members, and V8 looks a member of many forms up anew each time.
  const check = facts.check?.bind(facts);
  const { names, groups, getOwn, isCompiled, of: groupsFor } = patterns;
  const describe = (finding: Finding): ComplianceViolation =>
    toViolation(facts, finding, patternOverrides);
  return {
    id,
    name,
    ...(version !== undefined && { version }),
    description,
    category,
    severity,
    law,
    recommendation,
    ...(notes !== undefined && { notes }),
    ...(examples && { examples }),
    threshold,
    alwaysReview,
    ...(patternOverrides && { patternOverrides }),
    confidential,
    patternIds: [...new Set([...names, ...checked])].map((one) => toPatternName(id, one)),
    checkedPatterns: checked,
    isActive: true,
    describe,
    prepare: () => void getOwn(),
    isPrepared: isCompiled,
    addedGroups: groups,
    ruleFunction: (context, exchange = readExchange(context)) => {
      const byPhrases = findByPhrases(names, groupsFor(exchange), exchange);
      const findings = check ? [...byPhrases, ...check(context, exchange)] : byPhrases;
      if (findings.length === 0) return nothingFound();
      const review = { threshold, alwaysReview, patternOverrides };
      return toRuleResult(review, findings.map(describe));
    },
  };
}

/**
 * Makes a rule that the engine can evaluate out of phrases, and of a check for what phrases can't say.
 *
 * The phrases are read at the first evaluation, or by `prepare()`; one that can't be read throws a `PhraseError` there.
 */
export function defineRule(definition: RuleDefinition): DefinedRule {
  return createRule(definition, compilePatterns(definition), definition.patterns);
}

/** A built-in rule, whose phrases are compiled with those of others. */
export interface BuiltInDefinition extends RuleFacts {
  readonly pack: RulePack;
  /** Returns the set that its phrases are compiled in. */
  readonly phraseSet: () => CompiledPhrases;
  /** Names of the patterns that phrases find. */
  readonly patterns: readonly string[];
  /** Names of the patterns that `check` yields. */
  readonly checked: readonly string[];
  readonly patternOverrides?: PatternOverrides | undefined;
}

/** Makes a built-in rule. */
export function defineBuiltInRule(definition: BuiltInDefinition): DefinedRule {
  const { id, pack, patterns, checked, phraseSet, patternOverrides } = definition;
  const taken = takePatterns(id, patterns, phraseSet);
  return { ...createRule(definition, taken, checked, patternOverrides), pack };
}
