import { describe, expect, it } from "vitest";
import { defineRule, type DefinedRule } from "../../src/compliance/define-rule.ts";
import type { PhraseGroup } from "../../src/phrases/phrase-group.ts";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import { context, createTestEngine } from "../compliance/engine-fixtures.ts";

function define(id: string, said: PhraseGroup): DefinedRule {
  return defineRule({
    id,
    name: "Words",
    description: "Flags words.",
    explanation: "It says the words.",
    category: "custom",
    severity: "info",
    law: { citation: "None", asOf: "2026-11-21", status: "guidance" },
    recommendation: "Say others.",
    impact: { customer: "minimal", business: "minimal" },
    concepts: { harvest: "harvest~ | {money}" },
    phrases: { said },
  });
}

const farmer = define("custom-farmer", { match: ["former ..2 {harvest}"] });
const harvest = define("custom-harvest", { match: ["{harvest} ..3 barn"] });
const unless = define("custom-unless", { match: ["barn"], unless: ["former"] });
const TEXT = "The farmer brought the former harvest to the b4rn. Now the barn burns.";

function evaluate(rules: readonly DefinedRule[], text: string) {
  const { engine } = createTestEngine({ rules: [] });
  for (const rule of rules) engine.addRule(rule);
  const { violations } = engine.evaluate({ ...context, agentResponse: text });
  return violations.map((violation) => [violation.rule, violation.context?.detectedContent]);
}

describe("rules with phrases that are added to an engine", () => {
  it("find together what each finds alone", () => {
    const rules = [farmer, harvest, unless];
    const alone = rules.flatMap((rule) => evaluate([rule], TEXT));
    expect(alone.map(([rule]) => rule)).toEqual(["custom-farmer", "custom-harvest"]);
    expect(evaluate(rules, TEXT)).toEqual(alone);
  });

  it("are read as they are now when one is replaced, and when one is gone", () => {
    const { engine } = createTestEngine({ rules: [] });
    const found = (): unknown => {
      const { violations } = engine.evaluate({ ...context, agentResponse: TEXT });
      return violations.map(({ rule }) => rule);
    };
    for (const rule of [farmer, harvest]) engine.addRule(rule);
    expect(found()).toEqual(["custom-farmer", "custom-harvest"]);
    engine.addRule(define("custom-farmer", { match: ["former farmer"] }));
    expect(found()).toEqual(["custom-harvest"]);
    engine.addRule(define("custom-farmer", { match: ["farmer brought"] }));
    expect(found()).toEqual(["custom-farmer", "custom-harvest"]);
    engine.removeRule("custom-harvest");
    expect(found()).toEqual(["custom-farmer"]);
  });

  it("change nothing of what the built-in rules find", () => {
    // One letter away from words of theirs, which would be read as slips.
    const near = define("custom-near", { match: ["guarentees", "rsik ..2 retorns", "guarentee~"] });
    const text = "The fund guarentees a 5 % return every year, without any rsik.";
    const { engine } = createTestEngine({ rules: builtInRules, secondLook: null });
    const ofBuiltIn = () => {
      const { violations } = engine.evaluate({ ...context, agentResponse: text });
      return violations.filter(({ category }) => category !== "custom").map(({ rule }) => rule);
    };
    const before = ofBuiltIn();
    expect(before).toContain("consumer-protection-guaranteed-returns");
    engine.addRule(near);
    engine.addRule(harvest);
    expect(ofBuiltIn()).toEqual(before);
  });
});
