import { AsyncLocalStorage } from "node:async_hooks";
import { context as contextApi, trace, type Context } from "@opentelemetry/api";
import { activeTurnContext, isInActiveTurn } from "../../scope/turn-scope.ts";

// The ESM and the CommonJS build of one process share one store.
const STORAGE = Symbol.for("agent-monitor.hook-context");

const storage = ((globalThis as { [STORAGE]?: AsyncLocalStorage<Context> })[STORAGE] ??=
  new AsyncLocalStorage());

/** Runs a function, and all that it starts, inside the span of a hook, also where no context manager hands spans on. */
export function withHookContext<T>(context: Context, run: () => T): T {
  return storage.run(context, run);
}

/** Runs a function inside the span of a hook, for everybody: for those that ask OpenTelemetry as well. */
export function runInside<T>(context: Context, run: () => T): T {
  return withHookContext(context, () => contextApi.with(context, run));
}

/** Gives the context that what starts now is inside of: that of the active span, of a hook's, or of the turn. */
export function activeHookContext(): Context {
  if (trace.getSpan(contextApi.active())) return activeTurnContext();
  const around = storage.getStore();
  return around && isInActiveTurn(around) ? around : activeTurnContext();
}
