import type {
  InteractionContext,
  ToolUsageInfo,
  TransactionContext,
} from "../../events/compliance.ts";
import { TextIndex } from "../phrases/match.ts";
import type { TokenRange } from "../phrases/spans.ts";
import { tokenise, type TokenisedText } from "../phrases/tokenise.ts";
import type { Token } from "../phrases/token.ts";
import { normalise, type Evasion, type NormalText } from "./normalise.ts";
import type { Range } from "./pattern.ts";
import { splitSentences } from "./sentences.ts";

/** Side of the exchange that a text comes from. */
export type TextSource = "userMessage" | "agentResponse";

/** A sentence of the normalised text, and where it stands there. */
export interface Sentence extends Range {
  /** The normalised text. */
  readonly text: string;
  /** @internal */
  readonly tokens: readonly Token[];
}

/** A text cut into sentences and words; what is hardly ever asked of a sentence is cut out when it is. */
interface ReadText extends TokenisedText {
  readonly sentences: readonly Sentence[];
}

class ReadSentence implements Sentence {
  readonly start: number;
  readonly end: number;
  readonly #whole: string;
  readonly #read: TokenisedText;
  readonly #index: number;

  constructor({ start, end }: Range, whole: string, read: TokenisedText, index: number) {
    this.start = start;
    this.end = end;
    this.#whole = whole;
    this.#read = read;
    this.#index = index;
  }

  get text(): string {
    return this.#whole.slice(this.start, this.end);
  }

  get tokens(): readonly Token[] {
    const { tokens, starts } = this.#read;
    return tokens.slice(starts[this.#index], starts[this.#index + 1]);
  }
}

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

/** One side of an exchange, prepared for the rules; every part is made on first use. */
export class SourceText {
  /** Side of the exchange. */
  readonly source: TextSource;
  /** The text as it was given. */
  readonly original: string;
  /**
   * Which guards stand before which sentence, as far as it was asked.
   *
   * @internal
   */
  readonly guarded = new Map<string, boolean>();
  #normal: NormalText | undefined;
  #read: ReadText | undefined;
  #index: TextIndex | undefined;

  constructor(source: TextSource, original: string) {
    this.source = source;
    this.original = original;
  }

  /** The text as the rules read it. */
  get normal(): NormalText {
    return (this.#normal ??= normalise(this.original));
  }

  /** The normalised text: what ranges of findings refer to. */
  get folded(): string {
    return this.normal.text;
  }

  /** What was undone to read the text. */
  get evasions(): readonly Evasion[] {
    const { evasions } = this.normal;
    return this.#readOnce().hasLeet ? [...evasions, "leet"] : evasions;
  }

  /** The sentences, in order. */
  sentences(): readonly Sentence[] {
    return this.#readOnce().sentences;
  }

  /**
   * The words and numbers, in order.
   *
   * @internal
   */
  tokens(): readonly Token[] {
    return this.#readOnce().tokens;
  }

  /**
   * Where the words stand.
   *
   * @internal
   */
  index(): TextIndex {
    if (this.#index?.isStale === true) this.#read = undefined;
    else if (this.#index) return this.#index;
    const { tokens, starts } = this.#readOnce();
    this.#index = new TextIndex(tokens, starts);
    return this.#index;
  }

  /**
   * Gives back what the index was made with; it is made again when it is needed.
   *
   * @internal
   */
  release(): void {
    this.#index?.release();
  }

  /**
   * Gives the tokens of a sentence; none for one that is not there.
   *
   * @internal
   */
  tokensOf(sentence: number): TokenRange {
    const { starts } = this.#readOnce();
    const start = starts[sentence] ?? 0;
    return { start, end: starts[sentence + 1] ?? start };
  }

  #readOnce(): ReadText {
    return (this.#read ??= readText(this.normal));
  }
}

function readText({ text, evasions }: NormalText): ReadText {
  const ranges = splitSentences(text);
  const tokenised = tokenise(text, ranges, evasions.includes("spaced-letters"));
  const sentences = ranges.map((range, index) => new ReadSentence(range, text, tokenised, index));
  return { ...tokenised, sentences };
}

function createSourceText(
  source: TextSource,
  original: string | undefined,
): SourceText | undefined {
  return original === undefined || original === "" ? undefined : new SourceText(source, original);
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
  readonly #made = new Map<symbol, unknown>();
  #earlierMessages: readonly SourceText[] | undefined;
  #earlierAnswers: readonly SourceText[] | undefined;
  #earlierText: SourceText | undefined;

  /** @internal */
  constructor(
    userMessage: SourceText | undefined,
    agentResponse: SourceText | undefined,
    history: readonly RememberedTurn[],
  ) {
    this.userMessage = userMessage;
    this.agentResponse = agentResponse;
    this.history = history;
  }

  /** The users' messages of the earlier turns, in the same order. */
  get earlierMessages(): readonly SourceText[] {
    return (this.#earlierMessages ??= this.history.flatMap(
      ({ userMessage }) => createSourceText("userMessage", userMessage) ?? [],
    ));
  }

  /** The beginnings of the agent's earlier answers. */
  get earlierAnswers(): readonly SourceText[] {
    return (this.#earlierAnswers ??= this.history.flatMap(
      ({ agentResponse }) => createSourceText("agentResponse", agentResponse) ?? [],
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
    return (this.#earlierText ??= createSourceText("userMessage", messages.join(MESSAGE_BREAK)));
  }

  /** Gives the exchange as it would be if the user had said something else. */
  withUserMessage(userMessage: SourceText): Exchange {
    return new Exchange(userMessage, this.agentResponse, this.history);
  }

  /**
   * Gives what was made under a key, once for all rules.
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

function createExchange(
  { userMessage, agentResponse }: InteractionContext,
  history: readonly RememberedTurn[],
): Exchange {
  return new Exchange(
    createSourceText("userMessage", userMessage),
    createSourceText("agentResponse", agentResponse),
    history,
  );
}

/** Ends a sentence; nothing reads across it. */
const MESSAGE_BREAK = "\n\n";

interface OpenExchange {
  readonly context: InteractionContext;
  readonly exchange: Exchange;
}

// The rules of one evaluation share one context, and with it the prepared texts. A rule may evaluate another context.
const open: OpenExchange[] = [];
// What no evaluation is about any more; entries of weak maps make garbage collection dear, so it has only the others.
const exchanges = new WeakMap<InteractionContext, Exchange>();

/** Prepares an interaction together with what came before it, until it is closed. */
export function openExchange(
  context: InteractionContext,
  history: readonly RememberedTurn[],
): void {
  open.push({ context, exchange: createExchange(context, history) });
}

/**
 * Gives back what the texts of the interaction that was opened last were prepared with.
 *
 * @param isAwaited - Whether a rule comes back to it later.
 */
export function closeExchange(isAwaited: boolean): void {
  const closed = open.pop();
  if (!closed) return;
  const { context, exchange } = closed;
  exchange.release();
  if (isAwaited) exchanges.set(context, exchange);
}

/** Prepares the texts of an interaction, once for all rules. */
export function readExchange(context: InteractionContext): Exchange {
  const latest = open.at(-1);
  if (latest?.context === context) return latest.exchange;
  const { userMessage, agentResponse } = context;
  const known = exchanges.get(context);
  // A context that is not the engine's may have changed since.
  if (
    known &&
    (known.userMessage?.original ?? "") === (userMessage ?? "") &&
    (known.agentResponse?.original ?? "") === (agentResponse ?? "")
  ) {
    return known;
  }
  const exchange = createExchange(context, []);
  exchanges.set(context, exchange);
  return exchange;
}
