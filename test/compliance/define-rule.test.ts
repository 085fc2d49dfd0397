import { expect, it } from "vitest";
import {
  defineRule,
  type DefinedRule,
  type RuleDefinition,
} from "../../src/compliance/define-rule.ts";
import { readExchange } from "../../src/compliance/text/exchange.ts";
import type { ComplianceSeverity } from "../../src/events/compliance.ts";
import { context, createTestEngine } from "./engine-fixtures.ts";

function define(severity: ComplianceSeverity, rest: Partial<RuleDefinition> = {}): DefinedRule {
  return defineRule({
    id: "privacy-greeting",
    name: "Greeting",
    description: "Says hi.",
    category: "privacy",
    severity,
    law: { citation: "1 U.S.C. § 1", asOf: "2026-11-21", status: "in force" },
    recommendation: "Say nothing.",
    impact: { customer: "none", business: "minimal" },
    patterns: ["hi"],
    *check(seen) {
      const { agentResponse: text } = readExchange(seen);
      if (!text?.folded.startsWith("hi")) return;
      yield {
        pattern: "hi",
        description: "Said hi.",
        confidence: 0.8,
        text,
        range: { start: 0, end: 2 },
      };
    },
    ...rest,
  });
}

it("makes findings with evidence out of what a check yields", () => {
  const rule = define("warning");
  expect(rule.patternIds).toEqual(["privacy-greeting/hi"]);
  expect(rule.ruleFunction({ ...context, agentResponse: "hi 123456789" })).toEqual({
    isCompliant: true,
    riskScore: 32,
    requiresReview: false,
    violations: [
      {
        rule: "privacy-greeting",
        severity: "warning",
        description: "Said hi.",
        recommendation: "Say nothing.",
        confidence: 0.8,
        context: {
          detectedContent: "hi *****6789",
          detectedPattern: "privacy-greeting/hi",
          spans: [{ source: "agentResponse", start: 0, end: 2 }],
          riskFactors: [],
          regulatoryImpact: "1 U.S.C. § 1 (in force, as of 2026-11-21)",
          customerImpact: "none",
          businessImpact: "minimal",
        },
      },
    ],
  });
});

it.each([
  ["info", false],
  ["warning", true],
  ["violation", true],
] as const)(
  "sends a finding of severity %s to review under alwaysReview: %s",
  (severity, isReviewed) => {
    const { engine } = createTestEngine({ rules: [define(severity, { alwaysReview: true })] });
    const settings = {
      sr11_7_enabled: true,
      fair_lending_monitoring: true,
      bsa_aml_checks: true,
      risk_threshold: 100,
    };
    expect(engine.evaluate(context, settings).requiresReview).toBe(isReviewed);
  },
);

it("cuts excerpts of long texts to 160 characters around the match", () => {
  const rule = define("warning", {
    *check(seen) {
      const { agentResponse: text } = readExchange(seen);
      if (text)
        yield {
          pattern: "hi",
          description: "",
          confidence: 1,
          text,
          range: { start: 500, end: 502 },
        };
    },
  });
  const agentResponse = `${"a ".repeat(250)}hi 4539148803436467 ${"b ".repeat(250)}`;
  const excerpt =
    rule.ruleFunction({ ...context, agentResponse }).violations[0]?.context?.detectedContent ?? "";
  expect(excerpt.length).toBeLessThanOrEqual(160);
  expect(excerpt).toContain("a hi ************6467 b");
});
