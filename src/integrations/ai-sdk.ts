/* The entry for Vercel's AI SDK. */
import { createAiSdkHook as createHook, type AiSdkHook } from "../instrumentation/hooks/ai-sdk.ts";
import type { AgentMonitor } from "../monitor/monitor.ts";

export type { AiSdkHook, AiSdkIntegration } from "../instrumentation/hooks/ai-sdk.ts";

/**
 * Creates the hook of Vercel's AI SDK (`ai` 5, 6 and 7): agents, tools, and the model calls inside.
 *
 * `enable()` serves version 7. Versions 5 and 6 take `experimental_telemetry: { isEnabled: true, tracer: hook.tracer }`.
 *
 * @see https://ai-sdk.dev/docs/ai-sdk-core/telemetry
 */
export function createAiSdkHook(monitor: AgentMonitor): AiSdkHook {
  return createHook(monitor.instrumentationHost);
}
