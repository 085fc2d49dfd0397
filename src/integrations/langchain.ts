/* The entry for LangChain and LangGraph. */
import type { LangChainHandler } from "../instrumentation/hooks/langchain-register.ts";
import {
  createLangChainHandler as createHandler,
  type LangChainHookOptions,
} from "../instrumentation/hooks/langchain.ts";
import type { AgentMonitor } from "../monitor/monitor.ts";

export type { LangChainHookOptions } from "../instrumentation/hooks/langchain.ts";
export type {
  CallMethods,
  CallStartArgs,
  ChainMethods,
  ChainStartArgs,
  LangChainHandler,
  ToolMethods,
  ToolStartArgs,
} from "../instrumentation/hooks/langchain-register.ts";

/**
 * Creates a callback handler for LangChain and LangGraph: `callbacks: [handler]`.
 *
 * Conversation, session and user come from `thread_id`, `session_id` and `user_id` of the run's metadata and
 * configuration.
 *
 * @see https://docs.langchain.com/oss/javascript/langchain/observability
 */
export function createLangChainHandler(
  monitor: AgentMonitor,
  options?: LangChainHookOptions,
): LangChainHandler {
  return createHandler(monitor.instrumentationHost, options);
}
