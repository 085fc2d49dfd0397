import { describe, expect, it } from "vitest";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import { verifyRule } from "../../src/compliance/verify-rule.ts";
import { readRuleCases } from "../helpers/rule-cases.ts";

const casesOf = readRuleCases();

describe("every rule does what its cases say", () => {
  it.each(builtInRules.map((rule) => [rule.id, rule] as const))("%s", (id, rule) => {
    const cases = casesOf[id] ?? { violating: [], compliant: [] };
    expect(verifyRule(rule, cases)).toMatchObject({
      ruleId: id,
      violating: cases.violating.length,
      compliant: cases.compliant.length,
    });
  });
});
