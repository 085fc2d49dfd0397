import { BoundedMap } from "../util/bounded-map.ts";
import type { SpanRecord } from "./span-record.ts";
import { ToldConversation } from "./told-conversation.ts";

const MAX_CONVERSATIONS = 10_000;
const MAX_CALLS = 20_000;
/** Messages at the end of an input in which calls of other traces are looked for. */
const MAX_SEARCHED = 20;

/** Remembers what was told of each conversation; what was used longest ago makes room. */
export class ConversationMemory {
  readonly #told = new BoundedMap<string, ToldConversation>(MAX_CONVERSATIONS);
  /** Conversations by ids of tool calls: the next call of a loop may be in a trace of its own. */
  readonly #byCall = new BoundedMap<string, ToldConversation>(MAX_CALLS);

  /**
   * Gives what was told of a conversation.
   *
   * @param key - Its id, else its session, else its trace.
   */
  find(key: string, sessionId: string): ToldConversation {
    const known = this.#told.get(key);
    if (known) return known;
    const begun = new ToldConversation(sessionId);
    this.#told.set(key, begun);
    return begun;
  }

  /** Finds the conversation whose tool calls a model call goes on with. */
  findByCalls({ input }: SpanRecord): ToldConversation | undefined {
    for (const { toolCalls, toolResults } of input.slice(-MAX_SEARCHED)) {
      for (const { id } of [...toolCalls, ...toolResults]) {
        const known = id === undefined ? undefined : this.#byCall.get(id);
        if (known?.isOpen) return known;
      }
    }
    return undefined;
  }

  /** Makes a conversation findable by a tool call, and by a trace that joined it. */
  noteCall(id: string | undefined, conversation: ToldConversation): void {
    if (id !== undefined) this.#byCall.set(id, conversation);
  }

  join(key: string, conversation: ToldConversation): void {
    this.#told.set(key, conversation);
  }

  clear(): void {
    this.#told.clear();
    this.#byCall.clear();
  }
}
