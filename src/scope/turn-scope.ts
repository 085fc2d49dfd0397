import { AsyncLocalStorage } from "node:async_hooks";
import { context as contextApi, createContextKey, type Context } from "@opentelemetry/api";

/** The turn of a conversation that code runs for. No method throws. */
export interface TurnScope {
  /** Gives the context that what runs in an active one starts its spans in: inside the turn. */
  enter(active: Context): Context;
  /** Takes note of something that is observed in the turn. */
  begin(): void;
  /** Takes note that it has ended, or was given up. */
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

/** Gives the active context, or inside it that of the turn that the current code runs for. */
export function activeTurnContext(): Context {
  const active = contextApi.active();
  const turn = storage.getStore();
  return turn ? turn.enter(active).setValue(TURN, turn) : active;
}

/** Tells whether a context is of the turn that the current code runs for, or both of none. */
export function isInActiveTurn(context: Context): boolean {
  return context.getValue(TURN) === storage.getStore();
}

/** Takes note of something that begins in a context. @returns Takes note that it has ended, or was given up. */
export function beginInTurn(context: Context): (isGivenUp?: boolean) => void {
  const turn = context.getValue(TURN) as TurnScope | undefined;
  if (!turn) return () => undefined;
  turn.begin();
  return (isGivenUp = false) => turn.leave(isGivenUp);
}
