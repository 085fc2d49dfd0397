import type { ImpactLevel } from "../events/base-event.ts";
import type {
  ComplianceCategory,
  ComplianceResult,
  ComplianceRule,
  ComplianceSeverity,
  ComplianceViolation,
  InteractionContext,
} from "../events/compliance.ts";
import { demandsReview, riskScoreOf } from "./scoring.ts";
import type { SourceText, TextSource } from "./text/exchange.ts";
import { toExcerpt } from "./text/mask.ts";
import type { Range } from "./text/pattern.ts";

/** The law behind a rule, as it stood when it was read. */
export interface RuleLaw {
  readonly citation: string;
  /** Date of reading, `YYYY-MM-DD`. */
  readonly asOf: string;
  readonly status: "in force" | "proposed" | "guidance";
}

/** Where a finding stands in a message, in UTF-16 units. */
export interface FindingSpan extends Range {
  readonly source: TextSource;
}

/** What a rule's `check` found. */
export interface Finding {
  /** One of the rule's `patterns`. */
  readonly pattern: string;
  readonly description: string;
  readonly confidence: number;
  /** @default the rule's severity */
  readonly severity?: ComplianceSeverity;
  readonly text: SourceText;
  readonly range: Range;
  /** Members of the context that contributed, `customerProfile.riskRating=high`. */
  readonly riskFactors?: readonly string[];
}

/** A rule as its author writes it. */
export interface RuleDefinition {
  /** `<category>-<subject>` in kebab case. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly category: ComplianceCategory;
  /** Severity of a finding that states none. */
  readonly severity: ComplianceSeverity;
  readonly law: RuleLaw;
  readonly recommendation: string;
  readonly impact: { readonly customer: ImpactLevel; readonly business: ImpactLevel };
  /** Sends every warning and violation of this rule to review. @default false */
  readonly alwaysReview?: boolean;
  /** Names of the patterns, stable over releases. */
  readonly patterns: readonly string[];
  /** Reads an interaction; must be pure and must not throw. */
  check(context: InteractionContext): Iterable<Finding>;
}

/** A rule made by `defineRule`. */
export interface DefinedRule extends ComplianceRule {
  readonly law: RuleLaw;
  readonly recommendation: string;
  readonly alwaysReview: boolean;
  /** Stable ids, `<rule>/<pattern>`. */
  readonly patternIds: readonly string[];
}

function toViolation(rule: RuleDefinition, finding: Finding): ComplianceViolation {
  const { text, range } = finding;
  const span: FindingSpan = { source: text.source, start: range.start, end: range.end };
  return {
    rule: rule.id,
    severity: finding.severity ?? rule.severity,
    description: finding.description,
    recommendation: rule.recommendation,
    confidence: finding.confidence,
    context: {
      detectedContent: toExcerpt(text.original, range),
      detectedPattern: `${rule.id}/${finding.pattern}`,
      spans: [span],
      riskFactors: [...(finding.riskFactors ?? [])],
      regulatoryImpact: `${rule.law.citation} (${rule.law.status}, as of ${rule.law.asOf})`,
      customerImpact: rule.impact.customer,
      businessImpact: rule.impact.business,
    },
  };
}

function toResult(rule: RuleDefinition, violations: ComplianceViolation[]): ComplianceResult {
  const hasAlert = violations.some(({ severity }) => severity !== "info");
  return {
    isCompliant: violations.every(({ severity }) => severity !== "violation"),
    violations,
    riskScore: riskScoreOf([{ findings: violations }]),
    requiresReview: violations.some(demandsReview) || (hasAlert && rule.alwaysReview === true),
  };
}

/** Makes a rule that the engine can evaluate out of a check that yields findings. */
export function defineRule(definition: RuleDefinition): DefinedRule {
  const { id, name, description, category, severity, law, recommendation } = definition;
  return {
    id,
    name,
    description,
    category,
    severity,
    law,
    recommendation,
    alwaysReview: definition.alwaysReview ?? false,
    patternIds: definition.patterns.map((pattern) => `${id}/${pattern}`),
    isActive: true,
    ruleFunction: (context) =>
      toResult(
        definition,
        Array.from(definition.check(context), (finding) => toViolation(definition, finding)),
      ),
  };
}

/** Tells whether a rule was made by `defineRule`, so that its score derives from its findings. */
export function isDefinedRule(rule: ComplianceRule): rule is DefinedRule {
  return "law" in rule && "patternIds" in rule;
}
