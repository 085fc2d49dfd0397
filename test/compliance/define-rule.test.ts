import { expect, it } from "vitest";
import { defineRule, type DefinedRule } from "../../src/compliance/define-rule.ts";
import type { RuleDefinition } from "../../src/compliance/rule-definition.ts";
import { readExchange } from "../../src/phrases/exchange.ts";
import { ValidationError } from "../../src/events/validation-error.ts";
import type { ComplianceSeverity } from "../../src/events/compliance.ts";
import { context, createTestEngine } from "./engine-fixtures.ts";

const base: RuleDefinition = {
  id: "privacy-greeting",
  name: "Greeting",
  description: "Says hi.",
  explanation: "The agent greets.",
  category: "privacy",
  severity: "warning",
  law: { citation: "1 U.S.C. § 1", asOf: "2026-11-21", status: "in force" },
  recommendation: "Say nothing.",
  impact: { customer: "none", business: "minimal" },
};

function define(severity: ComplianceSeverity, rest: Partial<RuleDefinition> = {}): DefinedRule {
  return defineRule({
    ...base,
    severity,
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
    riskScore: 66,
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
          range: { start: 750, end: 752 },
        };
    },
  });
  const agentResponse = `${"aa ".repeat(250)}hi 4539148803436467 ${"bb ".repeat(250)}`;
  const excerpt =
    rule.ruleFunction({ ...context, agentResponse }).violations[0]?.context?.detectedContent ?? "";
  expect(excerpt.length).toBeLessThanOrEqual(160);
  expect(excerpt).toContain("aa hi ************6467 bb");
});

const PHRASE_TEXT = "You never l0se your m\u043eney. Bank with us.";

it("finds phrases, explains them, and doubts less what was hidden", () => {
  const rule = defineRule({
    ...base,
    phrases: {
      "no-loss": { match: ["never lose ..3 {money}"], ignore: ["negation"] },
      info: { match: ["with us"], severity: "info", confidence: 0.5, description: "Says us." },
    },
    concepts: { money: "money | savings" },
  });
  const found = rule.ruleFunction({ ...context, agentResponse: PHRASE_TEXT }).violations;
  expect(
    found.map(({ description, severity, confidence }) => [description, severity, confidence]),
  ).toEqual([
    ["The agent greets.", "warning", 0.9],
    ["Says us.", "info", 0.75],
  ]);
  expect(found[0]?.context).toMatchObject({
    detectedPattern: "privacy-greeting/no-loss",
    spans: [{ source: "agentResponse", start: 4, end: 25 }],
    normalisations: ["lookalike-letters", "leet"],
  });
});

it("marks the findings of a confidential rule", () => {
  const rule = defineRule({ ...base, confidential: true, phrases: { us: { match: ["us"] } } });
  const [finding] = rule.ruleFunction({ ...context, agentResponse: "Ask us." }).violations;
  expect(finding?.context).toMatchObject({ confidential: true });
});

it("refuses a phrase that can't be read when it is made ready, not when it is defined", () => {
  const rule = defineRule({ ...base, phrases: { x: { match: ["{nothing} here"] } } });
  expect(() => rule.prepare()).toThrow("unknown concept {nothing}");
  const { engine } = createTestEngine();
  expect(() => {
    engine.addRule(rule);
  }).toThrow(ValidationError);
  expect(engine.rules).toEqual([]);
});

it("gives findings outside the messages their evidence", () => {
  const rule = defineRule({
    ...base,
    patterns: ["amount"],
    *check() {
      yield { pattern: "amount", confidence: 1, evidence: "transactionContext.amount=9600" };
    },
  });
  const [finding] = rule.ruleFunction(context).violations;
  expect(finding?.context).toMatchObject({ detectedContent: "transactionContext.amount=9600" });
  expect(finding?.context).not.toHaveProperty("spans");
});
