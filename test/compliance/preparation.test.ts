import { describe, expect, it } from "vitest";
import { compileBuiltInPhrases, readBuiltInPack } from "../../.ci/compile-packs.ts";
import { defineRule } from "../../src/compliance/define-rule.ts";
import { BUILT_IN_PACK } from "../../src/compliance/compiled/built-in-pack.generated.ts";
import { BUILT_IN_PHRASES } from "../../src/phrases/built-in-phrases.generated.ts";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import { context, createTestEngine } from "./engine-fixtures.ts";

describe("the wording of the built-in rules", () => {
  it("is compiled as it stands", async () => {
    const { compiled, phrases } = await compileBuiltInPhrases(await readBuiltInPack());
    // Not toBe: it would print a million characters.
    expect(phrases === BUILT_IN_PHRASES).toBe(true);
    expect(compiled).toEqual(JSON.parse(BUILT_IN_PACK));
  });

  it("is not decoded when an engine is made", () => {
    createTestEngine({ rules: builtInRules });
    expect(builtInRules.filter((rule) => rule.isPrepared())).toEqual([]);
  });
});

describe("a rule whose groups and concepts are functions", () => {
  it("asks for each once, when the phrases are read", () => {
    const calls: string[] = [];
    const rule = defineRule({
      id: "privacy-greeting",
      name: "Greeting",
      description: "Flags greetings.",
      explanation: "It greets.",
      category: "privacy",
      severity: "info",
      law: { citation: "None", asOf: "2026-11-21", status: "guidance" },
      recommendation: "Don't greet.",
      impact: { customer: "minimal", business: "minimal" },
      concepts() {
        calls.push("concepts");
        return { greeting: "hello | good morning" };
      },
      phrases: {
        hi() {
          calls.push("hi");
          return { match: ["{greeting} ..2 there"] };
        },
      },
    });
    const { engine } = createTestEngine({ rules: [rule] });
    expect(rule.patternIds).toEqual(["privacy-greeting/hi"]);
    expect(calls).toEqual([]);
    const { violations } = engine.evaluate({ ...context, agentResponse: "Good morning there." });
    expect(violations).toMatchObject([{ context: { detectedContent: "Good morning there." } }]);
    engine.evaluate({ ...context, agentResponse: "Hello you there." });
    expect(calls).toEqual(["hi", "concepts"]);
  });
});
