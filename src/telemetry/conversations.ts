import { type Context, context, ROOT_CONTEXT, type Span, trace } from "@opentelemetry/api";
import type { RegisteredAgent } from "../events/agent.ts";
import type { ConversationTotals } from "../events/event-builder.ts";
import type { ToolUsageInfo } from "../events/compliance.ts";
import type { DetailedEvent } from "../events/detailed-event.ts";
import type { ConversationScope } from "../scope/scopes.ts";
import { BoundedMap } from "../util/bounded-map.ts";
import type { Clock } from "../util/clock.ts";
import { cutString } from "../util/cut-string.ts";
import { noteToolCall, noteToolResult } from "./remembered-tools.ts";

const MAX_CONVERSATIONS = 10_000;
/** Longest prefix of the user's last message that is kept for the rules, in UTF-16 units. */
const MAX_USER_MESSAGE_LENGTH = 8192;
const MAX_SWEEP_INTERVAL_MILLIS = 60_000;
/** Longest time that a turn may go on after the application has ended its conversation. */
const MAX_TURN_MILLIS = 60_000;

/** Participants and ids of a conversation. */
export type ConversationIdentity = Omit<ConversationScope, "requestId">;

/** A turn whose span is open. */
export interface OpenTurn {
  readonly span: Span;
  /** The application's span in which the turn was opened. */
  readonly around: Span | undefined;
}

/** State of a running conversation in this process. */
export interface Conversation extends ConversationTotals {
  readonly identity: ConversationIdentity;
  /** The user, once an event has named one. */
  userId: string | undefined;
  /** Whether the conversation has had an event; a run alone does not count. */
  isReported: boolean;
  /** Monotonic milliseconds of the last event. */
  lastActivity: number;
  /** The user message without an answer. */
  openMessage?: { readonly at: number; readonly content: string };
  /** Tool calls since the last answer. */
  tools: ToolUsageInfo[];
  span?: Span | undefined;
  turn?: OpenTurn | undefined;
  /** Turns that runs have started and not ended. */
  runTurns?: BoundedMap<Span, Span> | undefined;
  /** The context of the open span, for the log records. */
  recordContext?: { readonly span: Span; readonly context: Context } | undefined;
}

/** Whom an event is about. */
export interface Subject {
  readonly conversation: Conversation;
  readonly agent: RegisteredAgent | undefined;
}

export interface ConversationsOptions {
  readonly clock: Clock;
  /** Time in ms after which an idle conversation is abandoned. */
  readonly idleTimeout: number;
  /** Called for an abandoned conversation: it was idle for too long, or there were too many. */
  readonly onAbandon: (conversation: Conversation) => void;
}

function toKey({ agentId, sessionId, conversationId }: ConversationIdentity): string {
  // Identifiers hold no control characters, so the separator can't be part of one.
  return conversationId === undefined
    ? `${agentId}\n${sessionId}`
    : `${agentId}\n\n${conversationId}`;
}

function isSame(one: ConversationIdentity, other: ConversationIdentity): boolean {
  if (one.agentId !== other.agentId || one.conversationId !== other.conversationId) return false;
  return one.conversationId !== undefined || one.sessionId === other.sessionId;
}

/** Returns the context of the open span, created once for all its records. */
export function toRecordContext(conversation: Conversation): Context {
  const span = conversation.turn?.span ?? conversation.span;
  if (!span) return context.active();
  if (conversation.recordContext?.span !== span) {
    conversation.recordContext = { span, context: trace.setSpan(ROOT_CONTEXT, span) };
  }
  return conversation.recordContext.context;
}

/** Creates the state of a conversation. @param clock - Source of its start time. */
function createConversation(
  { agentId, sessionId, conversationId, userId }: ConversationIdentity,
  clock: Clock,
): Conversation {
  return {
    // A copy: the caller's object may also hold the message, which would be kept as long as the conversation.
    identity: { agentId, sessionId, conversationId, userId },
    userId,
    isReported: false,
    startedAt: clock.now(),
    lastActivity: clock.monotonic(),
    messageCount: 0,
    toolCallCount: 0,
    errorCount: 0,
    responseCount: 0,
    responseMillis: 0,
    tools: [],
  };
}

/** Updates the state of a conversation by an event. */
export function noteEvent(conversation: Conversation, event: DetailedEvent): void {
  switch (event.interactionType) {
    case "user_message":
      conversation.messageCount++;
      conversation.openMessage = {
        at: event.timestamp,
        content: cutString(event.content, MAX_USER_MESSAGE_LENGTH),
      };
      break;
    case "agent_response":
      conversation.messageCount++;
      if (conversation.openMessage) {
        conversation.responseCount++;
        conversation.responseMillis += Math.max(0, event.timestamp - conversation.openMessage.at);
        delete conversation.openMessage;
      }
      conversation.tools = [];
      break;
    case "tool_call":
      conversation.toolCallCount++;
      noteToolCall(conversation.tools, event);
      break;
    case "tool_result":
      noteToolResult(conversation.tools, event);
      break;
    case "error":
      conversation.errorCount++;
      break;
    default:
      break;
  }
}

/** Keeps running conversations, bounded by count and by age. */
export class Conversations {
  readonly #options: ConversationsOptions;
  readonly #running = new BoundedMap<string, Conversation>(MAX_CONVERSATIONS, (conversation) =>
    this.#abandon(conversation),
  );
  /** Conversations that the application has ended while a turn goes on. */
  readonly #ended = new BoundedMap<Conversation, Conversation>(MAX_CONVERSATIONS, (conversation) =>
    this.#abandon(conversation),
  );
  /** The running conversation that was used last. */
  #newest: Conversation | undefined;
  #cancelSweep: (() => void) | undefined;

  constructor(options: ConversationsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#running.size;
  }

  /** Returns the running conversation of an event, or starts it. */
  touch(identity: ConversationIdentity): { conversation: Conversation; isNew: boolean } {
    const conversation = this.open(identity);
    const isNew = !conversation.isReported;
    conversation.isReported = true;
    return { conversation, isNew };
  }

  /** Returns the running conversation, or starts it. */
  open(identity: ConversationIdentity): Conversation {
    const { clock } = this.#options;
    const running = this.#find(identity);
    if (running) {
      running.lastActivity = clock.monotonic();
      running.userId = identity.userId ?? running.userId;
      return running;
    }
    const conversation = createConversation(identity, clock);
    this.#running.set(toKey(identity), conversation);
    this.#newest = conversation;
    this.#scheduleSweep();
    return conversation;
  }

  /** Returns the state of a conversation without starting it or keeping it open. */
  peek(identity: ConversationIdentity): Conversation {
    return this.#find(identity) ?? createConversation(identity, this.#options.clock);
  }

  #find(identity: ConversationIdentity): Conversation | undefined {
    // Events of a conversation come in a row, and a key costs more than three comparisons.
    if (this.#newest && isSame(this.#newest.identity, identity)) return this.#newest;
    const running = this.#running.get(toKey(identity));
    if (running) this.#newest = running;
    return running;
  }

  /** Drops a conversation that has ended, except for turns of runs that go on. */
  end(conversation: Conversation): void {
    this.#newest = undefined;
    this.#running.delete(toKey(conversation.identity));
    if (!conversation.runTurns?.size) return;
    conversation.lastActivity = this.#options.clock.monotonic();
    this.#ended.set(conversation, conversation);
    this.#scheduleSweep();
  }

  /** Abandons every conversation. */
  close(): void {
    this.#cancelSweep?.();
    this.#cancelSweep = undefined;
    this.#sweep(-Infinity);
  }

  #abandon(conversation: Conversation): void {
    if (this.#newest === conversation) this.#newest = undefined;
    try {
      this.#options.onAbandon(conversation);
    } catch {
      // The application's processors run here; their errors must not stop a timer or a shutdown.
    }
  }

  #scheduleSweep(): void {
    const { clock, idleTimeout } = this.#options;
    if (this.#cancelSweep) return;
    this.#cancelSweep = clock.schedule(
      () => {
        this.#cancelSweep = undefined;
        this.#sweep(idleTimeout);
        if (this.#running.size + this.#ended.size > 0) this.#scheduleSweep();
      },
      Math.min(idleTimeout, MAX_SWEEP_INTERVAL_MILLIS),
    );
  }

  /** Abandons the conversations that have been idle for longer than a time. */
  #sweep(maxIdleMillis: number): void {
    this.#giveUp(this.#running, maxIdleMillis);
    this.#giveUp(this.#ended, Math.min(maxIdleMillis, MAX_TURN_MILLIS));
  }

  #giveUp<K>(conversations: BoundedMap<K, Conversation>, maxIdleMillis: number): void {
    const oldestAllowed = this.#options.clock.monotonic() - maxIdleMillis;
    // The map is in order of use, so the idle ones come first.
    for (let oldest = conversations.oldest(); oldest; oldest = conversations.oldest()) {
      const [key, conversation] = oldest;
      if (conversation.lastActivity > oldestAllowed) return;
      conversations.delete(key);
      this.#abandon(conversation);
    }
  }
}
