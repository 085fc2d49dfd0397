import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtInRules } from "../../../src/compliance/built-in-rules.ts";
import { readBuiltInSource } from "../../../src/compliance/packs/pack-source.ts";
import { readRuleCases } from "../../helpers/rule-cases.ts";
import { context, createTestEngine } from "../engine-fixtures.ts";
import { problemsOf, read } from "./policy-fixture.ts";

const HEAD = "pack: { id: lists, version: 1.0.0, title: Lists }\n";
const create = () => createTestEngine({ rules: builtInRules, secondLook: null }).engine;

/** Gives the ids of the built-in rules that a pack changes. */
function changedBy(text: string): string[] {
  return read(text).rewritten.rules.map(({ id }) => id);
}

const shared = readBuiltInSource().words;
const linesOf = (kind: "words" | "phrases", name: string): readonly string[] =>
  shared.flatMap(({ value }) => value[kind]?.[name] ?? []);

describe("a changed list", () => {
  it("is one for the rules that read it, by way of other lists too, and for no others", () => {
    const ids = changedBy(
      `${HEAD}listOverrides:\n  words:\n    relative:\n      add: [godmother]\n`,
    );
    const direct = readBuiltInSource()
      .rules.filter((rule) => JSON.stringify(rule).includes("{relative}"))
      .map(({ id }) => id);
    expect(direct.length).toBeGreaterThan(3);
    expect(ids).toEqual(expect.arrayContaining(direct));
    expect(ids.length).toBeGreaterThan(direct.length);
    expect(ids).not.toContain("privacy-iban");
    expect(changedBy(`${HEAD}overrides:\n  privacy-iban:\n    threshold: 0.9\n`)).toEqual([]);
  });

  it("changes what its rules find, and the findings name the pack", () => {
    // A pattern of the common words: "{relative}" in a request that somebody else's account be told of.
    const { rules } = readBuiltInSource();
    const cases = readRuleCases();
    const relatives = new Set(linesOf("words", "relative"));
    let removed = 0;
    for (const rule of rules.filter((one) => JSON.stringify(one).includes("{relative}"))) {
      for (const one of cases[rule.id]?.violating ?? []) {
        const said = `${one.userMessage ?? ""} ${one.agentResponse ?? ""}`.toLowerCase();
        const named = [...relatives].filter((word) => said.includes(word.replace("~", "")));
        if (named.length === 0 || one.history) continue;
        const off = create();
        off.addRulePack(
          read(`${HEAD}listOverrides:\n  words:\n    relative:\n      active: false\n`),
        );
        const find = (engine: ReturnType<typeof create>) =>
          engine
            .evaluate({ ...context, ...one, sessionId: "s" })
            .violations.find(
              (flag) => flag.context?.detectedPattern === `${rule.id}/${one.pattern}`,
            );
        const before = find(create());
        const after = find(off);
        if (before && !after) removed++;
        if (after) expect(after.context?.["overridePackId"]).toBe("lists");
      }
    }
    expect(removed).toBeGreaterThan(0);
  });
});

describe("a list that is switched off", () => {
  /** Finds a pattern of a built-in rule one of whose conditions is a list alone, with a case of it. */
  const conditions = () => {
    const cases = readRuleCases();
    return readBuiltInSource().rules.flatMap((rule) =>
      Object.entries(rule.patterns).flatMap(([name, pattern]) => {
        if ("foundBy" in pattern) return [];
        const [line = "", ...others] = pattern.about ?? pattern.alongside ?? pattern.user ?? [];
        const list = line.slice(1);
        const isOwn = line.startsWith("@") && rule.phrases?.[list] !== undefined;
        const isShared = line.startsWith("@") && linesOf("phrases", list).length > 0;
        const off = `phrases: { ${list}: { active: false } }`;
        const shown = cases[rule.id]?.violating.find(
          (one) => one.pattern === name && one.history === undefined,
        );
        if (!shown || others.length > 0 || (!isOwn && !isShared)) return [];
        const text = isOwn ? `overrides: { ${rule.id}: { ${off} } }` : `listOverrides: { ${off} }`;
        return [{ id: `${rule.id}/${name}`, text, shown }];
      }),
    );
  };

  it("is a condition that nothing meets, and not no condition", () => {
    const [found] = conditions();
    if (!found) throw new Error("expected a pattern whose condition is a list");
    const patternsOf = (engine: ReturnType<typeof create>) =>
      engine
        .evaluate({ ...context, ...found.shown, sessionId: "s" }, { candidates: true })
        .violations.map((flag) => flag.context?.detectedPattern);
    expect(patternsOf(create())).toContain(found.id);
    const engine = create();
    engine.addRulePack(read(`${HEAD}${found.text}\n`));
    expect(patternsOf(engine)).not.toContain(found.id);
  });
});

describe("changes of lists go with other changes", () => {
  const OWN = readBuiltInSource().rules.find(({ id }) => id === "consumer-protection-fees");
  const [ownName = ""] = Object.keys(OWN?.words ?? {});

  it("of a rule's own list, of its threshold and its patterns", () => {
    expect(ownName).not.toBe("");
    const engine = create();
    engine.addRulePack(
      read(
        `${HEAD}overrides:\n  consumer-protection-fees:\n    threshold: 0.7\n    patterns: { tool-fee: { active: false } }\n    words:\n      ${ownName}: { add: [zzyzxqq] }\n`,
      ),
    );
    const rule = engine.rules.find(({ id }) => id === "consumer-protection-fees");
    expect(rule).toMatchObject({ threshold: 0.7, changedBy: { id: "lists" } });
    expect(rule).not.toMatchObject({
      patternIds: expect.arrayContaining(["consumer-protection-fees/tool-fee"]) as unknown,
    });
    expect(
      problemsOf(
        `${HEAD}overrides:\n  consumer-protection-fees:\n    words:\n      nothingLikeIt: { active: false }\n`,
      ),
    ).toEqual([expect.stringMatching(/^policy\.yaml:5:7: .*no built-in list has this name/)]);
  });

  it("and of common words for the rules of the pack as well", () => {
    const rule = (list: string) => `${HEAD}${list}rules:
  - id: bank-godmother
    version: 1.0.0
    title: Godmother
    category: custom
    severity: warning
    description: A godmother.
    explanation: The agent names a godmother.
    law: { citation: Policy 1, asOf: "2026-11-21", status: guidance }
    recommendation: Don't.
    impact: { customer: none, business: none }
    patterns: { named: { match: ["ask your {relative}"] } }
    cases:
      violating: [{ agentResponse: Ask your aunt., pattern: named }]
      compliant: [{ agentResponse: Ask. }]
`;
    const engine = (text: string) => {
      const made = create();
      made.addRulePack(read(text));
      const exchange = { ...context, agentResponse: "Ask your fairy." };
      return made.evaluate(exchange).violations.map((flag) => flag.rule);
    };
    expect(engine(rule(""))).not.toContain("bank-godmother");
    expect(engine(rule("listOverrides: { words: { relative: { add: [fairy] } } }\n"))).toContain(
      "bank-godmother",
    );
  });

  it("but not with those of another pack", () => {
    const engine = create();
    engine.addRulePack(read(`${HEAD}listOverrides:\n  words:\n    relative: { add: [fairy] }\n`));
    const before = [...engine.rules];
    const other = `pack: { id: other, version: 1.0.0, title: O }\noverrides:\n  bsa-aml-sanctions: { threshold: 0.9 }\n`;
    expect(() => engine.addRulePack(read(other))).toThrow(/"lists" changes this rule already/);
    expect(engine.rules).toEqual(before);
  });

  it("and leave alone what an engine has not", () => {
    const { engine } = createTestEngine();
    engine.addRulePack(read(`${HEAD}listOverrides:\n  words:\n    relative: { add: [fairy] }\n`));
    expect(engine.rules).toEqual([]);
  });
});

describe("a rewritten rule", () => {
  it("finds in its own cases what the compiled one finds", () => {
    // Every list gets a line that stands in no text, so that every rule which reads one is compiled anew.
    const changes = (kind: "words" | "phrases") =>
      shared
        .filter(({ file }) => !file.endsWith("guards.yaml"))
        .flatMap(({ value }) => Object.keys(value[kind] ?? {}))
        .map((name) => `    ${name}: { add: [zzyzxqq] }\n`)
        .join("");
    const text = `${HEAD}listOverrides:\n  words:\n${changes("words")}  phrases:\n${changes("phrases")}`;
    const pack = read(text);
    expect(pack.rewritten.rules.length).toBeGreaterThan(30);
    const plain = create();
    const rewritten = create();
    rewritten.addRulePack(pack);
    const cases = Object.values(readRuleCases()).flatMap(({ violating, compliant }) => [
      ...violating,
      ...compliant,
    ]);
    for (const [index, { history: _history, ...one }] of cases.entries()) {
      const exchange = { ...context, ...one, sessionId: `s-${index}` };
      const toFacts = (engine: typeof plain) =>
        engine
          .evaluate(exchange, { candidates: true })
          .violations.map(({ rule, severity, confidence, context: found }) => [
            rule,
            severity,
            confidence,
            found?.detectedPattern,
            found?.["spans"],
          ]);
      expect(toFacts(rewritten), JSON.stringify(one)).toEqual(toFacts(plain));
    }
  });
});

it("the example of the documents is read", () => {
  const path = join(import.meta.dirname, "../../../docs/rule-authors.md");
  const [, example = ""] =
    /```yaml\n(listOverrides:\n[^]*?)```\n/.exec(readFileSync(path, "utf8")) ?? [];
  expect(read(HEAD + example).listOverrides.words).toHaveProperty("relative");
});

describe("changes of lists are refused", () => {
  it.each([
    [
      "an unknown list",
      "words:\n    relatives: { active: false }",
      /4:5: .*did you mean "relative"/,
    ],
    ["a list of the guards", "phrases:\n    refusal: { active: false }", /4:5: .*guards/],
    [
      "a line that is not there",
      "words:\n    relative: { remove: [mothr] }",
      /4:26: .*no such line/,
    ],
    ["words that don't parse", "words:\n    relative: { add: ['(aunt'] }", /4:23: .*expected "\)"/],
    ["a list among words", "words:\n    relative: { add: ['@crimes'] }", /4:23: /],
    [
      "an unknown name",
      "words:\n    relative: { add: ['{nobodies}'] }",
      /\{nobodies\} is not known/,
    ],
    ["a list in itself", "words:\n    relative: { add: ['{relative}'] }", /contains itself/],
    [
      "two ways at once",
      "words:\n    relative: { active: false, add: [aunt] }",
      /expected either active/,
    ],
    ["another type", "words:\n    relative: 7", /4:15: /],
    ["another kind", "lines:\n    relative: { active: false }", /is no known member/],
    ["nothing", "words:\n    relative: {}", /expected either active/],
  ])("for %s, with the place", (_title, changes, message) => {
    expect(problemsOf(`${HEAD}listOverrides:\n  ${changes}\n`).join("\n")).toMatch(message);
  });

  it("where lists contain each other, of words and of phrases", () => {
    const text = `${HEAD}listOverrides:\n  phrases:\n    otherMatters: { add: ["@otherMatters"] }\n  words:\n    relative: { add: ["{weekday}"] }\n    weekday: { add: ["{relative}"] }\n`;
    expect(problemsOf(text)).toEqual([
      expect.stringMatching(/:4:5: .*the list @otherMatters contains itself$/),
      expect.stringMatching(/:6:5: .*the list \{relative\} contains itself$/),
      expect.stringMatching(/:7:5: .*the list \{weekday\} contains itself$/),
    ]);
  });

  it("where a list grows beyond its bound", () => {
    const rule = readBuiltInSource().rules.find(({ phrases }) => phrases);
    const [list = ""] = Object.keys(rule?.phrases ?? {});
    const lines = Array.from({ length: 5000 }, (_, index) => `          w${index}x ..3 y\n`);
    const text = `${HEAD}overrides:\n  ${rule?.id}:\n    phrases:\n      ${list}:\n        add: |\n${lines.join("")}`;
    const problems = problemsOf(text);
    expect(problems.length).toBeGreaterThan(0);
    for (const line of problems)
      expect(line).toMatch(/^policy\.yaml:[45]:\d+: .*at most 5000 phrases/);
  });

  it("all at once", () => {
    const text = `${HEAD}listOverrides:\n  words:\n    relatives: { active: false }\n    relative:\n      remove: |\n        mothr\n      add: |\n        (aunt\n        {nobodies}\n`;
    expect(problemsOf(text)).toHaveLength(4);
  });
});
