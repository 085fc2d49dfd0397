import type { InteractionContext } from "../../events/compliance.ts";
import type { Exchange } from "../../phrases/exchange.ts";
import type { Finding } from "../rule-definition.ts";
import type { Finder } from "../../phrases/finder.ts";

/** What a check gets of its rule's pack. */
export interface Given<ProbeName extends string = string, ListName extends string = string> {
  /** What to look for in the messages. */
  readonly probes: Readonly<Record<ProbeName, Finder>>;
  /** Lists of words as they are written. */
  readonly words: Readonly<Record<ListName, readonly string[]>>;
}

/** Finds what phrases can't say: in tools, transactions, numbers, earlier turns. A rule names it by its id. */
export interface Check<ProbeName extends string = never, ListName extends string = never> {
  /** Names of the probes that the rule must have. */
  readonly probes?: readonly ProbeName[];
  /** Names of the lists that the rule must know. */
  readonly words?: readonly ListName[];
  /** Reads an interaction, and the exchange that is made of it. Must be pure and must not throw. */
  find(
    context: InteractionContext,
    exchange: Exchange,
    given: Given<ProbeName, ListName>,
  ): Iterable<Finding>;
}
