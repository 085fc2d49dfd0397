import { AsyncLocalStorage } from "node:async_hooks";

// The ESM and the CommonJS build of one process share one store.
const STORAGE = Symbol.for("agent-monitor.unobserved");

const storage = ((globalThis as { [STORAGE]?: AsyncLocalStorage<true> })[STORAGE] ??=
  new AsyncLocalStorage());

/** Runs a function, and all that it starts, so that no observer of ours tells of it. */
export function runUnobserved<T>(run: () => T): T {
  return storage.run(true, run);
}

/** Tells whether the current code runs where nothing is to be told. */
export function isUnobserved(): boolean {
  return storage.getStore() === true;
}
