import type { Span } from "@opentelemetry/api";
import type { ConversationTotals } from "../events/build-event.ts";
import type { ToolUsageInfo } from "../events/compliance.ts";
import type { DetailedEvent } from "../events/detailed-event.ts";
import { BoundedMap } from "../util/bounded-map.ts";
import type { Clock } from "../util/clock.ts";
import { cutString } from "../util/safe-json.ts";

const MAX_CONVERSATIONS = 10_000;
/** Tool calls since the last answer that are remembered for the rules. */
const MAX_TOOLS = 10;
/** Characters of the user's last message that are remembered for the rules. */
const MAX_USER_MESSAGE_LENGTH = 8192;
const MAX_SWEEP_INTERVAL_MILLIS = 60_000;

/** Who talks with whom. */
export interface ConversationIdentity {
  readonly agentId: string;
  readonly sessionId: string;
  readonly conversationId?: string | undefined;
  readonly userId?: string | undefined;
}

/** What this process knows of a running conversation. */
export interface Conversation {
  readonly identity: ConversationIdentity;
  /** The user, once an event has named one. */
  userId: string | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** Monotonic milliseconds of the last event. */
  lastActivity: number;
  messageCount: number;
  toolCallCount: number;
  errorCount: number;
  responseCount: number;
  responseMillis: number;
  /** The user message that has no answer yet. */
  openMessage?: { readonly at: number; readonly content: string };
  /** Tool calls since the last answer. */
  tools: ToolUsageInfo[];
  span?: Span | undefined;
  turnSpan?: Span | undefined;
}

export interface ConversationsOptions {
  readonly clock: Clock;
  /** Time in ms after which an idle conversation is given up. */
  readonly idleTimeout: number;
  /** Called for a conversation that is given up: too old, or one too many. */
  readonly onAbandon: (conversation: Conversation) => void;
}

function toKey({ agentId, sessionId, conversationId }: ConversationIdentity): string {
  // Identifiers hold no control characters, so the separator can't be part of one.
  return conversationId === undefined ? `${agentId}\n${sessionId}` : `${agentId}\n\n${conversationId}`;
}

/** Sums up what this process has seen of a conversation. */
export function toTotals(conversation: Conversation): ConversationTotals {
  const { startedAt, messageCount, toolCallCount, errorCount, responseCount, responseMillis } = conversation;
  return {
    startedAt,
    messageCount,
    toolCallCount,
    errorCount,
    ...(responseCount > 0 && { averageResponseMillis: responseMillis / responseCount }),
  };
}

function noteTool(conversation: Conversation, event: DetailedEvent): void {
  if (event.interactionType === "tool_call") {
    conversation.tools.push({ name: event.toolName, parameters: event.toolParameters, result: null, success: true });
    if (conversation.tools.length > MAX_TOOLS) conversation.tools.shift();
    return;
  }
  if (event.interactionType !== "tool_result") return;
  const index = conversation.tools.findLastIndex(({ name, result }) => name === event.toolName && result === null);
  const call = index < 0 ? undefined : conversation.tools.splice(index, 1)[0];
  conversation.tools.push({
    name: event.toolName,
    parameters: call?.parameters ?? null,
    result: event.toolResult,
    success: event.success,
    executionTime: event.executionTime,
  });
  if (conversation.tools.length > MAX_TOOLS) conversation.tools.shift();
}

/** Enters an event into what is known of its conversation. */
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
      noteTool(conversation, event);
      break;
    case "tool_result":
      noteTool(conversation, event);
      break;
    case "error":
      conversation.errorCount++;
      break;
    default:
      break;
  }
}

/** Remembers running conversations, bounded by count and by age. */
export class Conversations {
  readonly #options: ConversationsOptions;
  readonly #running: BoundedMap<string, Conversation>;
  #cancelSweep: (() => void) | undefined;

  constructor(options: ConversationsOptions) {
    this.#options = options;
    this.#running = new BoundedMap(MAX_CONVERSATIONS, (conversation) => options.onAbandon(conversation));
  }

  get size(): number {
    return this.#running.size;
  }

  /** Gives the running conversation, or begins it. */
  touch(identity: ConversationIdentity): { conversation: Conversation; isNew: boolean } {
    const { clock } = this.#options;
    const key = toKey(identity);
    const running = this.#running.get(key);
    if (running) {
      running.lastActivity = clock.monotonic();
      running.userId = identity.userId ?? running.userId;
      return { conversation: running, isNew: false };
    }
    const conversation: Conversation = {
      identity,
      userId: identity.userId,
      startedAt: clock.now(),
      lastActivity: clock.monotonic(),
      messageCount: 0,
      toolCallCount: 0,
      errorCount: 0,
      responseCount: 0,
      responseMillis: 0,
      tools: [],
    };
    this.#running.set(key, conversation);
    this.#scheduleSweep();
    return { conversation, isNew: true };
  }

  /** Forgets a conversation that has ended. */
  end(conversation: Conversation): void {
    this.#running.delete(toKey(conversation.identity));
  }

  /** Gives up every conversation. */
  close(): void {
    this.#cancelSweep?.();
    for (const conversation of this.#running.values()) this.#options.onAbandon(conversation);
    this.#running.clear();
  }

  #scheduleSweep(): void {
    const { clock, idleTimeout } = this.#options;
    if (this.#cancelSweep) return;
    this.#cancelSweep = clock.schedule(
      () => {
        this.#cancelSweep = undefined;
        this.#sweep();
        if (this.#running.size > 0) this.#scheduleSweep();
      },
      Math.min(idleTimeout, MAX_SWEEP_INTERVAL_MILLIS),
    );
  }

  #sweep(): void {
    const { clock, idleTimeout, onAbandon } = this.#options;
    const oldestAllowed = clock.monotonic() - idleTimeout;
    // The map is in order of use, so the idle ones come first.
    for (let oldest = this.#running.oldest(); oldest; oldest = this.#running.oldest()) {
      const [key, conversation] = oldest;
      if (conversation.lastActivity > oldestAllowed) return;
      this.#running.delete(key);
      onAbandon(conversation);
    }
  }
}
