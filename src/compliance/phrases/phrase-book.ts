import type { Concepts, Phrase } from "./parse-phrase.ts";
import { readerOf, readPhrases } from "./phrase-group.ts";
import { createStepwise, type Steps } from "./stepwise.ts";
import type { Preparable, Wording } from "./wording.ts";

/** Gives phrases by their names. */
export interface PhraseBook<Name extends string> extends Preparable {
  (): Readonly<Record<Name, readonly Phrase[]>>;
}

/** Makes a book of phrases for code that looks for them in its own way; a rule lists it in `finders`. */
export function createPhraseBook<Name extends string>(
  sources: () => Readonly<Record<Name, readonly string[]>>,
  concepts?: Wording<Concepts>,
): PhraseBook<Name> {
  const phrases = createStepwise(function* (): Steps<Readonly<Record<Name, readonly Phrase[]>>> {
    const reader = readerOf(concepts);
    const entries: (readonly [string, readonly Phrase[]])[] = [];
    for (const [name, all] of Object.entries<readonly string[]>(sources()))
      entries.push([name, yield* readPhrases(reader, all)]);
    return Object.fromEntries(entries) as Record<Name, readonly Phrase[]>;
  });
  return Object.assign(() => phrases.finish(), {
    isPrepared: () => phrases.isDone(),
    prepareStep: () => phrases.step(),
  });
}
