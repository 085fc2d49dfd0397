import { AsyncLocalStorage } from "node:async_hooks";
import { createRequire } from "node:module";
import { join } from "node:path";
import { readMember } from "../../util/untrusted-values.ts";

/** LangChain's arguments when a model is called. */
export type CallStartArgs = [
  serialized: unknown,
  given: unknown,
  runId: string,
  parentRunId?: string,
  extraParams?: unknown,
  tags?: unknown,
  metadata?: unknown,
  runName?: unknown,
];

/** LangChain's arguments when a chain starts. */
export type ChainStartArgs = [
  serialized: unknown,
  inputs: unknown,
  runId: string,
  parentRunId?: string,
  tags?: unknown,
  metadata?: unknown,
  runType?: unknown,
  runName?: unknown,
];

/** LangChain's arguments when a tool starts; `toolCallId` since 1.0. */
export type ToolStartArgs = [
  serialized: unknown,
  input: unknown,
  runId: string,
  parentRunId?: string,
  tags?: unknown,
  metadata?: unknown,
  runName?: unknown,
  toolCallId?: unknown,
];

/** Callbacks of model calls. */
export interface CallMethods {
  /** Starts a call with its messages. */
  handleChatModelStart(...args: CallStartArgs): void;
  /** Starts a call with its prompts, for a model that takes no messages. */
  handleLLMStart(...args: CallStartArgs): void;
  /** Records that the response is still coming. */
  handleLLMNewToken(token: unknown, place: unknown, runId: string): void;
  /** Ends a call with the response. */
  handleLLMEnd(output: unknown, runId: string): void;
  /** Ends a call that failed. */
  handleLLMError(error: unknown, runId: string): void;
}

/** Callbacks of chains. */
export interface ChainMethods {
  /** Starts the run of a chain, a graph or one of its nodes. */
  handleChainStart(...args: ChainStartArgs): void;
  /** Ends a run with its outputs. */
  handleChainEnd(outputs: unknown, runId: string): void;
  /** Ends a run that failed. */
  handleChainError(error: unknown, runId: string): void;
}

/** Callbacks of tools. */
export interface ToolMethods {
  /** Starts the run of a tool. */
  handleToolStart(...args: ToolStartArgs): void;
  /** Ends a run with the tool's result. */
  handleToolEnd(output: unknown, runId: string): void;
  /** Ends a run that failed. */
  handleToolError(error: unknown, runId: string): void;
}

/**
 * The part of LangChain's `BaseCallbackHandler` that is used, of `@langchain/core` 0.3 and 1.x.
 *
 * @see https://docs.langchain.com/oss/javascript/langchain/observability
 */
export interface LangChainHandler extends CallMethods, ChainMethods, ToolMethods {
  /** LangChain accepts one handler of each name. */
  readonly name: string;
  /** Set, so that the callbacks of a run are called in its own async context; none of them is asynchronous. */
  readonly awaitHandlers: boolean;
  /** Not set: a failure of the handler does not fail the run. */
  readonly raiseError: boolean;
  /** Not set: the handler receives model calls. */
  readonly ignoreLLM: boolean;
  /** Not set: the handler receives chains. */
  readonly ignoreChain: boolean;
  /** Not set: the handler receives tools. */
  readonly ignoreAgent: boolean;
  /** Set: the handler does not receive retrievers. */
  readonly ignoreRetriever: boolean;
  /** Set: the handler does not receive custom events of applications. */
  readonly ignoreCustomEvent: boolean;
  /** Returns the handler itself, because all copies share its runs. */
  copy(): LangChainHandler;
}

/** The part of the module `@langchain/core/context` that is used. */
interface LangChainContext {
  readonly registerConfigureHook: (config: never) => unknown;
}

/** Environment variable by which LangChain decides whether to use the handler; `false` disables it. */
export const LANGCHAIN_VARIABLE = "AGENT_MONITOR_LANGCHAIN";

/**
 * Returns the copies of `@langchain/core/context` that an application may use: the CommonJS and the ESM copy do not
 * share hooks. Empty when LangChain is not installed there.
 *
 * @param folder - Folder of the application, from which packages are resolved.
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
      // This copy is missing, or can't be loaded synchronously.
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
 * Registers a handler for every run that LangChain starts from here on, in the calling code and in all code that it
 * starts.
 *
 * Must be called before the application's own work, best while its modules load: LangChain keeps such hooks in its
 * async context. Once for each copy of the module.
 *
 * @param environment - Environment that LangChain reads. @defaultValue `process.env`
 */
export function registerLangChainHandler(
  handler: LangChainHandler,
  { registerConfigureHook }: LangChainContext,
  environment: Record<string, string | undefined> = process.env,
): void {
  environment[LANGCHAIN_VARIABLE] ??= "true";
  // LangChain constructs the class for every run; a constructor may return an existing object.
  const handlerClass = function (): LangChainHandler {
    return handler;
  };
  const register = registerConfigureHook as (config: object) => unknown;
  register({ handlerClass, envVar: LANGCHAIN_VARIABLE, inheritable: true });
}

/** A storage like LangChain's own, which falls back to the store at the time of `keep`. */
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

/** Offers LangChain the storage for its hooks, as platforms may; a storage that it has already stays. */
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
    // Not installed, or storage can't be offered: the hooks hold in the calling code and in all code that it starts.
  }
  return storage;
}

/**
 * Registers a handler with every copy of LangChain that an application may use, for the whole process.
 *
 * Meant for a preloaded module, whose async context the application does not share on Node 24. Must run before
 * LangChain is loaded, else the handler is limited as by {@link registerLangChainHandler}.
 *
 * @returns The number of copies found.
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
