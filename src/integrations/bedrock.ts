/* The entry for Amazon Bedrock's client. */
import {
  observeBedrockClient as observeClient,
  type BedrockClient,
} from "../instrumentation/hooks/bedrock.ts";
import type { AgentMonitor } from "../monitor/monitor.ts";

export type { BedrockClient } from "../instrumentation/hooks/bedrock.ts";

/**
 * Observes the calls of a Bedrock client: Converse, ConverseStream, InvokeModel and InvokeModelWithResponseStream.
 *
 * Adds itself to the client's own middleware stack, once however often it is called.
 *
 * @param client - A `BedrockRuntimeClient` or `BedrockRuntime` of `@aws-sdk/client-bedrock-runtime` 3.
 * @returns A function that stops observing.
 */
export function observeBedrockClient(monitor: AgentMonitor, client: BedrockClient): () => void {
  return observeClient(monitor.instrumentationHost, client);
}
