/** What LangChain hands over when a model is called. */
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

/** What LangChain hands over when a chain starts. */
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

/** What LangChain hands over when a tool starts; `toolCallId` since 1.0. */
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
  /** Starts a call with its prompts, of a model that takes no messages. */
  handleLLMStart(...args: CallStartArgs): void;
  /** Notes that the answer is still coming. */
  handleLLMNewToken(token: unknown, place: unknown, runId: string): void;
  /** Ends a call with the answer. */
  handleLLMEnd(output: unknown, runId: string): void;
  /** Ends a call that failed. */
  handleLLMError(error: unknown, runId: string): void;
}

/** Callbacks of chains. */
export interface ChainMethods {
  /** Starts the run of a chain, a graph or one of its nodes. */
  handleChainStart(...args: ChainStartArgs): void;
  /** Ends a run with what it gave. */
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
  /** LangChain takes one handler of a name. */
  readonly name: string;
  /** Set, so that a run is told in its own async context; nothing is waited for. */
  readonly awaitHandlers: boolean;
  /** Not set: a failure of the handler does not fail the run. */
  readonly raiseError: boolean;
  /** Not set: the handler is told of model calls. */
  readonly ignoreLLM: boolean;
  /** Not set: the handler is told of chains. */
  readonly ignoreChain: boolean;
  /** Not set: the handler is told of tools. */
  readonly ignoreAgent: boolean;
  /** Set: the handler is not told of retrievers. */
  readonly ignoreRetriever: boolean;
  /** Set: the handler is not told of events that applications make up. */
  readonly ignoreCustomEvent: boolean;
  /** Gives the handler itself, whose runs are one set. */
  copy(): LangChainHandler;
}
