import { builtInPhrases } from "./built-in-phrases.ts";
import type { CompiledGroup } from "./compiled-phrases.ts";
import type { NamedGroup, PhraseSource } from "./named-group.ts";
import type { Concepts } from "./parse-phrase.ts";
import type { Wording } from "./wording.ts";

/** Gives groups of phrases by their names. */
export interface PhraseBook<Name extends string> extends PhraseSource {
  (): Readonly<Record<Name, CompiledGroup>>;
}

/** Makes a book of phrases for code that looks for them in its own way; a built-in rule lists it in `finders`. */
export function createPhraseBook<Name extends string>(
  title: string,
  sources: () => Readonly<Record<Name, readonly string[]>>,
  concepts?: Wording<Concepts>,
): PhraseBook<Name> {
  const toName = (name: string): string => `${title}/${name}`;
  let compiled: Readonly<Record<Name, CompiledGroup>> | undefined;
  const open = (): Readonly<Record<Name, CompiledGroup>> => {
    const names = Object.keys(sources()) as Name[];
    const phrases = builtInPhrases();
    const entries = names.map((name) => [name, phrases.group(toName(name))] as const);
    return Object.fromEntries(entries) as Record<Name, CompiledGroup>;
  };
  return Object.assign(() => (compiled ??= open()), {
    listGroups: () =>
      Object.entries<readonly string[]>(sources()).map(([name, match]): NamedGroup => ({
        name: toName(name),
        group: { match },
        concepts,
      })),
  });
}
