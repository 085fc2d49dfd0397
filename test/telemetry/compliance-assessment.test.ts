import { describe, expect, it } from "vitest";
import type { ComplianceFlag } from "../../src/events/compliance.ts";
import {
  ComplianceRollUp,
  rollUpOf,
  toAssessmentAttributes,
  withoutConfidential,
} from "../../src/telemetry/compliance-assessment.ts";

function flag(rule: string, context?: ComplianceFlag["context"]): ComplianceFlag {
  return { rule, category: "privacy", severity: "warning", description: "text", context };
}

const assessment = (rules: string[], riskScore: number, requiresReview = false) => ({
  findings: rules.map((rule) => flag(rule)),
  riskScore,
  requiresReview,
});

describe("withoutConfidential", () => {
  it("gives the same findings back when there is nothing to hide", () => {
    const open = flag("a", { relatedViolations: ["b"] });
    expect(withoutConfidential([open])[0]).toBe(open);
  });

  it("takes their rules out of what others say of related findings", () => {
    const given = [
      flag("a", { relatedViolations: ["b", "c"] }),
      flag("b", { confidential: true }),
      flag("c"),
    ];
    expect(withoutConfidential(given)).toEqual([
      flag("a", { relatedViolations: ["c"] }),
      flag("c"),
    ]);
    expect(given[0]?.context?.relatedViolations).toEqual(["b", "c"]);
  });

  it("takes their rules out of the groups of others", () => {
    const given = [
      flag("a", { groupedUnder: "b", relatedViolations: ["b"], detectedPattern: "a/x" }),
      flag("b", { confidential: true }),
      flag("c", { groupedUnder: "a", relatedViolations: ["a", "b"] }),
    ];
    expect(withoutConfidential(given)).toEqual([
      flag("a", { relatedViolations: [], detectedPattern: "a/x" }),
      flag("c", { groupedUnder: "a", relatedViolations: ["a"] }),
    ]);
  });
});

describe("toAssessmentAttributes", () => {
  it("says no text but under the policy full", () => {
    const given = assessment(["a"], 10);
    for (const [policy, says] of [
      ["none", false],
      ["redacted", false],
      ["full", true],
    ] as const) {
      const attributes = toAssessmentAttributes(given, policy);
      expect(JSON.stringify(attributes).includes("text")).toBe(says);
      expect(attributes["agent_monitor.compliance.rule_ids"]).toEqual(["a"]);
    }
  });
});

describe("ComplianceRollUp", () => {
  it("keeps the highest score, any review, all findings and each rule once", () => {
    const rollUp = new ComplianceRollUp();
    const first = assessment(["a", "b"], 50, true);
    for (const given of [first, assessment(["b", "c"], 20), first]) rollUp.add(given);
    expect(rollUp.toAttributes()).toEqual({
      "agent_monitor.compliance.evaluated": true,
      "agent_monitor.compliance.risk_score": 50,
      "agent_monitor.compliance.requires_review": true,
      "agent_monitor.compliance.finding_count": 4,
      "agent_monitor.compliance.rule_ids": ["a", "b", "c"],
    });
  });

  it("names a bounded number of rules", () => {
    const rollUp = new ComplianceRollUp();
    rollUp.add(
      assessment(
        Array.from({ length: 1000 }, (_, index) => `rule-${index}`),
        1,
      ),
    );
    expect(rollUp.toAttributes()["agent_monitor.compliance.rule_ids"]).toHaveLength(100);
  });

  it("is one for each span, whoever adds to it", () => {
    const span = {};
    expect(rollUpOf(span)).toBe(rollUpOf(span));
    expect(rollUpOf(span)).not.toBe(rollUpOf({}));
  });
});
