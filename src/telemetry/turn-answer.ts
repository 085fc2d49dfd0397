import type { Attributes, Span } from "@opentelemetry/api";
import type { ContentPolicy } from "../config/config.ts";
import type { AgentResponseEvent } from "../events/detailed-event.ts";
import { findRollUp, toAssessmentAttributes } from "./compliance-assessment.ts";
import * as semconv from "../semconv.ts";

const FROM_EVENT = [
  semconv.ATTR_GEN_AI_RESPONSE_MODEL,
  semconv.ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  semconv.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
] as const;

/** Says what the rules found, as on the spans of other instrumentations; nothing when none was asked. */
function toComplianceAttributes(
  span: Span,
  { complianceFlags, riskScore, requiresReview }: AgentResponseEvent,
  policy: ContentPolicy,
): Attributes {
  if (!complianceFlags && riskScore === undefined) {
    return requiresReview === undefined ? {} : { [semconv.ATTR_COMPLIANCE_EVALUATED]: false };
  }
  const assessment = {
    findings: complianceFlags ?? [],
    riskScore: riskScore ?? 0,
    requiresReview: requiresReview === true,
  };
  const rollUp = findRollUp(span);
  // A model call inside the turn may have brought the same answer.
  rollUp?.addOnce(assessment);
  const attributes = {
    ...toAssessmentAttributes(assessment, policy),
    ...rollUp?.toAttributes(),
  };
  // A score that a confidential finding had a part in is nobody's business.
  if (riskScore === undefined) {
    delete attributes[semconv.ATTR_COMPLIANCE_RISK_SCORE];
    delete attributes[semconv.ATTR_COMPLIANCE_REQUIRES_REVIEW];
  }
  return attributes;
}

/**
 * Sums an answer up on the span of its turn.
 *
 * @param attributes - Those of the answer's event on the span.
 */
export function writeAnswer(
  span: Span,
  event: AgentResponseEvent,
  attributes: Attributes,
  policy: ContentPolicy,
): void {
  for (const key of FROM_EVENT) {
    const value = attributes[key];
    if (value !== undefined) span.setAttribute(key, value);
  }
  span.setAttributes(toComplianceAttributes(span, event, policy));
}
