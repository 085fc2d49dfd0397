import { describe, expect, it } from "vitest";
import { ComplianceEngine } from "../../src/compliance/engine.ts";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import type { ComplianceSettings } from "../../src/events/agent.ts";
import type { ComplianceCategory, ComplianceRule } from "../../src/events/compliance.ts";
import { ValidationError } from "../../src/events/validation-error.ts";
import { systemClock } from "../../src/util/clock.ts";
import { context, createTestEngine, NOW, ruleOf, ruleThat } from "./engine-fixtures.ts";

const ALL_ON: ComplianceSettings = {
  sr11_7_enabled: true,
  fair_lending_monitoring: true,
  bsa_aml_checks: true,
};

describe("result", () => {
  it("has each finding with its rule's id and category, and how the evaluation went", () => {
    const { engine } = createTestEngine();
    engine.addRule(ruleOf("clean"));
    engine.addRule(ruleOf("strict", [{ rule: "someone else" }], { category: "privacy" }));
    expect(engine.evaluate(context)).toEqual({
      isCompliant: false,
      violations: [
        {
          rule: "strict",
          category: "privacy",
          severity: "violation",
          description: "found",
          confidence: 0.9,
          timestamp: NOW,
        },
      ],
      riskScore: 92,
      requiresReview: true,
      metadata: {
        evaluated: true,
        evaluationTime: 0,
        rulesEvaluated: 2,
        confidence: 0.9,
        riskThreshold: 50,
      },
    });
  });

  it("is compliant with confidence 1 when every rule found nothing", () => {
    const { engine } = createTestEngine();
    engine.addRule(ruleOf("clean"));
    expect(engine.evaluate(context)).toMatchObject({
      isCompliant: true,
      riskScore: 0,
      requiresReview: false,
      metadata: { evaluated: true, confidence: 1 },
    });
  });

  it("is no verdict without content, and without a rule that judged", () => {
    const { engine } = createTestEngine();
    const { userMessage: _user, agentResponse: _agent, ...contentless } = context;
    const unevaluated = {
      isCompliant: false,
      violations: [],
      requiresReview: false,
      metadata: { evaluated: false },
    };
    expect(engine.evaluate(context)).toMatchObject(unevaluated);
    engine.addRule(ruleOf("strict", [{}]));
    expect(engine.evaluate(contentless)).toMatchObject(unevaluated);
    expect(engine.evaluate({ ...contentless, toolsUsed: [] })).toMatchObject(unevaluated);
    expect(
      engine.evaluate({ ...contentless, transactionContext: { amount: 1 } }).metadata.evaluated,
    ).toBe(true);
    const tool = { name: "t", parameters: {}, result: {}, success: true };
    expect(engine.evaluate({ ...contentless, toolsUsed: [tool] }).metadata.evaluated).toBe(true);
    expect(engine.evaluate({ ...contentless, agentResponse: "" }).metadata.evaluated).toBe(true);
  });

  it("keeps the strongest twenty findings of a rule", () => {
    const { engine } = createTestEngine();
    const many = Array.from({ length: 50 }, () => ({ severity: "info" as const }));
    engine.addRule(ruleOf("many", [...many, { severity: "violation" }]));
    const { violations } = engine.evaluate(context);
    expect(violations).toHaveLength(20);
    expect(violations[0]?.severity).toBe("violation");
  });

  it("honours what a rule of the caller's own says without a finding", () => {
    const { engine } = createTestEngine();
    const verdict = { isCompliant: false, violations: [], riskScore: 90, requiresReview: false };
    engine.addRule(ruleThat("terse", () => verdict, { severity: "warning" }));
    expect(engine.evaluate(context)).toMatchObject({
      violations: [{ rule: "terse", severity: "warning", description: "what terse looks for" }],
      riskScore: 90,
      requiresReview: true,
    });
  });

  it("counts a score that a rule of the caller's own gives without a finding", () => {
    const { engine } = createTestEngine();
    let riskScore = 60;
    engine.addRule(
      ruleThat("scorer", () => ({
        isCompliant: true,
        violations: [],
        riskScore,
        requiresReview: false,
      })),
    );
    expect(engine.evaluate(context)).toMatchObject({
      isCompliant: true,
      violations: [],
      riskScore: 60,
      requiresReview: true,
    });
    riskScore = 49;
    expect(engine.evaluate(context)).toMatchObject({ riskScore: 49, requiresReview: false });
  });

  it("honours a rule's own demand for review", () => {
    const { engine } = createTestEngine();
    engine.addRule(
      ruleThat("careful", () => ({
        isCompliant: true,
        violations: [],
        riskScore: 0,
        requiresReview: true,
      })),
    );
    expect(engine.evaluate(context)).toMatchObject({
      isCompliant: true,
      requiresReview: true,
      riskScore: 0,
    });
  });
});

describe("review", () => {
  const reviewAt = (
    threshold: number | undefined,
    finding: { severity: "info" | "warning" | "violation"; confidence: number },
  ): boolean => {
    const { engine } = createTestEngine();
    engine.addRule(ruleOf("rule", [finding]));
    const settings = threshold === undefined ? ALL_ON : { ...ALL_ON, risk_threshold: threshold };
    return engine.evaluate(context, settings).requiresReview;
  };

  it("is demanded by every warning and violation under the default threshold, by information never", () => {
    for (const confidence of [0, 0.5, 1]) {
      expect(reviewAt(undefined, { severity: "warning", confidence })).toBe(true);
      expect(reviewAt(undefined, { severity: "violation", confidence })).toBe(true);
      expect(reviewAt(undefined, { severity: "info", confidence })).toBe(false);
    }
  });

  it("is decided by the threshold, of violations as well", () => {
    const warning = { severity: "warning", confidence: 1 } as const;
    const violation = { severity: "violation", confidence: 1 } as const;
    expect([70, 71].map((threshold) => reviewAt(threshold, warning))).toEqual([true, false]);
    expect([95, 96].map((threshold) => reviewAt(threshold, violation))).toEqual([true, false]);
    expect(reviewAt(100, violation)).toBe(false);
    expect(reviewAt(0, { severity: "info", confidence: 0 })).toBe(true);
  });

  it("under the threshold 100 is demanded by what reaches 100, and by a rule that says so itself", () => {
    const settings = { ...ALL_ON, risk_threshold: 100 };
    const { engine } = createTestEngine({ rules: ["a", "b", "c"].map((id) => ruleOf(id, [{}])) });
    expect(engine.evaluate(context, settings)).toMatchObject({
      riskScore: 100,
      requiresReview: true,
    });
    const own = ruleThat("own", () => ({
      isCompliant: true,
      violations: [],
      riskScore: 0,
      requiresReview: true,
    }));
    const { engine: strict } = createTestEngine({ rules: [own] });
    expect(strict.evaluate(context, settings)).toMatchObject({
      requiresReview: true,
      metadata: { riskThreshold: 100, reviewRules: ["own"] },
    });
  });

  it("does not come from the threshold 0 alone", () => {
    const { engine } = createTestEngine();
    engine.addRule(ruleOf("clean"));
    expect(engine.evaluate(context, { ...ALL_ON, risk_threshold: 0 }).requiresReview).toBe(false);
  });

  it.each([
    [-5, 0],
    [400, 100],
    [Number.NaN, 50],
  ])("uses another threshold for %d and says so once", (threshold, used) => {
    const { engine, lines } = createTestEngine();
    engine.addRule(ruleOf("clean"));
    for (let run = 0; run < 3; run++)
      engine.evaluate(context, { ...ALL_ON, risk_threshold: threshold });
    expect(lines).toEqual([
      expect.stringContaining(
        `risk_threshold must be 0 to 100 (got ${threshold}): ${used} is used`,
      ),
    ]);
  });
});

describe("settings", () => {
  const categories: ComplianceCategory[] = [
    "sr_11_7",
    "fair_lending",
    "bsa_aml",
    "privacy",
    "consumer_protection",
    "custom",
  ];
  const rules = categories.map((category) =>
    ruleOf(category.replaceAll("_", "-"), [{}], { category }),
  );
  const categoriesFound = (settings?: ComplianceSettings): string[] => {
    const { engine } = createTestEngine({ rules });
    return engine.evaluate(context, settings).violations.map(({ category }) => category);
  };

  it("turn their category off; privacy and consumer protection stay on", () => {
    expect(categoriesFound()).toEqual(categories);
    expect(categoriesFound(ALL_ON)).toEqual(categories);
    const off = { sr11_7_enabled: false, fair_lending_monitoring: false, bsa_aml_checks: false };
    expect(categoriesFound(off)).toEqual(["privacy", "consumer_protection", "custom"]);
    expect(categoriesFound({ ...ALL_ON, bsa_aml_checks: false })).not.toContain("bsa_aml");
  });

  it("select among the custom rules", () => {
    const { engine, lines } = createTestEngine({
      rules: [ruleOf("one", [{}]), ruleOf("two", [{}])],
    });
    const found = (custom_rules?: string[]): string[] =>
      engine
        .evaluate(context, { ...ALL_ON, ...(custom_rules && { custom_rules }) })
        .violations.map(({ rule }) => rule);
    expect(found()).toEqual(["one", "two"]);
    expect(found(["two"])).toEqual(["two"]);
    expect(found([])).toEqual([]);
    expect(found(["two", "gone"])).toEqual(["two"]);
    expect(found(["two", "gone"])).toEqual(["two"]);
    expect(lines).toEqual([expect.stringContaining('custom_rules names the unknown rule "gone"')]);
    expect(found(["twoo"])).toEqual([]);
    expect(lines[1]).toContain(
      'custom_rules names the unknown rule "twoo": did you mean "two"?; an answer is evaluated without it, until it is added',
    );
  });

  it("are the agent's unless given, and all on when they can't be looked up", () => {
    const settingsOf = (agentId: string): ComplianceSettings => {
      if (agentId === "broken") throw new TypeError("database is down");
      return { ...ALL_ON, custom_rules: [] };
    };
    const { engine, lines } = createTestEngine({ rules: [ruleOf("one", [{}])], settingsOf });
    expect(engine.evaluate(context).violations).toEqual([]);
    expect(engine.evaluate(context, ALL_ON).violations).toHaveLength(1);
    expect(engine.evaluate({ ...context, agentId: "broken" }).violations).toHaveLength(1);
    expect(lines).toEqual([
      "error compliance_settings compliance settings can't be looked up: TypeError",
    ]);
  });

  it("leave out rules that are not active", () => {
    const { engine } = createTestEngine({ rules: [ruleOf("off", [{}], { isActive: false })] });
    expect(engine.evaluate(context).metadata.rulesEvaluated).toBe(0);
  });
});

describe("rules", () => {
  it("are the built-in ones by default", () => {
    const engine = new ComplianceEngine({
      clock: systemClock,
      log: { log: () => undefined, flush: () => undefined },
    });
    expect(engine.rules.map(({ id }) => id)).toEqual(builtInRules.map(({ id }) => id));
  });

  it("must be valid: every problem is named at once", () => {
    const { engine } = createTestEngine();
    const invalid = {
      ...ruleOf("x"),
      id: "",
      category: "weather",
      ruleFunction: "no",
    } as unknown as ComplianceRule;
    let error: unknown;
    try {
      engine.addRule(invalid);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ValidationError);
    expect((error as ValidationError).details.map(({ field }) => field).toSorted()).toEqual([
      "category",
      "id",
      "ruleFunction",
    ]);
    expect(engine.rules).toEqual([]);
  });

  it("are copied and frozen", () => {
    const { engine } = createTestEngine();
    const rule = ruleOf("rule", [{}], { tags: ["a"] });
    engine.addRule(rule);
    rule.isActive = false;
    rule.tags?.push("b");
    rule.ruleFunction = () => {
      throw new Error("changed");
    };
    expect(engine.evaluate(context).violations).toHaveLength(1);
    expect(engine.rules[0]).toMatchObject({ isActive: true, tags: ["a"] });
    expect(Object.isFrozen(engine.rules[0])).toBe(true);
  });

  it("may be instances of a class", () => {
    class Greeting {
      readonly #word = "hi";
      readonly id = "greeting";
      readonly name = "Greeting";
      readonly description = "";
      readonly category = "custom";
      readonly severity = "warning";
      readonly isActive = true;
      ruleFunction({
        agentResponse = "",
      }: {
        agentResponse?: string | undefined;
      }): ReturnType<ComplianceRule["ruleFunction"]> {
        return {
          isCompliant: true,
          violations: [],
          riskScore: 0,
          requiresReview: agentResponse.includes(this.#word),
        };
      }
    }
    const { engine } = createTestEngine();
    engine.addRule(new Greeting());
    expect(engine.evaluate(context).requiresReview).toBe(true);
  });

  it("are replaced by one with the same id, with a warning, and removed by id", () => {
    const { engine, lines } = createTestEngine();
    engine.addRule(ruleOf("rule", [{}]));
    engine.addRule(ruleOf("rule"));
    expect(engine.rules).toHaveLength(1);
    expect(engine.evaluate(context).violations).toEqual([]);
    expect(lines).toEqual([
      'warn compliance_rule_replaced:rule compliance rule "rule" is replaced',
    ]);
    expect(engine.removeRule("rule")).toBe(true);
    expect(engine.removeRule("rule")).toBe(false);
    expect(engine.rules).toEqual([]);
  });
});
