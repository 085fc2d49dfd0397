import type { Attributes, Context } from "@opentelemetry/api";
import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_SESSION_ID,
  ATTR_USER_ID,
} from "../../semconv.ts";
import type { FetchObserverHost } from "../host.ts";
import { toRecord, toText, type JsonRecord } from "../../util/values.ts";
import { toAiSdkInput, toAiSdkProvider } from "./ai-sdk-content.ts";
import { toArgumentsContent, toResultContent } from "./hook-content.ts";
import { startHookSpan, type HookSpan } from "./hook-span.ts";

const LIBRARY = "ai-sdk";

/** Who it is for, as applications write it into the metadata or the context of a run. */
function toIdentity(event: JsonRecord): Attributes {
  const told = { ...toRecord(event["metadata"]), ...toRecord(event["runtimeContext"]) };
  return {
    [ATTR_GEN_AI_AGENT_NAME]: toText(event["functionId"]),
    [ATTR_SESSION_ID]: toText(told["sessionId"]),
    [ATTR_GEN_AI_CONVERSATION_ID]: toText(told["conversationId"] ?? told["threadId"]),
    [ATTR_USER_ID]: toText(told["userId"]),
  };
}

function toModel(event: JsonRecord): Attributes {
  const { provider, modelId } = { ...event, ...toRecord(event["model"]) };
  return {
    [ATTR_GEN_AI_PROVIDER_NAME]: toAiSdkProvider(provider),
    [ATTR_GEN_AI_REQUEST_MODEL]: toText(modelId),
  };
}

/** Starts the spans of a run of `generateText` or `streamText`, with all its steps. */
export function startAgent(host: FetchObserverHost, event: JsonRecord, parent: Context): HookSpan {
  return startHookSpan(host, {
    operation: "invoke_agent",
    library: LIBRARY,
    attributes: { ...toModel(event), ...toIdentity(event) },
    content: toAiSdkInput(event),
    parent,
  });
}

/** Starts the spans of one call of a model. */
export function startChat(host: FetchObserverHost, event: JsonRecord, parent: Context): HookSpan {
  return startHookSpan(host, {
    operation: "chat",
    library: LIBRARY,
    attributes: toModel(event),
    content: toAiSdkInput(event),
    parent,
  });
}

/** Starts the spans of one run of a tool. */
export function startTool(host: FetchObserverHost, event: JsonRecord, parent: Context): HookSpan {
  const { toolCallId, toolName, input } = toRecord(event["toolCall"]);
  return startHookSpan(host, {
    operation: "execute_tool",
    library: LIBRARY,
    attributes: {
      [ATTR_GEN_AI_TOOL_NAME]: toText(toolName),
      [ATTR_GEN_AI_TOOL_CALL_ID]: toText(toolCallId),
    },
    content: toArgumentsContent(input),
    parent,
  });
}

/** Notes what a tool gave back: `{ output }`, or `{ error }`; neither where the application records no outputs. */
export function endTool(span: HookSpan, told: JsonRecord): void {
  const { output, error } = told;
  if (error !== undefined) span.fail(error);
  else if ("output" in told) span.set({}, toResultContent(output));
  span.end();
}
