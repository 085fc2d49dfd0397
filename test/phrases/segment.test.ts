import { describe, expect, it } from "vitest";
import { isSegmentable, segment } from "../../src/phrases/segment.ts";
import { createVocabulary } from "./vocabularies.ts";

const vocabulary = createVocabulary(
  ["black", "box", "child", "expecting", "relabelled"],
  ["expect"],
);

describe("words that stick together", () => {
  it.each([
    ["blackbox", ["black", "box"]],
    ["irelabelled", ["i", "relabelled"]],
    ["expectingachild", ["expecting", "a", "child"]],
  ])("are cut: %s", (letters, words) => {
    expect(isSegmentable(vocabulary, letters)).toBe(true);
    expect(segment(vocabulary, letters)).toEqual(words);
  });

  it("are left alone when they are one word", () => {
    expect(isSegmentable(vocabulary, "expecting")).toBe(false);
    expect(segment(vocabulary, "blackboxxx")).toBeUndefined();
    expect(segment(vocabulary, "iaia")).toBeUndefined();
  });
});
