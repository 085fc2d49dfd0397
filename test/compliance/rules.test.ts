import { describe, expect, it } from "vitest";
import { builtInRules } from "../../src/compliance/rules/index.ts";
import { verifyRule, type RuleCases } from "../../src/compliance/verify-rule.ts";

async function loadCases(ruleId: string): Promise<RuleCases> {
  const path = new URL(`rules/${ruleId}.cases.ts`, import.meta.url).href;
  const { cases } = (await import(path)) as { cases: RuleCases };
  return cases;
}

describe("every rule does what its cases say", () => {
  it.each(builtInRules.map((rule) => [rule.id, rule] as const))("%s", async (id, rule) => {
    const cases = await loadCases(id);
    expect(verifyRule(rule, cases)).toMatchObject({
      ruleId: id,
      violating: cases.violating.length,
      compliant: cases.compliant.length,
    });
  });
});
