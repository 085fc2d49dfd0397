import { describe, expect, it } from "vitest";
import { defineRule } from "../../src/compliance/define-rule.ts";
import type { RuleDefinition } from "../../src/compliance/rule-definition.ts";
import type { ComplianceFlag, ComplianceResult } from "../../src/events/compliance.ts";
import { startMonitor } from "../helpers/monitor.ts";
import { context, createTestEngine, ruleThat } from "./engine-fixtures.ts";

const sky = (definition: Partial<RuleDefinition> = {}) =>
  defineRule({
    id: "custom-sky",
    name: "Sky",
    description: "Says what colour the sky has.",
    explanation: "Says what colour the sky has.",
    category: "custom",
    severity: "violation",
    law: { citation: "House rule 1", asOf: "2026-01-01", status: "guidance" },
    recommendation: "Look up.",
    impact: { customer: "minimal", business: "minimal" },
    phrases: {
      blue: { match: ["sky is blue"] },
      grey: { match: ["sky is grey"], confidence: 0.6 },
      pink: { match: ["sky is pink"], confidence: 0.59 },
    },
    ...definition,
  });

const says = (agentResponse: string) => ({ ...context, agentResponse });
const patternsOf = (flags: readonly ComplianceFlag[] = []) =>
  flags.map((flag) => flag.context?.detectedPattern);

describe("what lies below a rule's threshold", () => {
  it("is a candidate: no finding, no score, no review, and counted", () => {
    const { engine } = createTestEngine({ rules: [sky({ alwaysReview: true })] });
    const pink = engine.evaluate(says("The sky is pink."));
    expect(pink).toMatchObject({
      isCompliant: true,
      violations: [],
      riskScore: 0,
      requiresReview: false,
      metadata: { evaluated: true, confidence: 1, candidates: 1 },
    });
    expect(pink).not.toHaveProperty("candidates");
    const grey = engine.evaluate(says("The sky is grey."));
    expect(patternsOf(grey.violations)).toEqual(["custom-sky/grey"]);
    expect(grey.requiresReview).toBe(true);
    expect(grey.metadata).not.toHaveProperty("candidates");
  });

  it("is given to who asks for it, with settings and without", () => {
    const { engine } = createTestEngine({ rules: [sky()] });
    const text = says("The sky is pink. The sky is blue.");
    const settings = {
      sr11_7_enabled: true,
      fair_lending_monitoring: true,
      bsa_aml_checks: true,
      custom_rules: ["custom-sky"],
    };
    for (const result of [
      engine.evaluate(text, { candidates: true }),
      engine.evaluate(text, undefined, { candidates: true }),
      engine.evaluate(text, settings, { candidates: true, isGiven: true }),
    ]) {
      expect(patternsOf(result.violations)).toEqual(["custom-sky/blue"]);
      expect(result.candidates).toMatchObject([
        { rule: "custom-sky", category: "custom", confidence: 0.59, timestamp: expect.any(Number) },
      ]);
    }
    const none = { ...settings, custom_rules: [] };
    expect(engine.evaluate(text, none, { candidates: true }).candidates).toEqual([]);
    expect(engine.evaluate(text, { candidates: false })).not.toHaveProperty("candidates");
  });

  it("is set by the rule", () => {
    const { engine } = createTestEngine({ rules: [sky({ threshold: 0.5 })] });
    expect(engine.evaluate(says("The sky is pink.")).violations).toHaveLength(1);
    expect(sky({ threshold: 0.5 }).threshold).toBe(0.5);
    expect(sky().threshold).toBe(0.6);
  });

  it("rises above it when words are hidden, which is a sign itself", () => {
    const { engine } = createTestEngine({ rules: [sky()] });
    expect(engine.evaluate(says("The s\u200Bky is pink.")).violations).toHaveLength(1);
  });

  it("may be given by a rule of the caller's own, which has no threshold", () => {
    const result: ComplianceResult = {
      isCompliant: true,
      violations: [{ rule: "own", severity: "warning", description: "sure", confidence: 0.1 }],
      candidates: [{ rule: "own", severity: "violation", description: "not sure" }],
      riskScore: 0,
      requiresReview: false,
    };
    const { engine, lines } = createTestEngine({
      rules: [
        ruleThat("own", () => result),
        ruleThat("odd", () => ({ ...result, candidates: "many" })),
        ruleThat("odder", () => ({ ...result, candidates: [7] })),
      ],
    });
    const evaluation = engine.evaluate(context, { candidates: true });
    expect(evaluation.violations).toMatchObject([{ rule: "own", description: "sure" }]);
    expect(evaluation.candidates).toMatchObject([{ rule: "own", description: "not sure" }]);
    expect(evaluation.metadata).toMatchObject({ candidates: 1, ruleErrors: ["odd", "odder"] });
    expect(lines).toHaveLength(2);
  });

  it("is bounded", () => {
    const one = { rule: "own", severity: "violation", description: "not sure" };
    const many = {
      isCompliant: true,
      violations: [],
      candidates: Array.from({ length: 5000 }, () => one),
      riskScore: 0,
      requiresReview: false,
    };
    const { engine } = createTestEngine({ rules: [ruleThat("own", () => many)] });
    expect(engine.evaluate(context, { candidates: true }).candidates).toHaveLength(20);
  });
});

describe("the counts of a monitor", () => {
  it("say how many candidates stand on no event", async () => {
    const test = await startMonitor({ enableComplianceChecks: true });
    const { monitor } = test;
    monitor.complianceEngine?.addRule(sky());
    await monitor.ready();
    expect(monitor.stats().compliance).toEqual({
      answers: 0,
      reviews: 0,
      findings: 0,
      candidates: 0,
    });
    monitor.trackAgentResponse("a", "s", "The sky is pink. The sky is pink.");
    monitor.trackAgentResponse("a", "s", "The sky is blue and the sky is pink.");
    monitor.complianceEngine?.evaluate(says("The sky is pink."));
    expect(monitor.stats().compliance).toEqual({
      answers: 2,
      reviews: 1,
      findings: 1,
      candidates: 3,
    });
    const text = JSON.stringify(await test.delivered());
    expect(text).toContain("custom-sky/blue");
    expect(text).not.toContain("custom-sky/pink");
    await test.close();
  });

  it("are absent while nothing is checked", async () => {
    const test = await startMonitor({ enableComplianceChecks: false });
    expect(test.monitor.stats()).not.toHaveProperty("compliance");
    await test.close();
  });
});
