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
  handleChatModelStart(...args: CallStartArgs): void;
  handleLLMStart(...args: CallStartArgs): void;
  handleLLMNewToken(token: unknown, place: unknown, runId: string): void;
  handleLLMEnd(output: unknown, runId: string): void;
  handleLLMError(error: unknown, runId: string): void;
}

/** Callbacks of chains. */
export interface ChainMethods {
  handleChainStart(...args: ChainStartArgs): void;
  handleChainEnd(outputs: unknown, runId: string): void;
  handleChainError(error: unknown, runId: string): void;
}

/** Callbacks of tools. */
export interface ToolMethods {
  handleToolStart(...args: ToolStartArgs): void;
  handleToolEnd(output: unknown, runId: string): void;
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
  readonly raiseError: boolean;
  readonly ignoreLLM: boolean;
  readonly ignoreChain: boolean;
  readonly ignoreAgent: boolean;
  readonly ignoreRetriever: boolean;
  readonly ignoreCustomEvent: boolean;
  copy(): LangChainHandler;
}
