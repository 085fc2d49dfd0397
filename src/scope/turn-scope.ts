import { AsyncLocalStorage } from "node:async_hooks";
import { context as contextApi, createContextKey, type Context } from "@opentelemetry/api";

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
// The ESM and the CommonJS build of one process share one store.
const STORAGE = Symbol.for("agent-monitor.turn-scope");

const storage = ((globalThis as { [STORAGE]?: AsyncLocalStorage<TurnScope> })[STORAGE] ??=
  new AsyncLocalStorage());

/** Runs a function, and all that it starts, for a turn. */
export function withTurnScope<T>(turn: TurnScope, run: () => T): T {
  return storage.run(turn, run);
}

/** Returns the active context, or inside it that of the current turn. */
export function activeTurnContext(): Context {
  const active = contextApi.active();
  const turn = storage.getStore();
  return turn ? turn.enter(active).setValue(TURN, turn) : active;
}

/** Returns whether a context belongs to the current turn, or both to none. */
export function isInActiveTurn(context: Context): boolean {
  return context.getValue(TURN) === storage.getStore();
}

/** Counts an operation that starts in a context. @returns A function that counts its end, or that it was given up. */
export function beginInTurn(context: Context): (isGivenUp?: boolean) => void {
  const turn = context.getValue(TURN) as TurnScope | undefined;
  if (!turn) return () => undefined;
  turn.begin();
  return (isGivenUp = false) => turn.leave(isGivenUp);
}
