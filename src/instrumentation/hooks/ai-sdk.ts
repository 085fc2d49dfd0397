import type { Tracer } from "@opentelemetry/api";
import type { FetchObserverHost } from "../host.ts";
import { AiSdkChannel } from "./ai-sdk-channel.ts";
import { createAiSdkIntegration, type AiSdkIntegration } from "./ai-sdk-integration.ts";
import { createAiSdkTracer } from "./ai-sdk-tracer.ts";

/** What the AI SDK can be observed by, one for each of its versions. */
export interface AiSdkHook {
  /**
   * Reads all runs of version 7 of the process: agents, steps, tools. Nothing else is needed; a call with
   * `telemetry: { isEnabled: false }` stays out.
   */
  enable(): void;
  /** Stops reading; runs that are open are given up. */
  disable(): void;
  /** For `experimental_telemetry: { isEnabled: true, tracer }` of versions 5 and 6: whole runs, call by call. */
  readonly tracer: Tracer;
  /** For `registerTelemetryIntegration(integration)` of version 6: the tools of all calls. */
  readonly integration: AiSdkIntegration;
}

/**
 * Creates the hook of Vercel's AI SDK (`ai` 5, 6 and 7).
 *
 * It tells of agents and tools, and nests the model calls that the fetch observer sees in them. Of streams version 7 does
 * not publish what the model said, which is the fetch observer's to tell.
 */
export function createAiSdkHook(host: FetchObserverHost): AiSdkHook {
  const channel = new AiSdkChannel(host);
  return {
    enable: () => channel.enable(),
    disable: () => channel.disable(),
    tracer: createAiSdkTracer(host),
    integration: createAiSdkIntegration(host),
  };
}
