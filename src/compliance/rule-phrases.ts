import type { ComplianceRule } from "../events/compliance.ts";
import { AddedPhrases } from "../phrases/added-phrases.ts";
import { decodeBuiltInPart } from "../phrases/built-in-phrases.ts";
import { compileAdded } from "./rule-patterns.ts";
import type { DefinedRule } from "./define-rule.ts";
import { isDefinedRule } from "./is-defined-rule.ts";

function isReadable(rule: DefinedRule): boolean {
  try {
    rule.prepare();
    return true;
  } catch {
    // Evaluation fails again, and logs it.
    return false;
  }
}

/** Decodes a part of the built-in phrases; returns whether all are there, or never will be. */
function isDecoded(): boolean {
  try {
    return decodeBuiltInPart();
  } catch {
    // Each rule fails again, and that is logged.
    return true;
  }
}

const hasAdded = ({ addedGroups }: DefinedRule): boolean => addedGroups.length > 0;

/** Returns the phrases of added rules as one set; a single rule has a set already. */
function join(rules: readonly ComplianceRule[]): AddedPhrases | undefined {
  const added = rules.filter(isDefinedRule).filter((rule) => hasAdded(rule) && isReadable(rule));
  if (added.length < 2) return undefined;
  try {
    const groups = added.map(({ addedGroups }) => addedGroups);
    return new AddedPhrases(compileAdded(groups.flat()), groups);
  } catch {
    // Too many for one set: each has its own.
    return undefined;
  }
}

/** Makes the phrases of an engine's rules ready, one rule at each step. */
export class RulePhrases {
  readonly #list: () => readonly ComplianceRule[];
  #unread: readonly DefinedRule[];
  #isJoined: boolean;
  #added: AddedPhrases | undefined;

  /** @param list - Returns the rules as they are now. */
  constructor(list: () => readonly ComplianceRule[]) {
    this.#list = list;
    // What another engine of the process has read is read for this one as well.
    const rules = list().filter(isDefinedRule);
    this.#unread = rules.filter((rule) => !rule.isPrepared());
    this.#isJoined = this.#unread.length === 0 && !rules.some(hasAdded);
  }

  /** The phrases of added rules, if they are one set. */
  get added(): AddedPhrases | undefined {
    return this.#added;
  }

  /** Whether nothing is left to do. */
  get isDone(): boolean {
    return this.#isJoined;
  }

  /** Takes up that a rule was added. */
  refresh(): void {
    this.#isJoined = false;
  }

  /**
   * Decodes a part of the built-in phrases, reads those of one rule, or joins those of added ones, and returns whether nothing
   * is left to do.
   */
  step(): boolean {
    if (this.#unread.length > 0 && !isDecoded()) return false;
    const [rule, ...others] = this.#unread;
    this.#unread = others;
    if (rule) isReadable(rule);
    else if (!this.#isJoined) {
      this.#added = join(this.#list());
      this.#isJoined = true;
    }
    return this.#isJoined;
  }
}
