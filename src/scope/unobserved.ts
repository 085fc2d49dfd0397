import { AsyncLocalStorage } from "node:async_hooks";

// The ESM and the CommonJS build of one process share one store.
const STORAGE = Symbol.for("agent-monitor.unobserved");

const storage = ((globalThis as { [STORAGE]?: AsyncLocalStorage<true> })[STORAGE] ??=
  new AsyncLocalStorage());

/** Runs a function, and all that it starts, so that none of our observers reports it. */
export function runUnobserved<T>(run: () => T): T {
  return storage.run(true, run);
}

/** Returns whether the current code is excluded from observation. */
export function isUnobserved(): boolean {
  return storage.getStore() === true;
}
