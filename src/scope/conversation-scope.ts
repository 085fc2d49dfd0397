import { AsyncLocalStorage } from "node:async_hooks";

/** The conversation that code runs for. */
export interface ConversationScope {
  /** The agent; interactions of another agent are not changed. */
  readonly agentId: string;
  /** The session; interactions of another session are not changed. */
  readonly sessionId: string;
  /** Conversation of everything that is tracked inside. */
  readonly conversationId?: string | undefined;
  /** User of interactions inside without one. */
  readonly userId?: string | undefined;
  /** Request of interactions inside without one. */
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

/** Returns the conversation that the current code runs in. */
export function currentConversationScope(): ConversationScope | undefined {
  return storage.getStore();
}
