import { describe, expect, it } from "vitest";
import { KnownWords } from "../../src/phrases/known-words.ts";
import { tokenise } from "../../src/phrases/tokenise.ts";
import { createVocabulary } from "./vocabularies.ts";

const WORDS = ["deposit", "filing", "infallible", "lines", "not", "reports", "will"];

function read(text: string): string[] {
  const words = new KnownWords(createVocabulary(WORDS, ["lin"]));
  const { tokens } = tokenise(text, [{ start: 0, end: text.length }], false, words);
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
    const words = new KnownWords(createVocabulary(["risk", "free"]));
    const text = "r_i5kfr3e";
    const { tokens } = tokenise(text, [{ start: 0, end: text.length }], true, words);
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
