import type { Attributes } from "@opentelemetry/api";
import type { ContentPolicy } from "../config/config.ts";
import { complianceFlagSchema, type ComplianceFlag } from "../events/compliance.ts";
import type { ComplianceViolationEvent, DetailedEvent } from "../events/detailed-event.ts";
import { toTextFreeFinding } from "./log-record.ts";
import * as semconv from "../semconv.ts";

/** What telemetry may say of a checked answer. */
export interface ComplianceAssessment {
  readonly findings: readonly ComplianceFlag[];
  /** 0 to 100. */
  readonly riskScore: number;
  readonly requiresReview: boolean;
  /** Set when only a part of the content was read. */
  readonly isPartial?: true | undefined;
}

/**
 * Returns whether nobody but the platform may learn of a finding.
 *
 * Saying whether a suspicious activity report exists is an offence, and telemetry has many readers.
 *
 * @see 31 U.S.C. § 5318(g)(2); 31 CFR § 1020.320(e)
 */
export function isConfidential({ context }: Pick<ComplianceFlag, "context">): boolean {
  return context?.["confidential"] === true;
}

/** Leaves confidential findings out, and out of what the others say of them. */
export function withoutConfidential(findings: readonly ComplianceFlag[]): ComplianceFlag[] {
  const hidden = new Set(findings.filter(isConfidential).map(({ rule }) => rule));
  return findings
    .filter((finding) => !isConfidential(finding))
    .map((finding) => {
      const { relatedViolations = [], groupedUnder, ...context } = finding.context ?? {};
      const isGroupHidden = groupedUnder !== undefined && hidden.has(groupedUnder);
      if (!isGroupHidden && !relatedViolations.some((rule) => hidden.has(rule))) return finding;
      return {
        ...finding,
        context: {
          ...context,
          relatedViolations: relatedViolations.filter((rule) => !hidden.has(rule)),
          ...(groupedUnder !== undefined && !isGroupHidden && { groupedUnder }),
        },
      };
    });
}

/** Returns the finding behind an event that reports one which came after its answer had left. */
export function toLateFinding(event: ComplianceViolationEvent): ComplianceFlag | undefined {
  const given = event.metadata?.["finding"];
  return given === undefined ? undefined : complianceFlagSchema.safeParse(given).data;
}

/** How an answer is scored as if its confidential findings had not been made. */
export type PublicScore = Pick<ComplianceAssessment, "riskScore" | "requiresReview">;

/**
 * Returns the event as telemetry may have it: the same one, or a copy without confidential findings.
 *
 * @param score - Of what is left; without it a score that a confidential finding had a part in is left out.
 * @returns `undefined` when the event as a whole is confidential.
 */
export function toPublicEvent(
  event: DetailedEvent,
  score: PublicScore | undefined,
): DetailedEvent | undefined {
  if (event.interactionType === "compliance_violation") {
    const finding = toLateFinding(event);
    return finding && isConfidential(finding) ? undefined : event;
  }
  if (event.interactionType !== "agent_response" || !event.complianceFlags?.some(isConfidential)) {
    return event;
  }
  const complianceFlags = withoutConfidential(event.complianceFlags);
  const { riskScore: _score, requiresReview: _review, ...rest } = event;
  if (score) return { ...rest, complianceFlags, ...score };
  // Without any other finding it must look like every clean answer.
  if (complianceFlags.length > 0) return { ...rest, complianceFlags };
  return { ...rest, complianceFlags, riskScore: 0, requiresReview: false };
}

/** The ids of the rules behind findings, each once, in their order. */
function toRuleIds(findings: readonly ComplianceFlag[]): string[] {
  return [...new Set(findings.map(({ rule }) => rule))];
}

/** Says on the span of an answer what the rules found. */
export function toAssessmentAttributes(
  { findings, riskScore, requiresReview, isPartial }: ComplianceAssessment,
  policy: ContentPolicy,
): Attributes {
  return {
    [semconv.ATTR_COMPLIANCE_EVALUATED]: true,
    [semconv.ATTR_COMPLIANCE_RISK_SCORE]: riskScore,
    [semconv.ATTR_COMPLIANCE_REQUIRES_REVIEW]: requiresReview,
    ...(isPartial && { [semconv.ATTR_COMPLIANCE_PARTIAL]: true }),
    [semconv.ATTR_COMPLIANCE_FINDING_COUNT]: findings.length,
    ...(findings.length > 0 && {
      [semconv.ATTR_COMPLIANCE_RULE_IDS]: toRuleIds(findings),
      // Spans of OTel 2.x hold no structures.
      [semconv.ATTR_COMPLIANCE_VIOLATIONS]: JSON.stringify(
        policy === "full" ? findings : findings.map(toTextFreeFinding),
      ),
    }),
  };
}

/** Answers of a run that are compared with one that was tracked. */
const MAX_SIGNATURES = 100;

/** Returns a text for what was found, and where. */
function toSignature({ findings }: ComplianceAssessment): string {
  const found = findings.map(({ rule, context }) => [
    rule,
    context?.detectedPattern,
    context?.["spans"],
  ]);
  return JSON.stringify(found);
}

/** Rule ids that a roll-up names: a conversation may go on for days. */
const MAX_RULE_IDS = 100;

/** Sums findings up over the answers of a conversation or of a run. */
export class ComplianceRollUp {
  readonly #ruleIds = new Set<string>();
  readonly #added = new WeakSet<ComplianceAssessment>();
  readonly #found = new Set<string>();
  #riskScore = 0;
  #requiresReview = false;
  #findingCount = 0;

  /** Adds an answer's assessment, unless one was added that found the same: several may have seen one answer. */
  addOnce(assessment: ComplianceAssessment): void {
    if (!this.#found.has(toSignature(assessment))) this.add(assessment);
  }

  /** Adds an answer's assessment; one that was added before counts once. */
  add(assessment: ComplianceAssessment): void {
    if (this.#added.has(assessment)) return;
    this.#added.add(assessment);
    if (this.#found.size < MAX_SIGNATURES) this.#found.add(toSignature(assessment));
    const { findings, riskScore, requiresReview } = assessment;
    this.#riskScore = Math.max(this.#riskScore, riskScore);
    this.#requiresReview ||= requiresReview;
    this.#findingCount += findings.length;
    for (const { rule } of findings) {
      if (this.#ruleIds.size < MAX_RULE_IDS) this.#ruleIds.add(rule);
    }
  }

  toAttributes(): Attributes {
    return {
      [semconv.ATTR_COMPLIANCE_EVALUATED]: true,
      [semconv.ATTR_COMPLIANCE_RISK_SCORE]: this.#riskScore,
      [semconv.ATTR_COMPLIANCE_REQUIRES_REVIEW]: this.#requiresReview,
      [semconv.ATTR_COMPLIANCE_FINDING_COUNT]: this.#findingCount,
      ...(this.#ruleIds.size > 0 && {
        [semconv.ATTR_COMPLIANCE_RULE_IDS]: [...this.#ruleIds],
      }),
    };
  }
}

const rollUps = new WeakMap<object, ComplianceRollUp>();

/** Returns the sum that stands on a span, if something was added to it. */
export function findRollUp(span: object): ComplianceRollUp | undefined {
  return rollUps.get(span);
}

/** Returns the sum that stands on a span, whoever adds to it. */
export function rollUpOf(span: object): ComplianceRollUp {
  const rollUp = rollUps.get(span) ?? new ComplianceRollUp();
  rollUps.set(span, rollUp);
  return rollUp;
}
