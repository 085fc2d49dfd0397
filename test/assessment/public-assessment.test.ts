import { describe, expect, it } from "vitest";
import type { ComplianceEvaluation } from "../../src/compliance/evaluation.ts";
import { contextExponent, riskScoreOf } from "../../src/compliance/scoring.ts";
import type {
  ComplianceFlag,
  ComplianceSeverity,
  InteractionContext,
} from "../../src/events/compliance.ts";
import { toPublicAssessment, toPublicScore } from "../../src/assessment/public-assessment.ts";

const context: InteractionContext = {
  agentId: "a",
  agentCategory: "autonomous",
  sessionId: "s",
  timestamp: 1,
};

function flag(rule: string, severity: ComplianceSeverity, confidential?: true): ComplianceFlag {
  return {
    rule,
    category: "bsa_aml",
    severity,
    description: rule,
    confidence: 0.9,
    ...(confidential && { context: { confidential } }),
  };
}

function evaluation(
  violations: ComplianceFlag[],
  metadata: Partial<ComplianceEvaluation["metadata"]> = {},
): ComplianceEvaluation {
  return {
    isCompliant: false,
    violations,
    riskScore: 95,
    requiresReview: true,
    metadata: {
      evaluated: true,
      evaluationTime: 1,
      rulesEvaluated: 2,
      confidence: 0.9,
      riskThreshold: 50,
      ...metadata,
    },
  };
}

const SECRET = flag("secret", "violation", true);

describe("toPublicAssessment", () => {
  it("leaves an evaluation without confidential findings as it is", () => {
    const violations = [flag("a", "warning")];
    expect(toPublicAssessment(evaluation(violations), context)).toMatchObject({
      findings: violations,
      riskScore: 95,
      requiresReview: true,
    });
  });

  it("scores what is left as the engine would have", () => {
    const open = flag("a", "violation");
    const expected = riskScoreOf([{ findings: [open] }], contextExponent(context));
    expect(toPublicAssessment(evaluation([open, SECRET]), context)).toMatchObject({
      findings: [open],
      riskScore: expected,
      requiresReview: true,
    });
  });

  it("is clean when nothing is left", () => {
    expect(toPublicAssessment(evaluation([SECRET]), context)).toMatchObject({
      findings: [],
      riskScore: 0,
      requiresReview: false,
    });
  });

  it("asks for review from the agent's threshold on", () => {
    const findings = [flag("a", "warning"), SECRET];
    const given = evaluation(findings);
    const strict = evaluation(findings, { riskThreshold: 90 });
    expect(toPublicAssessment(given, context).requiresReview).toBe(true);
    expect(toPublicAssessment(strict, context).requiresReview).toBe(false);
  });

  it("keeps the review that a rule demands, unless its findings are confidential", () => {
    const findings = [flag("a", "info"), SECRET];
    const isReviewed = (reviewRules: string[]): boolean =>
      toPublicAssessment(evaluation(findings, { reviewRules }), context).requiresReview;
    expect(isReviewed(["secret"])).toBe(false);
    expect(isReviewed(["a", "secret"])).toBe(true);
    // A rule may demand it without a finding.
    expect(isReviewed(["other"])).toBe(true);
  });

  it("keeps the review that a failed rule asks for", () => {
    const given = evaluation([SECRET], { ruleErrors: ["other"] });
    expect(toPublicAssessment(given, context).requiresReview).toBe(true);
  });
});

describe("toPublicScore", () => {
  it("is there where something is hidden", () => {
    const score = toPublicScore(evaluation([flag("a", "violation"), SECRET]), context);
    expect(score?.riskScore).toBeGreaterThan(0);
    expect(toPublicScore(evaluation([SECRET]), context)).toEqual({
      riskScore: 0,
      requiresReview: false,
    });
  });

  it("is absent where nothing is hidden", () => {
    expect(toPublicScore(evaluation([flag("a", "violation")]), context)).toBeUndefined();
  });
});
