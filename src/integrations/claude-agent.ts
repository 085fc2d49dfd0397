/* The entry for the Claude Agent SDK. */
import {
  observeClaudeMessages as observeMessages,
  type ClaudeHookOptions,
  type ClaudeQueryLike,
} from "../instrumentation/hooks/claude-agent.ts";
import type { AgentMonitor } from "../monitor/monitor.ts";

export type { ClaudeHookOptions, ClaudeQueryLike } from "../instrumentation/hooks/claude-agent.ts";

/**
 * Observes the messages of a `query()` of `@anthropic-ai/claude-agent-sdk`: turns, responses, tools, subagents, tokens.
 *
 * @returns A proxy of the query, with all of its methods: use it instead.
 */
export function observeClaudeMessages<T extends ClaudeQueryLike>(
  monitor: AgentMonitor,
  query: T,
  options?: ClaudeHookOptions,
): T {
  return observeMessages(monitor.instrumentationHost, query, options);
}
