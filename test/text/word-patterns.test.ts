import { describe, expect, it } from "vitest";
import { linearPatterns } from "../../src/text/pattern.ts";
import { anyWord, firstWord, lastWord, oneOf, wholeText } from "../../src/text/word-patterns.ts";
import { wordSet } from "../../src/text/word-set.ts";

describe("oneOf", () => {
  it("joins the themes of its lines to one group, and reads no escapes", () => {
    const foreign = "swift|iban";
    expect(oneOf`
      wire|remit\w*
      letter of credit|${foreign}
    `).toBe(String.raw`(?:wire|remit\w*|letter of credit|swift|iban)`);
  });

  it("takes one line", () => {
    expect(oneOf`wire|ach`).toBe("(?:wire|ach)");
  });
});

describe("tests of words", () => {
  const testers = [anyWord, firstWord, lastWord, wholeText].map((make) => make`wire|send\w*`);

  it.each([
    ["a wire now", [true, false, false, false]],
    ["wire now", [true, true, false, false]],
    ["now sending", [true, false, true, false]],
    ["sender", [true, true, true, true]],
    ["wired", [false, false, false, false]],
    ["rewire", [false, false, false, false]],
  ])("find them where they are looked for: %s", (text, expected) => {
    expect(testers.map((tester) => tester.test(text))).toEqual(expected);
  });

  it("make linear patterns, which are listed before their first use", () => {
    const unused = anyWord`word that nobody asks for`;
    const sources = Array.from(linearPatterns(), ({ source }) => source);
    expect(sources).toContain(String.raw`\b(?:word that nobody asks for)\b`);
    expect(unused.test("word that nobody asks for")).toBe(true);
  });
});

describe("wordSet", () => {
  it("makes a set of words on several lines", () => {
    expect([...wordSet("\n  one two\n  three\n")]).toEqual(["one", "two", "three"]);
    expect([...wordSet("")]).toEqual([]);
  });
});
