import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPack } from "../../../src/compliance/packs/read-pack.ts";
import { HEAD, KNOWN, problemsOf, read, RULE, toFiles, WORDS } from "./pack-fixture.ts";

/** Puts something in the place of a part of the rule, which must be there once. */
function changed(part: string, by: string, text = RULE): string {
  expect(text.split(part)).toHaveLength(2);
  return text.replace(part, () => by);
}

describe("a pack", () => {
  it("is read with phrases a line each, remarks and empty lines left out", () => {
    const { id, version, rules, words } = read();
    expect({ id, version }).toEqual({ id: "test-pack", version: "1.2.3" });
    expect(rules).toHaveLength(1);
    expect(rules[0]?.patterns["hello"]).toEqual({
      match: ["{greeting} ..2 there", "good day & {someone}"],
      unless: ["@farewells"],
      ignore: ["question"],
      confidence: 0.7,
    });
    expect(words[0]?.value.words?.["greeting"]).toEqual(["hello", "good morning"]);
  });

  it("takes lists of phrases as well", () => {
    const listed = changed("match: |\n      {greeting}\n", 'match: ["{greeting}", hi]\n');
    expect(read(listed).rules[0]?.probes?.["greeted"]?.match).toEqual(["{greeting}", "hi"]);
  });

  it("has its rules in the order of the categories, then of the ids", () => {
    const ids = ["privacy-a", "custom-b", "custom-a"];
    const texts = ids.map((id) =>
      changed("category: custom", `category: ${id.split("-")[0]}`, RULE).replace(
        /^id: .*/,
        `id: ${id}`,
      ),
    );
    const { rules } = readPack(toFiles(texts), KNOWN);
    expect(rules.map(({ id }) => id)).toEqual(["custom-a", "custom-b", "privacy-a"]);
  });
});

describe("a pack that can't be taken says where and why", () => {
  it.each([
    [
      "an unknown member",
      "title: Greeting",
      "titel: Greeting",
      "rule-1.yaml:3:1 titel: is no known member",
    ],
    [
      "a missing member",
      "title: Greeting\n",
      "",
      "rule-1.yaml:1:1 title: Invalid input: expected string, received undefined",
    ],
    [
      "an unknown member of a pattern",
      "ignore: [question]",
      "ingore: [question]",
      "rule-1.yaml:26:5 patterns.hello.ingore: is no known member",
    ],
    [
      "a wrong type",
      "confidence: 0.7",
      "confidence: high",
      "rule-1.yaml:27:17 patterns.hello.confidence: Invalid input: expected number, received string",
    ],
    [
      "a value out of range",
      "confidence: 0.7",
      "confidence: 7",
      "rule-1.yaml:27:17 patterns.hello.confidence: Too big: expected number to be <=1",
    ],
    [
      "an unknown guard",
      "[question]",
      "[questions]",
      expect.stringContaining("rule-1.yaml:26:14 patterns.hello.ignore.0: Invalid option"),
    ],
    [
      "an id of another form",
      "id: custom-greeting",
      "id: Custom Greeting",
      "rule-1.yaml:1:5 id: expected lower-case words joined by hyphens",
    ],
    [
      "a version of another form",
      "version: 1.0.0",
      "version: 1.0",
      expect.stringContaining("rule-1.yaml:2:10 version: "),
    ],
    [
      "a name of another form",
      "  bye: |",
      "  Bye_: |",
      "rule-1.yaml:40:3 words.Bye_: expected a name in camel case, letters and digits",
    ],
    [
      "a name that is a member of every object",
      "  bye: |",
      "  __proto__: |",
      'rule-1.yaml:40:3 "__proto__" is no name',
    ],
    [
      "a phrase that doesn't parse",
      "good day &",
      "good (day &",
      'rule-1.yaml:23:7 expected ")" in "good (day & {someone}"',
    ],
    [
      "a phrase with a capital letter",
      "see you",
      "See you",
      'rule-1.yaml:37:5 expected a word in small letters, got "See" in "See you"',
    ],
    [
      "words that are a phrase",
      "    so long\n",
      "    so & long\n",
      'rule-1.yaml:42:5 expected words, got a phrase: "so & long"',
    ],
    [
      "unknown words",
      "{greeting} ..2 there",
      "{greetings} ..2 there",
      "rule-1.yaml:21:7 {greetings} is not known",
    ],
    ["unknown phrases", "@farewells", "@farewell", "rule-1.yaml:25:7 @farewell is not known"],
    [
      "words that contain themselves",
      "    so long\n",
      "    so {bye}\n",
      "rule-1.yaml:40:3 the list {bye} contains itself",
    ],
    [
      "phrases that contain themselves",
      "    see you\n",
      "    @farewells\n",
      "rule-1.yaml:36:3 the list @farewells contains itself",
    ],
    [
      "a name that shared words have",
      "  bye: |\n",
      "  greeting: |\n    hi\n  bye: |\n",
      "rule-1.yaml:40:3 words.greeting: shared words have the name",
    ],
    [
      "words that nothing names",
      "words:\n  bye",
      "words:\n  hi: hi\n  bye",
      "rule-1.yaml:40:3 words.hi: nothing names it",
    ],
    [
      "an unknown check",
      "check: greets-twice",
      "check: greets-thrice",
      "rule-1.yaml:16:8 check: expected one of greets-twice, other",
    ],
    [
      "an unknown exemption",
      "check: greets",
      "exemption: none\ncheck: greets",
      "rule-1.yaml:16:12 exemption: expected one of is-polite",
    ],
    [
      "a check without its probe",
      "  greeted:",
      "  greetings:",
      'rule-1.yaml:16:8 check: the check needs a probe "greeted"',
    ],
    [
      "a pattern of a check that is not there",
      "check: greets-twice\n",
      "",
      "rule-1.yaml:28:5 patterns.twice: foundBy: the rule names no check",
    ],
    [
      "a pattern without a case",
      "pattern: twice",
      "pattern: hello",
      "rule-1.yaml:29:5 patterns.twice: no violating case shows it",
    ],
    [
      "a case of no pattern",
      "pattern: hello",
      "pattern: hi",
      'rule-1.yaml:46:16 cases.violating.0.pattern: the rule has no pattern "hi"',
    ],
    [
      "an unknown member of a case",
      "    - agentResponse: Thank you.",
      "    - agentAnswer: Thank you.",
      "rule-1.yaml:51:7 cases.compliant.0.agentAnswer: is no known member",
    ],
    [
      "phrases that are joined to one",
      "match: |\n      {greeting}\n",
      "match: >\n      {greeting}\n      there\n",
      "rule-1.yaml:33:12 probes.greeted.match: expected a block (|), which keeps a phrase on its line",
    ],
    [
      "a member twice",
      "severity: warning",
      "severity: warning\nseverity: info",
      'rule-1.yaml:6:1 "severity" stands twice',
    ],
    [
      "an alias",
      "description: A greeting.",
      "description: &a A greeting.\nnotes: *a",
      "rule-1.yaml:7:8 expected no alias: a pack names what it shares by {name} and @name",
    ],
    [
      "a tag",
      "title: Greeting",
      "title: !!binary R3JlZXRpbmc=",
      "rule-1.yaml:3:17 expected no tag",
    ],
    ["text that is no YAML", "impact:", "impact: ]", expect.stringContaining("rule-1.yaml:13:9 ")],
    [
      "several documents",
      "check: greets-twice",
      "---\ncheck: greets-twice",
      expect.stringContaining("rule-1.yaml:16:"),
    ],
  ])("%s", (_title, part, by, problem) => {
    expect(problemsOf(() => read(changed(part, by)))).toContainEqual(problem);
  });

  it("all problems of all files at once, in their order", () => {
    const words = WORDS.replace("someone: |", "Someone: |");
    const rule = changed("severity: warning", "severity: bad").replace(
      "confidence: 0.7",
      "confidence: 2",
    );
    const problems = problemsOf(() => read(rule, words, HEAD.replace("version", "vershion")));
    expect(problems.map((problem) => problem.split(" ")[0])).toEqual([
      "pack.yaml:1:1",
      "pack.yaml:2:1",
      "rule-1.yaml:5:11",
      "rule-1.yaml:27:17",
      "words.yaml:5:3",
    ]);
  });

  it("an id that two rules have", () => {
    expect(problemsOf(() => readPack(toFiles([RULE, RULE]), KNOWN))).toEqual([
      'rule-2.yaml:1:1 id: "custom-greeting" is the id of the rule in rule-1.yaml already',
    ]);
  });

  it("a name that two files of shared words have", () => {
    const files = toFiles([RULE]);
    const more = { path: "more.yaml", text: "words:\n  greeting: hi\n" };
    const problems = problemsOf(() => readPack({ ...files, words: [...files.words, more] }, KNOWN));
    expect(problems).toEqual([
      "more.yaml:2:3 words.greeting: the name stands in words.yaml already",
    ]);
  });

  it.each(["", "null", "- a", "text", "{}", "\u0000", "\ufeff"])("a rule that is %j", (text) => {
    expect(problemsOf(() => read(text)).length).toBeGreaterThan(0);
  });
});

describe("input that is meant to do harm is refused at once", () => {
  it("100 MB", () => {
    expect(problemsOf(() => read(`${RULE}\n# ${"x".repeat(100_000_000)}`))).toEqual([
      expect.stringContaining("rule-1.yaml:1:1 expected at most 1048576 characters, got 100"),
    ]);
  });

  it("aliases that explode", () => {
    const levels = Array.from(
      { length: 30 },
      (_, level) =>
        `l${level}: &l${level} [${
          level === 0
            ? "x"
            : Array(9)
                .fill(`*l${level - 1}`)
                .join(",")
        }]`,
    );
    const problems = problemsOf(() => read(levels.join("\n")));
    expect(problems[0]).toContain("rule-1.yaml:2:10 expected no alias");
  });

  it.each([
    ["brackets", "[".repeat(200_000)],
    ["braces", "{a: ".repeat(200_000)],
    ["levels", Array.from({ length: 1000 }, (_, level) => `${" ".repeat(level)}a:`).join("\n")],
  ])("a thousand levels of %s", (_title, text) => {
    expect(problemsOf(() => read(text)).length).toBeGreaterThan(0);
  });

  // What compares each with all others takes minutes for these.
  it.each([
    ["members", Array.from({ length: 90_000 }, (_, index) => `m${index}: 1`).join("\n")],
    [
      "members of braces",
      `{${Array.from({ length: 80_000 }, (_, index) => `m${index}: 1`).join()}}`,
    ],
    [
      "names",
      RULE.replace(
        "words:\n",
        `words:\n${Array.from({ length: 40_000 }, (_, index) => `  n${index}: "{x}"\n`).join("")}`,
      ),
    ],
    ["unknown words", RULE.replace("    so long\n", "    {x}\n".repeat(100_000))],
    ["phrases that don't parse", RULE.replace("    so long\n", "    (\n".repeat(4900))],
  ])("a hundred thousand %s", (_title, text) => {
    const problems = problemsOf(() => read(text));
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.length).toBeLessThanOrEqual(500);
  });

  it("whatever a file of a pack is changed into", () => {
    const lines = RULE.split("\n");
    const junk = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.constantFrom(
        "|",
        ">",
        "&a",
        "*a",
        "!!map",
        "{",
        "[",
        "- ",
        "? ",
        ": ",
        "\t",
        "---",
        "...",
        "#",
        "''",
        "{greeting}",
      ),
    );
    const change = fc.record({
      at: fc.nat(lines.length - 1),
      column: fc.nat(40),
      text: junk,
      cuts: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const copy = [...lines];
        for (const { at, column, text, cuts } of changes) {
          const line = copy[at] ?? "";
          copy.splice(at, cuts, line.slice(0, column) + text + line.slice(column));
        }
        for (const problem of problemsOf(() => read(copy.join("\n"))))
          expect(problem).toMatch(/^rule-1\.yaml:[1-9]\d*:[1-9]\d* \S/);
      }),
      { numRuns: 300 },
    );
  });
});
