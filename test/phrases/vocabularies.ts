import { toSpellingTables } from "../../src/phrases/spelling-table.ts";
import { Vocabulary } from "../../src/phrases/vocabulary.ts";
import { VocabularyBuilder } from "../../src/phrases/vocabulary-builder.ts";

/** Makes a vocabulary of words and of beginnings of words. */
export function createVocabulary(
  words: readonly string[],
  stems: readonly string[] = [],
  wider?: Vocabulary,
): Vocabulary {
  const builder = new VocabularyBuilder();
  for (const word of words) builder.addWord(word);
  for (const stem of stems) builder.addStem(stem);
  return new Vocabulary(toSpellingTables(builder), wider);
}
