import { expect, it } from "vitest";
import { createVocabulary } from "./vocabularies.ts";

const built = createVocabulary(["farmer", "loan"], ["guarant"]);

it("gives a word its own number and those of its beginnings, the shortest first", () => {
  const words = createVocabulary(["depositing", "deposit"], ["dep", "deposi"]);
  expect(words.size).toBe(4);
  expect(words.idsOf("depositing")).toEqual([0, 2, 3]);
  expect(words.idsOf("deposited")).toEqual([2, 3]);
  expect(words.idsOf("depot")).toEqual([2]);
  expect(words.idsOf("de")).toEqual([]);
});

it("takes no word of a wider vocabulary for a misspelling of one of its own", () => {
  expect(createVocabulary(["former"]).idsOf("farmer")).toEqual([0]);
  const words = createVocabulary(["former"], [], built);
  expect(words.idsOf("farmer")).toEqual([]);
  expect(words.idsOf("farrmer")).toEqual([]);
  expect(words.idsOf("formerr")).toEqual([0]);
});

it("knows the words of a wider vocabulary, and has no numbers for them", () => {
  const words = createVocabulary(["former"], [], built);
  expect([words.has("loan"), words.knows("guarantee"), words.knowsMore("loan", "lo")]).toEqual([
    true,
    true,
    true,
  ]);
  expect([words.has("loans"), words.knows("loans"), words.idsOf("loan")]).toEqual([
    false,
    false,
    [],
  ]);
});
