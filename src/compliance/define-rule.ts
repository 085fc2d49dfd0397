import type { ImpactLevel } from "../events/base-event.ts";
import type {
  ComplianceCategory,
  ComplianceResult,
  ComplianceRule,
  ComplianceSeverity,
  ComplianceViolation,
  InteractionContext,
} from "../events/compliance.ts";
import { toPatternName } from "./compiled/compiled-pack.ts";
import type { CompiledPhrases } from "../phrases/compiled-phrases.ts";
import type { Concepts } from "../phrases/parse-phrase.ts";
import { findAllMatches, type GroupSet } from "../phrases/find-matches.ts";
import type { NamedGroup } from "../phrases/named-group.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";
import type { GroupInfo } from "../phrases/phrase-tables.ts";
import type { PatternOverrides } from "./pattern-overrides.ts";
import { compilePatterns, takePatterns, type RulePatterns } from "./rule-patterns.ts";
import { DEFAULT_THRESHOLD, toRuleResult, withEvasions } from "./rule-result.ts";
import { readExchange, type Exchange } from "../phrases/exchange.ts";
import type { SourceText, TextSource } from "../phrases/source-text.ts";
import { toExcerpt } from "../identifiers/mask.ts";
import type { Range } from "../text/pattern.ts";

/** The law behind a rule, as it stood when it was read. */
export interface RuleLaw {
  /** Acts, rules and guidance, in the form in which they are cited. */
  readonly citation: string;
  /** Date of reading, `YYYY-MM-DD`. */
  readonly asOf: string;
  /** Whether it binds. */
  readonly status: "in force" | "proposed" | "guidance";
  /** What a reader of the citation must know beside it. */
  readonly note?: string;
}

/** Where a finding stands in a message, in UTF-16 units. */
export interface FindingSpan extends Range {
  readonly source: TextSource;
}

/** What a rule's `check` found. */
export interface Finding {
  /** One of the rule's `patterns`. */
  readonly pattern: string;
  /** Explains the finding in one sentence. @defaultValue the rule's explanation */
  readonly description?: string;
  /** How likely it is right, 0 to 1. Below the rule's threshold it is a candidate. */
  readonly confidence: number;
  /**
   * Weight of the finding.
   *
   * @defaultValue the rule's severity
   */
  readonly severity?: ComplianceSeverity;
  /** The message that it was found in, if it was in one, and where in its normalised text. */
  readonly text?: SourceText;
  /** Where in the normalised text, in UTF-16 units. */
  readonly range?: Range;
  /** What was found outside the messages, `transactionContext.amount=9600`; no personal data. */
  readonly evidence?: string;
  /** Members of the context that contributed, `customerProfile.riskRating=high`. */
  readonly riskFactors?: readonly string[];
}

/** A rule as its author writes it. */
export interface RuleDefinition {
  /** `<category>-<subject>` in kebab case. */
  readonly id: string;
  /** Short name for lists. */
  readonly name: string;
  /** Version of the rule, which its findings name. */
  readonly version?: string;
  /** What the rule flags. */
  readonly description: string;
  /** What a finding says, in one sentence, unless its pattern has a description of its own. */
  readonly explanation: string;
  /** Area of law. */
  readonly category: ComplianceCategory;
  /** Severity of a finding that states none. */
  readonly severity: ComplianceSeverity;
  /** The law behind it. */
  readonly law: RuleLaw;
  /** What to do about a finding. */
  readonly recommendation: string;
  /** What a finding means for the customer and for the bank. */
  readonly impact: { readonly customer: ImpactLevel; readonly business: ImpactLevel };
  /**
   * Confidence from which something found is a finding, 0 to 1. What lies below is a candidate: it is on no event, has no
   * part in the score and demands no review, and is only given to whoever asks for candidates.
   *
   * @defaultValue 0.6
   */
  readonly threshold?: number;
  /** Sends every warning and violation of this rule to review, whatever the `risk_threshold`. @defaultValue false */
  readonly alwaysReview?: boolean;
  /** Keeps its findings out of telemetry, because they would reveal a SAR. @defaultValue false */
  readonly confidential?: boolean;
  /**
   * Groups of words that the phrases name, beside the common ones; or a function that gives them when the first phrase
   * is read. Rules that share the object, or the function, share what is read.
   */
  readonly concepts?: Concepts | (() => Concepts);
  /**
   * What to look for in the messages, by the name of the pattern; names are stable over releases. A group may be a method
   * that gives it: a rule with much wording then costs nothing at start.
   */
  readonly phrases?: Readonly<Record<string, PhraseGroup | (() => PhraseGroup)>>;
  /** Names of the patterns that `check` yields. */
  readonly patterns?: readonly string[];
  /** Reads what phrases can't: tools, transactions, earlier turns. Must be pure and must not throw. */
  check?(context: InteractionContext): Iterable<Finding>;
}

/** The pack that a rule is of, as it is when the rule finds something. */
export interface RulePack {
  /** Name of the pack. */
  readonly id: string;
  /** Version of the pack. */
  readonly version: string;
  /** SHA-256 of its files, in hex. */
  readonly sha256: string;
}

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
  /** Confidence from which something found is a finding. */
  readonly threshold: number;
  /** Whether every warning and violation goes to review, whatever the `risk_threshold`. */
  readonly alwaysReview: boolean;
  /** Whether findings stay out of telemetry. */
  readonly confidential: boolean;
  /** Stable ids, `<rule>/<pattern>`. */
  readonly patternIds: readonly string[];
  /** Judges an interaction, at once. */
  readonly ruleFunction: (context: InteractionContext) => ComplianceResult;
  /**
   * Makes a violation of a finding.
   *
   * @internal
   */
  describe(finding: Finding): ComplianceViolation;
  /** Reads the phrases now and not at the first evaluation. */
  prepare(): void;
  /** Tells whether all phrases are read, and reads none. */
  isPrepared(): boolean;
  /**
   * The phrases that the build has not compiled.
   *
   * @internal
   */
  readonly addedGroups: readonly NamedGroup[];
}

const DEFAULT_CONFIDENCE = 0.8;

type RuleFacts = Omit<RuleDefinition, "phrases" | "concepts" | "patterns">;

function toRegulatoryImpact({ citation, status, asOf, note }: RuleLaw): string {
  return `${citation} (${status}, as of ${asOf})${note === undefined ? "" : `. ${note}`}`;
}

function toConfidence({ confidence, text }: Finding): number {
  return text && text.evasions.length > 0
    ? Math.round(withEvasions(confidence, text) * 100) / 100
    : confidence;
}

function toTextEvidence({ text, range, evidence }: Finding): Record<string, unknown> {
  if (!text || !range) return evidence === undefined ? {} : { detectedContent: evidence };
  const original = text.normal.toOriginal(range);
  const span: FindingSpan = { source: text.source, ...original };
  return {
    detectedContent: toExcerpt(text.normal, original),
    spans: [span],
    ...(text.evasions.length > 0 && { normalisations: [...text.evasions] }),
  };
}

function toViolation(
  rule: RuleFacts,
  finding: Finding,
  overrides?: PatternOverrides,
): ComplianceViolation {
  const pattern = toPatternName(rule.id, finding.pattern);
  return {
    rule: rule.id,
    severity: overrides?.get(pattern)?.severity ?? finding.severity ?? rule.severity,
    description: finding.description ?? rule.explanation,
    recommendation: rule.recommendation,
    confidence: toConfidence(finding),
    context: {
      ...toTextEvidence(finding),
      detectedPattern: pattern,
      riskFactors: [...(finding.riskFactors ?? [])],
      regulatoryImpact: toRegulatoryImpact(rule.law),
      customerImpact: rule.impact.customer,
      businessImpact: rule.impact.business,
      ...(rule.confidential === true && { confidential: true }),
    },
  };
}

const NO_FINDINGS: readonly Finding[] = [];

/** Most rules find nothing in most answers. */
const nothingFound = (): ComplianceResult => ({
  isCompliant: true,
  violations: [],
  riskScore: 0,
  requiresReview: false,
});

/** Gives what the phrases find; patterns are those of the groups. */
function findByPhrases(
  patterns: readonly string[],
  set: GroupSet,
  exchange: Exchange,
): readonly Finding[] {
  const matches = findAllMatches(set, exchange);
  if (matches.length === 0) return NO_FINDINGS;
  const found: Finding[] = [];
  for (const { index, match } of matches) {
    const {
      confidence = DEFAULT_CONFIDENCE,
      severity,
      description,
    }: Partial<GroupInfo> = set.groups[index]?.info ?? {};
    found.push({
      pattern: patterns[index] ?? "",
      confidence,
      ...match,
      ...(severity && { severity }),
      ...(description !== undefined && { description }),
    });
  }
  return found;
}

function createRule(
  definition: RuleFacts,
  patterns: RulePatterns,
  checked: readonly string[] = [],
  patternOverrides?: PatternOverrides,
): DefinedRule {
  const { id, name, version, description, category, severity, law, recommendation } = definition;
  const { threshold = DEFAULT_THRESHOLD, alwaysReview = false } = definition;
  // Definitions differ in their members, and V8 looks a member of many forms up anew each time.
  const check = definition.check?.bind(definition);
  const { names, of: groupsFor } = patterns;
  return {
    id,
    name,
    ...(version !== undefined && { version }),
    description,
    category,
    severity,
    law,
    recommendation,
    threshold,
    alwaysReview,
    ...(patternOverrides && { patternOverrides }),
    confidential: definition.confidential ?? false,
    patternIds: [...new Set([...patterns.names, ...checked])].map((one) => toPatternName(id, one)),
    isActive: true,
    describe: (finding) => toViolation(definition, finding, patternOverrides),
    prepare: () => void patterns.getOwn(),
    isPrepared: () => patterns.isCompiled(),
    addedGroups: patterns.groups,
    ruleFunction: (context) => {
      const exchange = readExchange(context);
      const byPhrases = findByPhrases(names, groupsFor(exchange), exchange);
      let all: Finding[] | undefined;
      if (check) for (const found of check(context)) (all ??= [...byPhrases]).push(found);
      const findings = all ?? byPhrases;
      if (findings.length === 0) return nothingFound();
      return toRuleResult(
        { threshold, alwaysReview, patternOverrides },
        findings.map((finding) => toViolation(definition, finding, patternOverrides)),
      );
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
  /** Gives the set that its phrases are compiled in. */
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

/** Tells whether a rule was made by `defineRule`, so that its score derives from its findings. */
export function isDefinedRule(rule: ComplianceRule): rule is DefinedRule {
  return "law" in rule && "patternIds" in rule;
}
