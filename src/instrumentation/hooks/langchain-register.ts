import { AsyncLocalStorage } from "node:async_hooks";
import { createRequire } from "node:module";
import { join } from "node:path";
import { readMember } from "../../util/untrusted-values.ts";
import type { LangChainHandler } from "./langchain-handler.ts";

/** The part of the module `@langchain/core/context` that is used. */
export interface LangChainContext {
  readonly registerConfigureHook: (config: never) => unknown;
}

/** Environment variable that LangChain asks whether the handler is wanted; set to `false`, it is not. */
export const LANGCHAIN_VARIABLE = "AGENT_MONITOR_LANGCHAIN";

/**
 * Gives the copies of `@langchain/core/context` that an application may use: the CommonJS one and the ESM one know
 * nothing of each other's hooks. Empty when LangChain is not installed there.
 *
 * @param folder - Of the application, from which packages are looked for.
 */
export function findLangChainContexts(folder: string): LangChainContext[] {
  const requireThere = createRequire(join(folder, "package.json"));
  const found: LangChainContext[] = [];
  const load = (name: string): void => {
    try {
      const loaded: unknown = requireThere(name);
      const isContext = typeof readMember(loaded, "registerConfigureHook") === "function";
      if (isContext) found.push(loaded as LangChainContext);
    } catch {
      // This copy is not there, or can't be loaded without waiting.
    }
  };
  try {
    const path = requireThere.resolve("@langchain/core/context");
    load(path);
    if (path.endsWith(".cjs")) load(`${path.slice(0, -".cjs".length)}.js`);
  } catch {
    // Not installed.
  }
  return found;
}

/**
 * Registers a handler for every run that LangChain starts from here on, in the calling code and all that it starts.
 *
 * Must be called before the application's own work, best while its modules load: LangChain keeps such hooks in its
 * async context. Once for each copy of the module.
 *
 * @param environment - Where LangChain looks whether the handler is wanted. @defaultValue `process.env`
 */
export function registerLangChainHandler(
  handler: LangChainHandler,
  { registerConfigureHook }: LangChainContext,
  environment: Record<string, string | undefined> = process.env,
): void {
  environment[LANGCHAIN_VARIABLE] ??= "true";
  // LangChain makes an object of the class for every run; a constructor may give one that is there.
  const handlerClass = function (): LangChainHandler {
    return handler;
  };
  const register = registerConfigureHook as (config: object) => unknown;
  register({ handlerClass, envVar: LANGCHAIN_VARIABLE, inheritable: true });
}

/** A storage as LangChain's own, whose store at the time of `keep` holds wherever there is no other. */
class LastingStorage extends AsyncLocalStorage<unknown> {
  #kept: unknown;

  override getStore(): unknown {
    return super.getStore() ?? this.#kept;
  }

  keep(): void {
    this.#kept = this.getStore();
  }
}

let storage: LastingStorage | undefined;

/** Hands LangChain the storage to keep its hooks in, as it lets platforms do; one that it has already stays. */
function offerStorage(folder: string): LastingStorage | undefined {
  if (storage) return storage;
  try {
    const requireThere = createRequire(join(folder, "package.json"));
    const singletons: unknown = requireThere("@langchain/core/singletons");
    const provider = readMember(singletons, "AsyncLocalStorageProviderSingleton");
    const offered = new LastingStorage();
    (provider as { initializeGlobalInstance(given: object): void }).initializeGlobalInstance(
      offered,
    );
    storage = offered;
  } catch {
    // Not installed, or without a way to offer one: the hooks hold in the calling code and what it starts.
  }
  return storage;
}

/**
 * Registers a handler with every copy of LangChain that an application may use, for the whole process.
 *
 * Meant for a preloaded module, whose async context the application does not share on Node 24: must run before LangChain
 * is loaded, else it reaches as far as {@link registerLangChainHandler} does.
 *
 * @returns How many copies were found.
 */
export function registerLangChain(
  handler: LangChainHandler,
  folder: string,
  environment: Record<string, string | undefined> = process.env,
): number {
  const lasting = offerStorage(folder);
  const contexts = findLangChainContexts(folder);
  for (const found of contexts) registerLangChainHandler(handler, found, environment);
  lasting?.keep();
  return contexts.length;
}
