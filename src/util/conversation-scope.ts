import { AsyncLocalStorage } from "node:async_hooks";

/** The conversation that code runs for. */
export interface ConversationScope {
  readonly agentId: string;
  readonly sessionId: string;
  readonly conversationId?: string | undefined;
  readonly userId?: string | undefined;
  readonly requestId?: string | undefined;
}

// The ESM and the CommonJS build of one process share one store.
const STORAGE = Symbol.for("agent-monitor.conversation-scope");

function sharedStorage(): AsyncLocalStorage<ConversationScope> {
  const holder = globalThis as { [STORAGE]?: AsyncLocalStorage<ConversationScope> };
  return (holder[STORAGE] ??= new AsyncLocalStorage());
}

/** Runs a function, and all that it starts, for a conversation. */
export function withConversationScope<T>(scope: ConversationScope, run: () => T): T {
  return sharedStorage().run(scope, run);
}

/** Gives the conversation that the current code runs for. */
export function currentConversationScope(): ConversationScope | undefined {
  return sharedStorage().getStore();
}
