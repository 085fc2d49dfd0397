import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { defineRule } from "../../src/compliance/define-rule.ts";
import { BUILT_IN_PHRASES } from "../../src/compliance/phrases/built-in-phrases.generated.ts";
import { guardPhrases } from "../../src/compliance/phrases/guards.ts";
import { encodePhrases } from "../../src/compliance/phrases/phrase-codec.ts";
import { compilePhrases } from "../../src/compliance/phrases/phrase-compiler.ts";
import { builtInRules } from "../../src/compliance/rules/index.ts";
import { context, createTestEngine } from "./engine-fixtures.ts";

const ROOM = new URL("../../src/compliance/", import.meta.url);

/** Lists, groups, concepts and phrases that are made when their module is imported. */
const EAGER_WORDING = [
  /^(?:export )?const \w+ = \[\s*["`]/m,
  /^(?:export )?const \w+(?:: PhraseGroup)? = \{\s*(?:in|match):/m,
  /^(?:export )?const \w+: Concepts = /m,
  /\bphrases: \{\n(?: +\/\/.*\n)* +(?:"[\w-]+"|\w+):/,
];

function listFiles(folder: string): string[] {
  return readdirSync(new URL(folder, ROOM)).map((file) => `${folder}${file}`);
}

describe("the wording of the built-in rules", () => {
  it("is compiled as it stands", () => {
    const groups = [guardPhrases, ...builtInRules].flatMap((source) => source.listGroups());
    const byName = new Map(groups.map((group) => [group.name, group]));
    // Not toBe: it would print a million characters.
    expect(encodePhrases(compilePhrases(byName.values())) === BUILT_IN_PHRASES).toBe(true);
  });

  it("is not decoded when an engine is made", () => {
    createTestEngine({ rules: builtInRules });
    expect(builtInRules.filter((rule) => rule.isPrepared())).toEqual([]);
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
