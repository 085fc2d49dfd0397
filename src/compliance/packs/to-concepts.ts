import type { Concepts } from "../../phrases/parse-phrase.ts";

/** Gives named words in the form in which phrases are read: alternatives in one text. */
export function toConcepts(
  words: Readonly<Record<string, readonly string[]>> | undefined,
): Concepts {
  const entries = Object.entries(words ?? {});
  return Object.fromEntries(entries.map(([name, lines]) => [name, lines.join("|")]));
}
