import type { Attributes, Context } from "@opentelemetry/api";
import * as semconv from "../../semconv.ts";
import {
  isRecord,
  parseJson,
  toArray,
  toNumber,
  toRecord,
  toText,
  type JsonRecord,
} from "../../util/values.ts";
import type { FetchObserverHost } from "../host.ts";
import {
  toBlobPart,
  toCallPart,
  toMessage,
  toOtherJson,
  toParts,
  toResultPart,
  type Part,
} from "../message.ts";
import {
  startHookSpan,
  toArgumentsContent,
  toInputContent,
  toOutputContent,
  toResultContent,
  type HookSpan,
} from "./hook-span.ts";

/** The conventions' names of the AI SDK's providers, by their start. */
const PROVIDERS: readonly (readonly [string, string])[] = [
  ["google.vertex", "gcp.vertex_ai"],
  ["vertex", "gcp.vertex_ai"],
  ["google", "gcp.gemini"],
  ["amazon-bedrock", "aws.bedrock"],
  ["bedrock", "aws.bedrock"],
  ["azure", "azure.ai.openai"],
  ["mistral", "mistral_ai"],
  ["xai", "x_ai"],
];
const FINISH_REASONS: Readonly<Record<string, string>> = {
  "tool-calls": "tool_call",
  "content-filter": "content_filter",
};

/** Converts a provider to the conventions' name: `openai` for `openai.chat`. */
function toAiSdkProvider(given: unknown): string | undefined {
  const text = toText(given);
  const known = PROVIDERS.find(
    ([start]) => text === start || text?.startsWith(`${start}.`) === true,
  );
  return known?.[1] ?? text?.split(".")[0];
}

/** Unwraps a tool's output, `{ type: "json", value }`; an error is marked by its type. */
function toOutputValue(output: unknown): unknown {
  if (!isRecord(output) || typeof output["type"] !== "string" || !("value" in output)) {
    return output;
  }
  return output["type"].startsWith("error") ? { error: output["value"] } : output["value"];
}

function toPart(part: JsonRecord): Part | undefined {
  const { toolCallId: id, toolName: name, input } = part;
  switch (part["type"]) {
    case "tool-call":
      // A model's response has the input as text.
      return toCallPart(id, name, typeof input === "string" ? (parseJson(input) ?? input) : input);
    case "tool-result":
      return toResultPart(id, toOutputValue(part["output"] ?? part["result"]), name);
    case "tool-error":
      return toResultPart(id, { error: String(part["error"]) }, name);
    case "image":
    case "file":
    case "source":
      return toBlobPart(toText(part["mediaType"]) ?? part["type"]);
    default:
      return undefined;
  }
}

/** Returns the input of a model or an agent; nothing for content that the application does not record. */
function toAiSdkInput(event: JsonRecord): Attributes {
  const { messages, instructions, system, prompt } = event;
  const attributes: Attributes = {};
  const given = Array.isArray(messages) ? messages : Array.isArray(prompt) ? prompt : [];
  const asked = typeof prompt === "string" ? [{ role: "user", content: prompt }] : given;
  if (asked.length > 0) {
    const input = asked.map((value: unknown) => {
      const { role, content } = toRecord(value);
      return toMessage(toText(role) ?? "user", toParts(content, toPart));
    });
    Object.assign(attributes, toInputContent(input));
  }
  const texts = toArray(instructions ?? system).map((value) => toRecord(value)["content"]);
  const parts = toParts(texts.length > 0 ? texts : (instructions ?? system));
  const json = parts.length > 0 ? toOtherJson(parts) : undefined;
  if (json !== undefined) attributes[semconv.ATTR_GEN_AI_SYSTEM_INSTRUCTIONS] = json;
  return attributes;
}

function toFinishReason(given: unknown): string | undefined {
  const reason = toText(isRecord(given) ? given["unified"] : given);
  return reason === undefined ? undefined : (FINISH_REASONS[reason] ?? reason);
}

/** Returns the output of a model without the results of tools. */
export function toAiSdkOutput(result: JsonRecord): Attributes {
  const { content, finishReason } = result;
  if (!Array.isArray(content)) return {};
  const said = content.filter((part: unknown) => {
    const type = toText(toRecord(part)["type"]) ?? "";
    return type !== "tool-error" && type !== "tool-result" && type !== "source";
  });
  const message = {
    role: "assistant",
    parts: toParts(said, toPart),
    finish_reason: toFinishReason(finishReason) ?? "",
  };
  return toOutputContent([message]);
}

/**
 * Reads token counts: `{ total, cacheRead, cacheWrite }` of version 7's models, numbers and details of steps and
 * version 6.
 */
function toUsage(value: unknown): Attributes {
  const { inputTokens, outputTokens, inputTokenDetails, cachedInputTokens } = toRecord(value);
  const counts = toRecord(inputTokens);
  const details = toRecord(inputTokenDetails);
  const read = counts["cacheRead"] ?? details["cacheReadTokens"] ?? cachedInputTokens;
  const write = counts["cacheWrite"] ?? details["cacheWriteTokens"];
  return {
    [semconv.ATTR_GEN_AI_USAGE_INPUT_TOKENS]: toNumber(counts["total"] ?? inputTokens),
    [semconv.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS]: toNumber(
      toRecord(outputTokens)["total"] ?? outputTokens,
    ),
    [semconv.ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS]: toNumber(read),
    [semconv.ATTR_GEN_AI_USAGE_CACHE_CREATION_INPUT_TOKENS]: toNumber(write),
  };
}

/** Returns the attributes of a response, without content. */
export function toAiSdkOutcome(result: JsonRecord): Attributes {
  const { id, modelId } = toRecord(result["response"]);
  const reason = toFinishReason(result["finishReason"]);
  return {
    [semconv.ATTR_GEN_AI_RESPONSE_ID]: toText(id),
    [semconv.ATTR_GEN_AI_RESPONSE_MODEL]: toText(modelId),
    ...(reason !== undefined && { [semconv.ATTR_GEN_AI_RESPONSE_FINISH_REASONS]: [reason] }),
    ...toUsage(result["usage"]),
  };
}

const LIBRARY = "ai-sdk";

/** Reads session, conversation and user, which applications write into the metadata or the context of a run. */
function toIdentity(event: JsonRecord): Attributes {
  const given = { ...toRecord(event["metadata"]), ...toRecord(event["runtimeContext"]) };
  return {
    [semconv.ATTR_GEN_AI_AGENT_NAME]: toText(event["functionId"]),
    [semconv.ATTR_SESSION_ID]: toText(given["sessionId"]),
    [semconv.ATTR_GEN_AI_CONVERSATION_ID]: toText(given["conversationId"] ?? given["threadId"]),
    [semconv.ATTR_USER_ID]: toText(given["userId"]),
  };
}

function toModel(event: JsonRecord): Attributes {
  const { provider, modelId } = { ...event, ...toRecord(event["model"]) };
  return {
    [semconv.ATTR_GEN_AI_PROVIDER_NAME]: toAiSdkProvider(provider),
    [semconv.ATTR_GEN_AI_REQUEST_MODEL]: toText(modelId),
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
      [semconv.ATTR_GEN_AI_TOOL_NAME]: toText(toolName),
      [semconv.ATTR_GEN_AI_TOOL_CALL_ID]: toText(toolCallId),
    },
    content: toArgumentsContent(input),
    parent,
  });
}

/** Ends a tool's span with `{ output }` or `{ error }`; neither is there when the application records no outputs. */
export function endTool(span: HookSpan, event: JsonRecord): void {
  const { output, error } = event;
  if (error !== undefined) span.fail(error);
  else if ("output" in event) span.set({}, toResultContent(output));
  span.end();
}
