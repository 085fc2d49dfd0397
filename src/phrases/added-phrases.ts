import type { CompiledPhrases } from "./compiled-phrases.ts";
import type { NamedGroup } from "./named-group.ts";

/** The phrases of the rules that were added to an engine, as one set: the words of a text are then read once for all. */
export class AddedPhrases {
  readonly phrases: CompiledPhrases;
  readonly #rules: ReadonlySet<readonly NamedGroup[]>;

  /** @param phrases - Those of the groups of all rules. */
  constructor(phrases: CompiledPhrases, rules: readonly (readonly NamedGroup[])[]) {
    this.phrases = phrases;
    this.#rules = new Set(rules);
  }

  /** Returns whether the groups of a rule are among them. */
  has(groups: readonly NamedGroup[]): boolean {
    return this.#rules.has(groups);
  }
}
