/* The entry for clients of the Model Context Protocol. */
import {
  observeMcpClient as observeClient,
  type McpClientLike,
} from "../instrumentation/hooks/mcp-client.ts";
import type { AgentMonitor } from "../monitor/monitor.ts";

export type { McpClientLike } from "../instrumentation/hooks/mcp-client.ts";

/**
 * Observes the tools that a client of the Model Context Protocol calls: name, arguments, result, failure and time.
 *
 * @param client - `Client` of `@modelcontextprotocol/sdk` 1.x or of `@modelcontextprotocol/client` 2.x.
 * @returns The same client.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/
 */
export function observeMcpClient<T extends McpClientLike>(monitor: AgentMonitor, client: T): T {
  return observeClient(monitor.instrumentationHost, client);
}
