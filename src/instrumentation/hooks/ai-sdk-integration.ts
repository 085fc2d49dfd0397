import { context as contextApi, trace } from "@opentelemetry/api";
import { activeTurnContext } from "../../scope/turn-scope.ts";
import { BoundedMap } from "../../util/bounded-map.ts";
import { toErrorName } from "../../util/logger.ts";
import type { FetchObserverHost } from "../host.ts";
import { toRecord, type JsonRecord } from "../../util/values.ts";
import { endTool, startTool } from "./ai-sdk-spans.ts";
import type { HookSpan } from "./hook-span.ts";

/** Runs of tools that are open at a time; the one that started first is given up. */
const MAX_OPEN = 1000;

/** What `registerTelemetryIntegration` of the AI SDK 6 takes; its events are more than what is read. */
export interface AiSdkIntegration {
  /** Starts the run of a tool. */
  onToolCallStart(event: unknown): void;
  /** Ends the run of a tool, with its result or its failure. */
  onToolCallFinish(event: unknown): void;
}

/** Tells whether the AI SDK has made a span of its own for the tool. */
function isTold(): boolean {
  const active = trace.getSpan(contextApi.active()) as { attributes?: unknown } | undefined;
  return toRecord(active?.attributes)["ai.operationId"] === "ai.toolCall";
}

/**
 * Creates an integration that tells of the tools of the AI SDK 6, whether a call asks for telemetry or not.
 *
 * Only tools: the AI SDK tells an integration neither of a call that fails nor of one that is broken off, so that spans of
 * runs would stay open. Model calls are the fetch observer's, and runs the tracer's.
 */
export function createAiSdkIntegration(host: FetchObserverHost): AiSdkIntegration {
  const open = new BoundedMap<unknown, HookSpan>(MAX_OPEN, (span) => span.abandon());
  const guard = (event: unknown, action: (event: JsonRecord) => void): void => {
    try {
      action(toRecord(event));
    } catch (error) {
      host.log?.log("warn", "hook:ai-sdk", "a tool of the AI SDK could not be recorded", {
        error: toErrorName(error),
      });
    }
  };
  return {
    onToolCallStart: (given) =>
      guard(given, (event) => {
        if (isTold()) return;
        open.set(event["toolCall"], startTool(host, event, activeTurnContext()));
      }),
    onToolCallFinish: (given) =>
      guard(given, (event) => {
        const span = open.get(event["toolCall"]);
        open.delete(event["toolCall"]);
        if (span) endTool(span, event);
      }),
  };
}
