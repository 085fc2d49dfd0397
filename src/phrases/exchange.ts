import type {
  InteractionContext,
  ToolUsageInfo,
  TransactionContext,
} from "../events/compliance.ts";
import type { AddedPhrases } from "./added-phrases.ts";
import { Work } from "./work.ts";
import { SourceText, type TextSource } from "./source-text.ts";

/** What an earlier turn of the session said. */
export interface RememberedTurn {
  /** What the user said. */
  readonly userMessage?: string | undefined;
  /** The beginning of the answer. */
  readonly agentResponse?: string | undefined;
  /** Tool calls, without nested values. */
  readonly toolsUsed: readonly ToolUsageInfo[];
  /** The transaction that the turn was about. */
  readonly transactionContext?: TransactionContext;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

function createSourceText(
  source: TextSource,
  original: string | undefined,
  work: Work,
): SourceText | undefined {
  return original === undefined || original === ""
    ? undefined
    : new SourceText(source, original, work);
}

/**
 * Both sides of an exchange, one without text being absent, and what came before.
 *
 * A class, because V8 makes a new shape for every object that is written with getters, and keeps what they see alive.
 */
export class Exchange {
  /** What the user said. */
  readonly userMessage: SourceText | undefined;
  /** What the agent answered. */
  readonly agentResponse: SourceText | undefined;
  /** Earlier turns of the session, the oldest first. */
  readonly history: readonly RememberedTurn[];
  /**
   * What reading the texts has cost.
   *
   * @internal
   */
  readonly work: Work;
  /**
   * The phrases of rules that were added to the engine, if they are one set.
   *
   * @internal
   */
  readonly added: AddedPhrases | undefined;
  readonly #made = new Map<symbol, unknown>();
  #earlierMessages: readonly SourceText[] | undefined;
  #earlierAnswers: readonly SourceText[] | undefined;
  #earlierText: SourceText | undefined;

  /** @internal */
  constructor(
    userMessage: SourceText | undefined,
    agentResponse: SourceText | undefined,
    history: readonly RememberedTurn[],
    work: Work,
    added?: AddedPhrases,
  ) {
    this.userMessage = userMessage;
    this.agentResponse = agentResponse;
    this.history = history;
    this.work = work;
    this.added = added;
  }

  /** The users' messages of the earlier turns, in the same order. */
  get earlierMessages(): readonly SourceText[] {
    return (this.#earlierMessages ??= this.history.flatMap(
      ({ userMessage }) => createSourceText("userMessage", userMessage, this.work) ?? [],
    ));
  }

  /** The beginnings of the agent's earlier answers. */
  get earlierAnswers(): readonly SourceText[] {
    return (this.#earlierAnswers ??= this.history.flatMap(
      ({ agentResponse }) => createSourceText("agentResponse", agentResponse, this.work) ?? [],
    ));
  }

  /**
   * The users' earlier messages in one text, for phrases.
   *
   * @internal
   */
  get earlierText(): SourceText | undefined {
    if (this.history.length === 0) return undefined;
    const messages = this.history.map(({ userMessage = "" }) => userMessage);
    return (this.#earlierText ??= createSourceText(
      "userMessage",
      messages.join(MESSAGE_BREAK),
      this.work,
    ));
  }

  /** Returns the exchange as it would be if the user had said something else. */
  withUserMessage(userMessage: SourceText): Exchange {
    return new Exchange(userMessage, this.agentResponse, this.history, this.work, this.added);
  }

  /**
   * Returns what was made under a key, once for all rules.
   *
   * @internal
   */
  once<Value>(key: symbol, make: () => Value): Value {
    if (!this.#made.has(key)) this.#made.set(key, make());
    // Each key has one maker.
    return this.#made.get(key) as Value;
  }

  /** @internal */
  release(): void {
    this.userMessage?.release();
    this.agentResponse?.release();
    this.#earlierText?.release();
    for (const text of this.#earlierMessages ?? []) text.release();
    for (const text of this.#earlierAnswers ?? []) text.release();
  }
}

/** Ends a sentence; nothing reads across it. */
const MESSAGE_BREAK = "\n\n";

function lengthOf({
  userMessage = "",
  agentResponse = "",
}: Pick<RememberedTurn, "userMessage" | "agentResponse">): number {
  return userMessage.length + agentResponse.length;
}

/**
 * Prepares an interaction together with what came before it.
 *
 * @param work - Counts the steps of the rules that read it. Default: as many as texts of this length may cost.
 * @param added - The phrases of rules that were added to the engine.
 */
export function createExchange(
  context: InteractionContext,
  history: readonly RememberedTurn[],
  added?: AddedPhrases,
  work = new Work([context, ...history].reduce((sum, one) => sum + lengthOf(one), 0)),
): Exchange {
  const { userMessage, agentResponse } = context;
  return new Exchange(
    createSourceText("userMessage", userMessage, work),
    createSourceText("agentResponse", agentResponse, work),
    history,
    work,
    added,
  );
}

// A rule of the caller's own gets a context and no exchange. Entries of weak maps make garbage collection dear: an
// engine with built-in rules alone makes none.
const shared = new WeakMap<InteractionContext, Exchange>();

/** Lets `readExchange` return an exchange for its context. */
export function shareExchange(context: InteractionContext, exchange: Exchange): void {
  shared.set(context, exchange);
}

/** Undoes `shareExchange`. */
export function forgetExchange(context: InteractionContext): void {
  shared.delete(context);
}

/** Prepares the texts of an interaction, once for all rules. */
export function readExchange(context: InteractionContext): Exchange {
  const { userMessage, agentResponse } = context;
  const known = shared.get(context);
  // A context that is not the engine's may have changed since.
  if (
    known &&
    (known.userMessage?.original ?? "") === (userMessage ?? "") &&
    (known.agentResponse?.original ?? "") === (agentResponse ?? "")
  ) {
    return known;
  }
  const exchange = createExchange(context, [], undefined, new Work());
  shared.set(context, exchange);
  return exchange;
}
