import { builtInPhrases } from "./phrases/built-in-phrases.ts";
import { CompiledPhrases } from "./phrases/compiled-phrases.ts";
import type { NamedGroup } from "./phrases/named-group.ts";
import { compilePhrases } from "./phrases/phrase-compiler.ts";

/** The phrases of the rules that were added to an engine, as one set: the words of a text are then read once for all. */
export class AddedPhrases {
  readonly phrases: CompiledPhrases;
  readonly #rules: ReadonlySet<readonly NamedGroup[]>;

  /** @throws PhraseError for phrases that can't be compiled. */
  constructor(rules: readonly (readonly NamedGroup[])[]) {
    this.phrases = new CompiledPhrases(compilePhrases(rules.flat()), builtInPhrases());
    this.#rules = new Set(rules);
  }

  /** Tells whether the groups of a rule are among them. */
  has(groups: readonly NamedGroup[]): boolean {
    return this.#rules.has(groups);
  }
}
