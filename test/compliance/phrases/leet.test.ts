import { describe, expect, it } from "vitest";
import { tokenise } from "../../../src/compliance/phrases/tokenise.ts";
import { vocabulary } from "../../../src/compliance/phrases/vocabulary.ts";

for (const word of ["deposit", "filing", "infallible", "lines", "not", "reports", "will"])
  vocabulary.addWord(word);
vocabulary.addStem("lin");

function read(text: string): string[] {
  const { tokens } = tokenise(text, [{ start: 0, end: text.length }], false);
  return tokens.map(({ word, start, end }) => `${word}@${start}-${end}`);
}

describe("letters written as digits and signs", () => {
  it.each([
    ["digits", "d3p0sit", ["deposit@0-7"]],
    ["a 1 for each of two letters", "f11ing", ["filing@0-6"]],
    ["many of them", "1nfa1l1bl3", ["infallible@0-10"]],
    ["a contraction", "w0n't", ["will@0-5", "not@0-5"]],
    ["signs at the end", "no report$, ok", ["no@0-2", "reports@3-10", "ok@12-14"]],
    ["a sign at the beginning", "the !nfallible", ["the@0-3", "infallible@4-14"]],
    ["a star over a letter", "d*posit", ["deposit@0-7"]],
    ["a word whose beginning is known", "lin3s", ["lines@0-5"]],
  ])("are read: %s", (_, text, words) => {
    expect(read(text)).toEqual(words);
  });

  it("stand where they were written when they are several words", () => {
    vocabulary.addWord("risk");
    vocabulary.addWord("free");
    const text = "r_i5kfr3e";
    const { tokens } = tokenise(text, [{ start: 0, end: text.length }], true);
    for (const { end } of tokens) expect(end).toBeLessThanOrEqual(text.length);
    expect(tokens.at(-1)?.end).toBe(text.length);
  });

  it.each([
    ["a currency", "US$ 500", ["us@0-2", "500@4-7"]],
    ["a number of a plan", "a 401k", ["a@0-1", "401k@2-6"]],
    ["a code", "form8300x", ["form8300x@0-9"]],
    ["an exclamation", "Stop !please", ["stop@0-4", "please@6-12"]],
  ])("are not seen in %s", (_, text, words) => {
    expect(read(text)).toEqual(words);
  });
});
