import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, context as contextApi, createContextKey } from "@opentelemetry/api";

/** Returns the store of a name, which the ESM and the CommonJS build share in one process. */
export function sharedStorage<T>(name: string): AsyncLocalStorage<T> {
  const shared = globalThis as { [key: symbol]: AsyncLocalStorage<T> | undefined };
  return (shared[Symbol.for(`agent-monitor.${name}`)] ??= new AsyncLocalStorage());
}

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

const conversations = sharedStorage<ConversationScope>("conversation-scope");

/** Runs a function, and all that it starts, for a conversation. */
export function withConversationScope<T>(scope: ConversationScope, run: () => T): T {
  return conversations.run(scope, run);
}

/** Runs a function, and all that it starts, for no conversation. */
export function withoutConversationScope<T>(run: () => T): T {
  return conversations.exit(run);
}

/** Returns the conversation that the current code runs in. */
export function currentConversationScope(): ConversationScope | undefined {
  return conversations.getStore();
}

/** The turn of a conversation that code runs for. No method throws. */
export interface TurnScope {
  /** Returns the context in which code of an active context starts its spans: inside the turn. */
  enter(active: Context): Context;
  /** Counts an operation that starts in the turn. */
  begin(): void;
  /** Counts its end, or that it was given up. */
  leave(isGivenUp: boolean): void;
}

const TURN = createContextKey("agent-monitor.turn");
const turns = sharedStorage<TurnScope>("turn-scope");

/** Runs a function, and all that it starts, for a turn. */
export function withTurnScope<T>(turn: TurnScope, run: () => T): T {
  return turns.run(turn, run);
}

/** Returns the active context, or inside it that of the current turn. */
export function activeTurnContext(): Context {
  const active = contextApi.active();
  const turn = turns.getStore();
  return turn ? turn.enter(active).setValue(TURN, turn) : active;
}

/** Returns whether a context belongs to the current turn, or both to none. */
export function isInActiveTurn(context: Context): boolean {
  return context.getValue(TURN) === turns.getStore();
}

/** Counts an operation that starts in a context. @returns A function that counts its end, or that it was given up. */
export function beginInTurn(context: Context): (isGivenUp?: boolean) => void {
  const turn = context.getValue(TURN) as TurnScope | undefined;
  if (!turn) return () => undefined;
  turn.begin();
  return (isGivenUp = false) => turn.leave(isGivenUp);
}

const unobserved = sharedStorage<true>("unobserved");

/** Runs a function, and all that it starts, so that none of our observers reports it. */
export function runUnobserved<T>(run: () => T): T {
  return unobserved.run(true, run);
}

/** Returns whether the current code is excluded from observation. */
export function isUnobserved(): boolean {
  return unobserved.getStore() === true;
}
