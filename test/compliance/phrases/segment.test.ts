import { describe, expect, it } from "vitest";
import { isSegmentable, segment } from "../../../src/compliance/phrases/segment.ts";
import { vocabulary } from "../../../src/compliance/phrases/vocabulary.ts";

for (const word of ["black", "box", "child", "expecting", "relabelled"]) vocabulary.addWord(word);
vocabulary.addStem("expect");

describe("words that stick together", () => {
  it.each([
    ["blackbox", ["black", "box"]],
    ["irelabelled", ["i", "relabelled"]],
    ["expectingachild", ["expecting", "a", "child"]],
  ])("are cut: %s", (letters, words) => {
    expect(isSegmentable(letters)).toBe(true);
    expect(segment(letters)).toEqual(words);
  });

  it("are left alone when they are one word", () => {
    expect(isSegmentable("expecting")).toBe(false);
    expect(segment("blackboxxx")).toBeUndefined();
    expect(segment("iaia")).toBeUndefined();
  });
});
