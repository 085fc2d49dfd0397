import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { defineRule } from "../../src/compliance/define-rule.ts";
import { elements } from "../../src/compliance/phrases/elements.ts";
import { currentTables } from "../../src/compliance/phrases/current-tables.ts";
import { builtInRules } from "../../src/compliance/rules/index.ts";
import type { RuleCases } from "../../src/compliance/verify-rule.ts";
import { context, createTestEngine } from "./engine-fixtures.ts";

const ROOM = new URL("../../src/compliance/", import.meta.url);

/** Lists, groups, concepts and phrases that are made when their module is imported. */
const EAGER_WORDING = [
  /^(?:export )?const \w+ = \[\s*["`]/m,
  /^(?:export )?const \w+(?:: PhraseGroup)? = \{\s*(?:in|match):/m,
  /^(?:export )?const \w+: Concepts = /m,
  /\bphrases: \{\n(?: +\/\/.*\n)* +(?:"[\w-]+"|\w+):/,
];

async function loadCases(ruleId: string): Promise<RuleCases> {
  const path = new URL(`rules/${ruleId}.cases.ts`, import.meta.url).href;
  return ((await import(path)) as { cases: RuleCases }).cases;
}

function listFiles(folder: string): string[] {
  return readdirSync(new URL(folder, ROOM)).map((file) => `${folder}${file}`);
}

describe("the wording of the built-in rules", () => {
  it("is not read when an engine is made", () => {
    createTestEngine({ rules: builtInRules });
    expect(elements).toEqual([]);
  });

  it("is read before the first text, and nothing is read later", async () => {
    const { engine } = createTestEngine({ rules: builtInRules });
    engine.evaluate({ ...context, userMessage: "Hello", agentResponse: "Hi" });
    const tables = currentTables();
    for (const { id } of builtInRules) {
      const { violating, compliant } = await loadCases(id);
      for (const one of [...violating, ...compliant]) engine.evaluate({ ...context, ...one });
    }
    // Not toBe: it would print a million numbers.
    expect(currentTables() === tables).toBe(true);
  });

  // What stands outside of declared functions and methods costs every application that imports the package.
  it.each([...listFiles("rules/"), ...listFiles("lexicon/")])("stands in functions: %s", (file) => {
    const source = readFileSync(new URL(file, ROOM), "utf8");
    expect(EAGER_WORDING.flatMap((pattern) => source.match(pattern) ?? [])).toEqual([]);
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
