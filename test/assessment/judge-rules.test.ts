import { describe, expect, it } from "vitest";
import { toJudgeRules } from "../../src/assessment/judge-input.ts";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import { addPack } from "../../src/compliance/add-pack.ts";
import type { ComplianceRule } from "../../src/events/compliance.ts";
import { readBuiltInSource, readRulePackFile } from "../../src/packs.ts";

const source = readBuiltInSource().rules;

describe("toJudgeRules", () => {
  it("tells of each built-in rule what its file says, with cases that a line can show", () => {
    const told = toJudgeRules(builtInRules, source);
    expect(told.map(({ id }) => id)).toEqual(builtInRules.map(({ id }) => id));
    for (const { id, law, notes, violating, compliant } of told) {
      expect([id, law, notes].every((text) => typeof text === "string" && text !== "")).toBe(true);
      for (const examples of [violating, compliant]) {
        expect(examples.length, id).toBeGreaterThan(0);
        expect(examples.length, id).toBeLessThanOrEqual(4);
        expect(
          examples.every((example) => Object.keys(example).length > 0),
          id,
        ).toBe(true);
      }
    }
  });

  it("tells what was known of the case where that breaks the rule", () => {
    const [rule] = toJudgeRules(
      builtInRules.filter(({ id }) => id === "bsa-aml-high-risk-transaction"),
      source,
    );
    expect(rule?.violating[0]?.facts).toMatchObject({ customer: { riskRating: "high" } });
  });

  it("tells of a bank's own rules what its pack says", () => {
    const rules = addPack(builtInRules, readRulePackFile("examples/policy/policy.yaml"));
    const own = rules.filter(({ id }) => !builtInRules.some((rule) => rule.id === id));
    expect(own.length).toBeGreaterThan(0);
    for (const { violating, compliant, law } of toJudgeRules(own, source)) {
      expect(violating.length).toBeGreaterThan(0);
      expect(compliant.length).toBeGreaterThan(0);
      expect(law).toBeDefined();
    }
  });

  it("tells of a rule of code what it says of itself, and leaves out what is switched off", () => {
    const rule: ComplianceRule = {
      id: "custom-tone",
      name: "Tone",
      description: "Answers that insult.",
      category: "custom",
      severity: "info",
      isActive: true,
      ruleFunction: () => ({
        isCompliant: true,
        violations: [],
        riskScore: 0,
        requiresReview: false,
      }),
    };
    expect(toJudgeRules([rule, { ...rule, id: "custom-off", isActive: false }], source)).toEqual([
      {
        id: "custom-tone",
        title: "Tone",
        description: "Answers that insult.",
        category: "custom",
        severity: "info",
        violating: [],
        compliant: [],
      },
    ]);
  });
});
