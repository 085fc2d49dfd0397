/** Steps that reading a text may take, whatever is in it, and for each of its characters. */
interface Allowance {
  readonly base: number;
  readonly perCharacter: number;
}

// The most hostile texts that are known take a quarter of it, ordinary ones a twentieth.
const OF_RULE: Allowance = { base: 50_000, perCharacter: 50 };
const OF_EVALUATION: Allowance = { base: 200_000, perCharacter: 100 };

/** Thrown where the next step would be one too many. */
class WorkLimitError extends Error {
  override readonly name = "WorkLimitError";
}

function stepsFor({ base, perCharacter }: Allowance, characters: number): number {
  return base + perCharacter * characters;
}

/**
 * Counts the steps that rules take to read the messages of one exchange, and stops those that take too many.
 *
 * Counted steps and not time: a busy machine must not cost findings, and the same exchange has the same outcome everywhere.
 * What is counted is what reads the texts for the rules: words, phrases, sentences, identifiers. Loops and regular
 * expressions of a rule's own are not seen.
 */
export class Work {
  readonly #mostOfRule: number;
  readonly #mostOfAll: number;
  #ofRule = 0;
  #ofAll = 0;

  /** @param characters - Length of the texts. Default: no bound. */
  constructor(characters = Infinity) {
    this.#mostOfRule = stepsFor(OF_RULE, characters);
    this.#mostOfAll = stepsFor(OF_EVALUATION, characters);
  }

  /** Begins to count for the next rule. */
  begin(): void {
    this.#ofRule = 0;
  }

  /**
   * Records steps.
   *
   * @throws an error if these were more than the rule, or all together, may take.
   */
  spend(steps: number): void {
    this.#ofRule += steps;
    this.#ofAll += steps;
    if (this.isOver) throw new WorkLimitError("too many steps for texts of this length");
  }

  /** Whether the rule that runs, or all together, took too many. */
  get isOver(): boolean {
    return this.#ofRule > this.#mostOfRule || this.isExhausted;
  }

  /** Whether no further rule may run. */
  get isExhausted(): boolean {
    return this.#ofAll > this.#mostOfAll;
  }
}
