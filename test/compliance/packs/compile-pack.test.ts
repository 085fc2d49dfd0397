import { describe, expect, it } from "vitest";
import { builtInPhrases } from "../../../src/phrases/built-in-phrases.ts";
import { CompiledPhrases } from "../../../src/phrases/compiled-phrases.ts";
import { findMatches } from "../../../src/phrases/find-matches.ts";
import { compilePhrases } from "../../../src/phrases/phrase-compiler.ts";
import { compilePack } from "../../../src/compliance/packs/compile-pack.ts";
import { readPack } from "../../../src/compliance/packs/read-pack.ts";
import { createExchange } from "../../../src/phrases/exchange.ts";
import { context } from "../engine-fixtures.ts";
import { KNOWN, RULE, toFiles, WORDS } from "./pack-fixture.ts";

const OTHER_RULE = RULE.replace("id: custom-greeting", "id: custom-goodbye")
  .replace("    bye\n", "    adieu\n")
  .replace("{greeting} ..2 there", "{bye} ..2 there");

const compile = (...rules: string[]) => {
  const files = toFiles(rules);
  const common = { path: "words/common.yaml", text: "words:\n  agent: |\n    i\n    we\n" };
  const guards = { path: "words/guards.yaml", text: "phrases:\n  refusal: no thanks\n" };
  return compilePack(readPack({ ...files, words: [...files.words, common, guards] }, KNOWN), KNOWN);
};

describe("a compiled pack", () => {
  it("says of its rules what their files say, without cases, notes and phrases", () => {
    const { compiled } = compile(RULE);
    expect(compiled).toMatchObject({
      id: "test-pack",
      version: "1.2.3",
      common: { agent: "i|we" },
    });
    expect(compiled.rules).toEqual([
      {
        id: "custom-greeting",
        version: "1.0.0",
        title: "Greeting",
        category: "custom",
        severity: "warning",
        description: "A greeting.",
        explanation: "The agent greets.",
        law: { citation: "None", asOf: "2026-11-21", status: "guidance" },
        recommendation: "Don't greet.",
        impact: { customer: "minimal", business: "none" },
        check: "greets-twice",
        patterns: ["hello"],
        checked: ["twice"],
        probes: ["greeted"],
        words: { greeting: ["hello", "good morning"] },
      },
    ]);
  });

  it("has the groups of its guards, patterns and probes, named lists in their places", () => {
    const { groups } = compile(RULE);
    expect(groups.map(({ name, group }) => [name, group])).toEqual([
      ["guards/refusal", { match: ["no thanks"] }],
      [
        "custom-greeting/hello",
        {
          match: ["{greeting} ..2 there", "good day & {someone}"],
          unless: ["see you", "^ {bye}"],
          ignore: ["question"],
          confidence: 0.7,
        },
      ],
      ["custom-greeting/probes/greeted", { in: "userMessage", match: ["{greeting}"] }],
    ]);
  });

  it("has one table of words: names that several rules have begin with their ids", () => {
    const { groups } = compile(RULE, OTHER_RULE);
    const concepts = groups.map((group) => group.concepts);
    expect(new Set(concepts).size).toBe(1);
    expect(concepts[0]).toEqual({
      greeting: "hello|good morning",
      someone: "sir|{greeting} all",
      "custom-goodbye/bye": "adieu|so long",
      "custom-greeting/bye": "bye|so long",
    });
    const hello = groups.find(({ name }) => name === "custom-goodbye/hello")?.group;
    expect(hello).toMatchObject({
      match: ["{custom-goodbye/bye} ..2 there", "good day & {someone}"],
      unless: ["see you", "^ {custom-goodbye/bye}"],
    });
  });

  it("resolves lists that name others", () => {
    const nested = RULE.replace("    see you\n", "    see you\n    @later\n").replace(
      "words:\n",
      "  later: |\n    until later\nwords:\n",
    );
    expect(compile(nested).groups[1]?.group).toMatchObject({
      unless: ["see you", "until later", "^ {bye}"],
    });
  });

  it("finds what its phrases say", () => {
    const { compiled, groups } = compile(RULE, OTHER_RULE);
    const tables = compilePhrases(groups, compiled.common);
    const phrases = new CompiledPhrases(tables, builtInPhrases());
    const find = (name: string, agentResponse: string): number => {
      const view = { ...context, agentResponse };
      return findMatches(phrases.group(name), createExchange(view, [])).length;
    };
    expect(find("custom-greeting/hello", "Good morning over there.")).toBe(1);
    expect(find("custom-greeting/hello", "Good day, dear sir.")).toBe(1);
    expect(find("custom-greeting/hello", "Good day, sir, see you.")).toBe(0);
    expect(find("custom-greeting/hello", "Bye, hello there.")).toBe(0);
    expect(find("custom-goodbye/hello", "Bye there.")).toBe(0);
    expect(find("custom-goodbye/hello", "Dear all, so long over there.")).toBe(1);
  });

  it("gives a check the words of its rule before those that rules share", () => {
    const own = RULE.replace("  bye: |", "  hail: |\n    {bye}\n  bye: |").replaceAll(
      "{greeting}",
      "{hail}",
    );
    const known = { ...KNOWN, checks: { "greets-twice": { probes: ["greeted"], words: ["bye"] } } };
    const { compiled } = compilePack(readPack(toFiles([own], WORDS), known), known);
    expect(compiled.rules[0]?.words).toEqual({ bye: ["bye", "so long"] });
  });
});
