import { describe, expect, it } from "vitest";
import { KnownWords } from "../../src/phrases/known-words.ts";
import { tokenise } from "../../src/phrases/tokenise.ts";
import { createVocabulary } from "./vocabularies.ts";

const vocabulary = createVocabulary(
  ["approval", "certain", "close", "email", "cash", "nobody", "mother", "two", "white"],
  ["guarant", "polic"],
);

function read(text: string): string[] {
  const words = new KnownWords(vocabulary);
  const { tokens } = tokenise(text, [{ start: 0, end: text.length }], false, words);
  return tokens.map(({ word, start, end }) => `${word}@${start}-${end}`);
}

describe("words that signs hide", () => {
  it.each([
    ["a point", "is cer.tain", ["is@0-2", "certain@3-11"]],
    ["a slash", "gua/ranteed gain", ["guaranteed@0-11", "gain@12-16"]],
    ["a tilde before capitals", "GuA~RANteed", ["guaranteed@0-11"]],
    ["hyphens between few letters", "t-w-o cer-t-ain", ["two@0-5", "certain@6-15"]],
    ["hyphens between syllables and letters", "ap-pro-v-a-l", ["approval@0-12"]],
    ["a grave accent", "no`body", ["nobody@0-7"]],
    ["apostrophes", "No'bo'dy", ["nobody@0-8"]],
  ])("are read: %s", (_, text, words) => {
    expect(read(text)).toEqual(words);
  });

  it.each([
    ["no word", "him/her", ["him@0-3", "her@4-7"]],
    ["two words of which one is known", "close-knit", ["close@0-5", "knit@6-10"]],
    ["what only begins as a known word", "policy.thanks", ["policy@0-6", "thanks@7-13"]],
    ["the end of a sentence", "cer.Tain", ["cer@0-3", "tain@4-8"]],
  ])("are not seen in %s", (_, text, words) => {
    expect(read(text)).toEqual(words);
  });

  it("are given up in a row of signs that is too long for one", () => {
    expect(read("a.b".repeat(20_000))).toHaveLength(20_001);
  });

  it.each([
    ["whtie", "white"],
    ["mohter", "mother"],
    ["caash", "cash"],
    ["motherr", "mother"],
  ])("are read with letters swapped or doubled: %s", (written, meant) => {
    expect(vocabulary.idsOf(written)).toEqual(vocabulary.idsOf(meant));
  });
});
