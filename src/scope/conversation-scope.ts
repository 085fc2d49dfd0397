import { AsyncLocalStorage } from "node:async_hooks";

/** The conversation that code runs for. */
export interface ConversationScope {
  /** The agent; what is tracked for another one is not touched. */
  readonly agentId: string;
  /** The session; what is tracked for another one is not touched. */
  readonly sessionId: string;
  /** Conversation of all that is tracked inside. */
  readonly conversationId?: string | undefined;
  /** User of all that is tracked inside without one. */
  readonly userId?: string | undefined;
  /** Request of all that is tracked inside without one. */
  readonly requestId?: string | undefined;
}

// The ESM and the CommonJS build of one process share one store.
const STORAGE = Symbol.for("agent-monitor.conversation-scope");

const storage = ((globalThis as { [STORAGE]?: AsyncLocalStorage<ConversationScope> })[STORAGE] ??=
  new AsyncLocalStorage());

/** Runs a function, and all that it starts, for a conversation. */
export function withConversationScope<T>(scope: ConversationScope, run: () => T): T {
  return storage.run(scope, run);
}

/** Runs a function, and all that it starts, for no conversation. */
export function withoutConversationScope<T>(run: () => T): T {
  return storage.exit(run);
}

/** Gives the conversation that the current code runs for. */
export function currentConversationScope(): ConversationScope | undefined {
  return storage.getStore();
}
