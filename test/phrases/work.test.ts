import { describe, expect, it } from "vitest";
import { defineRule, type DefinedRule } from "../../src/compliance/define-rule.ts";
import { readExchange } from "../../src/phrases/exchange.ts";
import { RuleVerificationError, verifyRule } from "../../src/compliance/verify-rule.ts";
import { context, createTestEngine, ruleOf, ruleThat } from "../compliance/engine-fixtures.ts";

/** 8,000 sentences. */
const LONG = "Hi. ".repeat(8000);

/** A rule that reads every sentence anew for each sentence. */
function createGreedyRule(id: string, onSteps: () => void = () => undefined): DefinedRule {
  return defineRule({
    id,
    name: id,
    description: "Reads all for each.",
    explanation: "Reads all for each.",
    category: "custom",
    severity: "violation",
    law: { citation: "12 CFR § 1005.11", asOf: "2026-11-21", status: "in force" },
    recommendation: "Don't.",
    impact: { customer: "minimal", business: "none" },
    patterns: ["echo"],
    *check(given) {
      const { agentResponse: text } = readExchange(given);
      for (const one of text?.sentences() ?? [])
        for (const other of text?.sentences() ?? []) {
          onSteps();
          if (one.text === "Echo." && one.start < other.start && other.text === " Echo.")
            yield { pattern: "echo", confidence: 0.9, ...(text && { text }), range: one };
        }
    },
  });
}

describe("a rule that takes too many steps", () => {
  it("is stopped, the answer is not compliant, and the other rules' findings count", () => {
    let steps = 0;
    const greedy = createGreedyRule("custom-greedy", () => steps++);
    const finding = ruleOf("custom-finding", [{ description: "found", severity: "info" }]);
    const { engine, lines } = createTestEngine({ rules: [greedy, finding] });
    const result = engine.evaluate({ ...context, agentResponse: LONG });
    expect(result).toMatchObject({
      isCompliant: false,
      requiresReview: true,
      violations: [{ rule: "custom-finding" }],
      metadata: { evaluated: true, rulesNotEvaluated: ["custom-greedy"] },
    });
    // As a bound in proportion to the text, and not the 64 million of all pairs.
    expect(steps).toBeLessThan(60 * LONG.length + 60_000);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('compliance rule "custom-greedy" was not evaluated');
  });

  it("is stopped at the same step each time", () => {
    const counts = [0, 1].map(() => {
      let steps = 0;
      const { engine } = createTestEngine({
        rules: [createGreedyRule("custom-greedy", () => steps++)],
      });
      engine.evaluate({ ...context, agentResponse: LONG });
      return steps;
    });
    expect(counts[0]).toBe(counts[1]);
  });

  it("is not believed when it hides that it was stopped", () => {
    const greedy = createGreedyRule("custom-greedy");
    const hiding = ruleThat("custom-hiding", (given) => {
      try {
        greedy.ruleFunction(given);
      } catch {
        // As if nothing had been found.
      }
      return { isCompliant: true, violations: [], riskScore: 0, requiresReview: false };
    });
    const { engine } = createTestEngine({ rules: [hiding] });
    const result = engine.evaluate({ ...context, agentResponse: LONG });
    expect(result).toMatchObject({ isCompliant: false, requiresReview: true });
    expect(result.metadata.rulesNotEvaluated).toEqual(["custom-hiding"]);
  });

  it("leaves the rules behind it unevaluated when nothing is left for all together", () => {
    const rules = Array.from({ length: 4 }, (_, index) => createGreedyRule(`custom-${index}`));
    let calls = 0;
    const last = ruleThat("custom-last", () => {
      calls++;
      return { isCompliant: true, violations: [], riskScore: 0, requiresReview: false };
    });
    const { engine } = createTestEngine({ rules: [...rules, last] });
    const { metadata } = engine.evaluate({ ...context, agentResponse: LONG });
    expect(metadata.rulesNotEvaluated).toEqual([...rules.map(({ id }) => id), "custom-last"]);
    expect(metadata.evaluated).toBe(false);
    expect(calls).toBe(0);
    expect(engine.evaluate({ ...context, agentResponse: "Hi." }).isCompliant).toBe(true);
  });

  it("fails its verification, whatever time it took", () => {
    const cases = {
      violating: [{ agentResponse: "Echo. Echo.", pattern: "echo" }],
      compliant: [{ agentResponse: "Echo." }],
    };
    let error: unknown;
    try {
      verifyRule(createGreedyRule("custom-greedy"), cases);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(RuleVerificationError);
    const { failures } = error as RuleVerificationError;
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.every(({ got }) => got.includes("steps"))).toBe(true);
  });
});

describe("rules of the caller's own", () => {
  it("are not begun any more when they have taken too long together", () => {
    const testEngine = createTestEngine({ rules: [ruleOf("built-in")] });
    const fine = { isCompliant: true, violations: [], riskScore: 0, requiresReview: false };
    for (const id of ["one", "two", "three"])
      testEngine.engine.addRule(
        ruleThat(id, () => {
          testEngine.spend(60);
          return fine;
        }),
      );
    const result = testEngine.engine.evaluate(context);
    expect(result.metadata.rulesNotEvaluated).toEqual(["three"]);
    expect(result).toMatchObject({ isCompliant: false, requiresReview: true });
  });
});
