import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtInRules } from "../../../src/compliance/built-in-rules.ts";
import { PackError } from "../../../src/compliance/packs/pack-error.ts";
import type { PolicyPack } from "../../../src/compliance/policy-pack.ts";
import { createTestEngine } from "../engine-fixtures.ts";
import { POLICY, problemsOf, read } from "./policy-fixture.ts";

const PHRASE = "(i|we) (will|have|can)? {waive} ..4 fee~";
const INDENT = "\n          ";
const having = (...lines: readonly string[]): string => POLICY.replace(PHRASE, lines.join(INDENT));

describe("text that is no pack is refused, with a place", () => {
  const aliases = Array.from("abcdefghijkl")
    .map((name, index) => {
      const before = String.fromCharCode(96 + index);
      const list = index === 0 ? "x, x, x" : Array.from({ length: 9 }, () => `*${before}`).join();
      return `${name}: &${name} [${list}]`;
    })
    .join("\n");

  it.each([
    ["aliases that explode", aliases, /^policy\.yaml:2:8: expected no alias/],
    [
      "brackets without end",
      "[".repeat(200_000),
      /^policy\.yaml:1:\d+: expected at most 16 levels$/,
    ],
    [
      "braces without end",
      "{a: ".repeat(50_000),
      /^policy\.yaml:1:\d+: expected at most 16 levels$/,
    ],
    ["lists in lists", "- ".repeat(400_000), /^policy\.yaml:1:\d+: expected at most 16 levels$/],
    ["several documents", "---\na: 1\n---\nb: 2\n", /^policy\.yaml:3:1: expected one document$/],
    ["a tag", "pack: !!js/function x\n", /expected no tag/],
    ["a merge", "a: &a { b: 1 }\npack: { <<: *a }\n", /expected no alias/],
    ["a list as a name", "? [a, b]\n: 1\n", /^policy\.yaml:1:3: /],
    ["a member that stands twice", `${POLICY}pack: {}\n`, /"pack" stands twice/],
    ["a dangerous name", "__proto__: { a: 1 }\n", /^policy\.yaml:1:1: "__proto__" is no name$/],
    [
      "members without end",
      Array.from({ length: 60_000 }, (_, index) => `k${index}: 1\n`).join(""),
      /^policy\.yaml:1:1: k0: is no known member$/m,
    ],
    ["nothing", "", /^policy\.yaml:1:1: /],
  ])("%s", (_title, text, message) => {
    const problems = problemsOf(text);
    expect(problems.length).toBeLessThanOrEqual(101);
    expect(problems.join("\n")).toMatch(message);
  });

  it("regular expressions, which phrases are not", () => {
    const lines = ["/(a+)+$/", "(a*)*b", ".*.*.*x", "[a-z]+$", "a{1,99999}", "(?=a)b", "\\bfee\\b"];
    const problems = problemsOf(having(...lines));
    const first = POLICY.slice(0, POLICY.indexOf(PHRASE)).split("\n").length;
    expect([...new Set(problems.map((line) => Number(line.split(":")[1])))]).toEqual(
      lines.map((_line, index) => first + index),
    );
  });

  it.each(["ab*", `${"a".repeat(33)}*`, "word..4 fee", ".", "fee ..", "#nope fee", "fee |"])(
    "the phrase %s",
    (line) => {
      expect(problemsOf(having(line))).toEqual([expect.stringMatching(/^policy\.yaml:\d+:11: /)]);
    },
  );
});

describe("anything as phrases", () => {
  const part = fc.constantFrom(
    ..."( ) | { } {waive} {relative} @passedOn @ # #money & ^ ? ~ * .. ..4 ..99 a fee fee~ wai* can't . ' - é 0".split(
      " ",
    ),
  );
  const line = fc
    .array(part, { minLength: 1, maxLength: 8 })
    .chain((parts) => fc.constantFrom(" ", "").map((glue) => parts.join(glue)));

  it("is read or refused with its place, and what is read can be added", () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), (lines) => {
        const text = having(...lines);
        let pack: PolicyPack;
        try {
          pack = read(text);
        } catch (error) {
          expect(error).toBeInstanceOf(PackError);
          return;
        }
        createTestEngine({ rules: builtInRules }).engine.addRulePack(pack);
      }),
      { numRuns: 150 },
    );
  });
});

describe("a pack that was changed by hand behind the reader", () => {
  const { rules, ...rest } = read(POLICY);
  const [rule] = rules;
  if (!rule) throw new Error("expected a rule");

  it.each([
    [
      "a phrase that can't be read",
      { rules: [{ ...rule, phrases: { promise: { match: ["(a"] } } }] },
    ],
    ["words that can't be read", { concepts: { waive: "(a" }, rules }],
    ["rules that are none", { rules: [null] }],
    ["changes that are none", { overrides: null, rules }],
    ["rules of the build that are none", { rewritten: { rules: [{ id: "privacy-iban" }] }, rules }],
    ["no rules", {}],
  ])("%s: the engine stays as it was", (_title, changed) => {
    const { engine } = createTestEngine({ rules: builtInRules });
    const before = [...engine.rules];
    expect(() => engine.addRulePack({ ...rest, ...changed } as unknown as PolicyPack)).toThrow();
    expect(engine.rules).toEqual(before);
  });
});
