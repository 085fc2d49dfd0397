/* The entry for the OpenAI Agents SDK. */
import {
  createAgentsTraceProcessor as createProcessor,
  type AgentsHookOptions,
  type AgentsTraceProcessor,
} from "../instrumentation/hooks/openai-agents.ts";
import type { AgentMonitor } from "../monitor/monitor.ts";

export type {
  AgentsHookOptions,
  AgentsSpan,
  AgentsTrace,
  AgentsTraceProcessor,
} from "../instrumentation/hooks/openai-agents.ts";

/**
 * Creates a trace processor for the OpenAI Agents SDK: `addTraceProcessor(processor)`.
 *
 * @see https://openai.github.io/openai-agents-js/guides/tracing/
 */
export function createAgentsTraceProcessor(
  monitor: AgentMonitor,
  options?: AgentsHookOptions,
): AgentsTraceProcessor {
  return createProcessor(monitor.instrumentationHost, options);
}
