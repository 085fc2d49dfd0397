import { BoundedMap } from "../../util/bounded-map.ts";
import { ConversationState } from "../emission/conversation-state.ts";
import { isUserMessage, toWindow } from "../reading/chat-message.ts";
import type { SpanRecord } from "../span-record.ts";
import { signArguments } from "./text-digest.ts";

const MAX_CONVERSATIONS = 10_000;
const MAX_CALLS = 20_000;
/** Messages at the end of an input in which calls of other traces are looked for. */
const MAX_SEARCHED = 20;
/** Conversations without a name that are remembered, up to twice as many, for what goes on with them in traces of its own. */
const MAX_UNNAMED = 1000;
/** What comes later does not go on with an unnamed conversation. */
const MAX_PAUSE_MILLIS = 600_000;
const NO_CALLS: readonly never[] = [];
/** Clocks of two instrumentations of one process differ by less. */
const TOLERANCE_MILLIS = 5;

const isBehind = (start: number, { lastAt }: ConversationState): boolean =>
  start >= lastAt - TOLERANCE_MILLIS && start - lastAt <= MAX_PAUSE_MILLIS;

const toOnly = <T>(found: readonly T[]): T | undefined =>
  found.length === 1 ? found[0] : undefined;

/** Remembers what was emitted of each conversation; what was used longest ago makes room. */
export class ConversationMemory {
  readonly #conversations = new BoundedMap<string, ConversationState>(MAX_CONVERSATIONS);
  /** Conversations by ids of tool calls: the next call of a loop may be in a trace of its own. */
  readonly #byCall = new BoundedMap<string, ConversationState>(MAX_CALLS);
  /** Those that have waited longest first. */
  readonly #guesses = new Set<ConversationState>();

  /**
   * Returns what was emitted of a conversation, if anything.
   *
   * @param key - Its id, else its session, else its trace.
   */
  recall(key: string): ConversationState | undefined {
    return this.#conversations.get(key);
  }

  /** Returns what was emitted of a conversation, nothing yet of one that begins. */
  find(key: string, sessionId: string): ConversationState {
    return this.recall(key) ?? this.begin(key, sessionId);
  }

  /** Takes note of a conversation of which nothing was emitted. */
  begin(key: string, sessionId: string): ConversationState {
    const begun = new ConversationState(sessionId);
    this.#conversations.set(key, begun);
    return begun;
  }

  /** Finds the conversation whose tool calls a model call goes on with. */
  findByCalls({ input: { messages } }: SpanRecord): ConversationState | undefined {
    for (let at = Math.max(0, messages.length - MAX_SEARCHED); at < messages.length; at++) {
      const { toolCalls = NO_CALLS, toolResults = NO_CALLS } = messages[at] ?? {};
      const known = this.#findOpenBy(toolCalls) ?? this.#findOpenBy(toolResults);
      if (known) return known;
    }
    return undefined;
  }

  #findOpenBy(
    calls: readonly { readonly id: string | undefined }[],
  ): ConversationState | undefined {
    for (const { id } of calls) {
      const known = id === undefined ? undefined : this.#byCall.get(id);
      if (known?.isOpen) return known;
    }
    return undefined;
  }

  /** Remembers a conversation that nothing names but its trace: the rest of its run may be in traces of their own. */
  noteGuess(conversation: ConversationState): void {
    this.#guesses.add(conversation);
    // Many at a time: finding the oldest of a set skips all that was deleted before it.
    let excess = this.#guesses.size - MAX_UNNAMED;
    if (excess < MAX_UNNAMED) return;
    for (const oldest of this.#guesses) {
      if (excess-- <= 0) return;
      this.#guesses.delete(oldest);
    }
  }

  /**
   * Finds the conversation that a call or a run goes on with in a trace of its own: a call repeats the question and has
   * what its tools gave back, a run has the arguments that were asked for.
   */
  findContinued(record: SpanRecord): ConversationState | undefined {
    return record.role === "tool" ? this.#findOfRun(record) : this.#findOfCall(record);
  }

  /** Finds the conversation of a run by what was asked for; of tools that nothing names the run has the name. */
  #findOfRun(record: SpanRecord): ConversationState | undefined {
    const { tool, scope } = record;
    if (!tool) return undefined;
    const { name, parameters } = tool;
    const signature = signArguments(parameters);
    const open = this.#findOpen(record);
    return (
      // Of several that asked for the same the one that has waited longest.
      open.find((conversation) => conversation.findUnrun(name, signature)) ??
      toOnly(open.filter((conversation) => conversation.findUnrun(name))) ??
      toOnly(open.filter((conversation) => conversation.mayRun(scope)))
    );
  }

  /** Finds the conversation of a call by the question, if tools have run since; the one that has waited longest. */
  #findOfCall(record: SpanRecord): ConversationState | undefined {
    const hasTools = record.input.messages.some(
      ({ toolCalls, toolResults }) => toolCalls.length + toolResults.length > 0,
    );
    if (!hasTools) return undefined;
    const window = toWindow(record.input);
    const asked = window.findLast(isUserMessage);
    const names = window.flatMap(({ toolCalls, toolResults }) =>
      [...toolCalls, ...toolResults].map(({ name }) => name),
    );
    if (!asked || names.length === 0) return undefined;
    return this.#findOpen(record).find(
      (conversation) => conversation.hasUser(asked.text) && conversation.mayHaveAsked(names),
    );
  }

  /** Finds the unnamed conversations that wait for an answer and may go on with something, and forgets those that are over. */
  #findOpen({ start }: SpanRecord): ConversationState[] {
    const open: ConversationState[] = [];
    for (const conversation of this.#guesses) {
      if (!conversation.isOpen) this.#guesses.delete(conversation);
      else if (isBehind(start, conversation)) open.push(conversation);
    }
    return open;
  }

  /** Makes a conversation findable by a tool call, and by a trace that joined it. */
  noteCall(id: string | undefined, conversation: ConversationState): void {
    if (id !== undefined) this.#byCall.set(id, conversation);
  }

  join(key: string, conversation: ConversationState): void {
    this.#conversations.set(key, conversation);
  }

  /** Has a trace of which nothing was emitted go on with what nothing names but another trace. */
  continue(traceId: string, earlierTraceId: string): void {
    const earlier = this.#conversations.get(earlierTraceId);
    if (earlier && !this.recall(traceId)) this.join(traceId, earlier);
  }

  clear(): void {
    this.#conversations.clear();
    this.#byCall.clear();
    this.#guesses.clear();
  }
}
