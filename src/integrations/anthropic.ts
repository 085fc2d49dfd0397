/* The entry for Anthropic's own spans. */
import {
  createAnthropicTelemetry as createTelemetry,
  type AnthropicTelemetry,
  type AnthropicTelemetryOptions,
} from "../instrumentation/hooks/anthropic.ts";
import type { AgentMonitor } from "../monitor/monitor.ts";

export type {
  AnthropicTelemetry,
  AnthropicTelemetryOptions,
} from "../instrumentation/hooks/anthropic.ts";

/**
 * Creates the `openTelemetry` option of `@anthropic-ai/sdk` from 0.134 on, whose clients make spans of their own.
 *
 * By default such a client sends trace ids to Anthropic with every request; with this option it sends none unless
 * `propagation` is set.
 *
 * @example
 * ```ts
 * new Anthropic({ openTelemetry: createAnthropicTelemetry(monitor, { content: true }) });
 * ```
 */
export function createAnthropicTelemetry(
  monitor: AgentMonitor,
  options?: AnthropicTelemetryOptions,
): AnthropicTelemetry {
  return createTelemetry(monitor.instrumentationHost, options);
}
