import type { Attributes, Context } from "@opentelemetry/api";
import * as semconv from "../../semconv.ts";
import { isRecord, toArray, toRecord, toText, type JsonRecord } from "../../util/values.ts";
import { toUsageAttributes } from "../completion.ts";
import type { FetchObserverHost } from "../host.ts";
import * as genAi from "../message.ts";
import { startHookSpan, type HookOperation, type HookSpan } from "./hook-span.ts";
import type { SpanLibrary } from "./library-tracer.ts";

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

function toPart(part: JsonRecord): genAi.Part | undefined {
  const { toolCallId: id, toolName: name } = part;
  switch (part["type"]) {
    case "tool-call":
      // A model's response has the input as text.
      return genAi.toCallPart(id, name, genAi.toArguments(part["input"]));
    case "tool-result":
      return genAi.toResultPart(id, toOutputValue(part["output"] ?? part["result"]), name);
    case "tool-error":
      return genAi.toResultPart(id, { error: String(part["error"]) }, name);
    case "image":
    case "file":
    case "source":
      return genAi.toBlobPart(toText(part["mediaType"]) ?? part["type"]);
    default:
      return undefined;
  }
}

/** Returns the input of a model or an agent; nothing for content that the application does not record. */
function toAiSdkInput(event: JsonRecord): Attributes {
  const { messages, instructions, system, prompt } = event;
  const given = Array.isArray(messages) ? messages : toArray(prompt);
  const asked = typeof prompt === "string" ? [{ role: "user", content: prompt }] : given;
  const orders = instructions ?? system;
  const texts = toArray(orders).map((value) => toRecord(value)["content"]);
  return {
    ...genAi.toInputContent(asked.map((value) => genAi.toRoleMessage(value, toPart))),
    [semconv.ATTR_GEN_AI_SYSTEM_INSTRUCTIONS]: genAi.toListJson(
      genAi.toParts(texts.length > 0 ? texts : orders),
    ),
  };
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
    parts: genAi.toParts(said, toPart),
    finish_reason: toFinishReason(finishReason) ?? "",
  };
  return genAi.toOutputContent([message]);
}

/**
 * Reads token counts: `{ total, cacheRead, cacheWrite }` of version 7's models, numbers and details of steps and
 * version 6.
 */
function toUsage(value: unknown): Attributes {
  const { inputTokens, outputTokens, inputTokenDetails, cachedInputTokens } = toRecord(value);
  const counts = toRecord(inputTokens);
  const details = toRecord(inputTokenDetails);
  return toUsageAttributes({
    input: counts["total"] ?? inputTokens,
    output: toRecord(outputTokens)["total"] ?? outputTokens,
    cacheRead: counts["cacheRead"] ?? details["cacheReadTokens"] ?? cachedInputTokens,
    cacheWrite: counts["cacheWrite"] ?? details["cacheWriteTokens"],
  });
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

/** Operations of the AI SDK that are recorded. */
export type AiSdkOperation = "invoke_agent" | "chat" | "execute_tool";

/** Starts the spans of a run of `generateText` or `streamText` with all its steps, of a model's call, or of a tool. */
export function startAiSdkSpan(
  host: FetchObserverHost,
  operation: AiSdkOperation,
  event: JsonRecord,
  parent: Context,
): HookSpan {
  const start = { operation, library: LIBRARY, parent };
  if (operation !== "execute_tool") {
    const identity = operation === "invoke_agent" ? toIdentity(event) : {};
    const attributes = { ...toModel(event), ...identity };
    return startHookSpan(host, { ...start, attributes, content: toAiSdkInput(event) });
  }
  const { toolCallId, toolName, input } = toRecord(event["toolCall"]);
  const attributes = {
    [semconv.ATTR_GEN_AI_TOOL_NAME]: toText(toolName),
    [semconv.ATTR_GEN_AI_TOOL_CALL_ID]: toText(toolCallId),
  };
  return startHookSpan(host, { ...start, attributes, content: genAi.toArgumentsContent(input) });
}

/** Ends a tool's span with `{ output }` or `{ error }`; neither is there when the application records no outputs. */
export function endTool(span: HookSpan, event: JsonRecord): void {
  const { output, error } = event;
  if (error !== undefined) span.fail(error);
  else if ("output" in event) span.set({}, genAi.toResultContent(output));
  span.end();
}

/** Content attributes of versions 5 and 6. */
const CONTENT =
  /^ai\.(?:prompt|response\.(?:text|object|reasoning|toolCalls|files)|toolCall\.(?:args|input|result|output)|values?|embeddings?|documents|schema)\b/;

/** Attributes that name an operation's model, tool or agent. */
const LABELS: Readonly<Partial<Record<HookOperation, string>>> = {
  chat: "ai.model.id",
  execute_tool: "ai.toolCall.name",
  invoke_agent: "ai.telemetry.functionId",
};

/** How the spans of versions 5 and 6 are read. Headers of requests, which the AI SDK writes on them, are left out. */
export const AI_SDK_SPANS: SpanLibrary = {
  name: LIBRARY,
  scope: `${semconv.SCOPE_NAME}/${LIBRARY}`,
  content: CONTENT,
  secret: /^ai\.request\.headers\b/,
  toOperation(name) {
    if (/\.do(?:Generate|Stream)$/.test(name)) return "chat";
    if (name === "ai.toolCall") return "execute_tool";
    return /^ai\.(?:generate|stream)(?:Text|Object)$/.test(name) ? "invoke_agent" : "chain";
  },
  toName(operation: HookOperation, name: string, attributes: Attributes) {
    const label = attributes[LABELS[operation] ?? ""];
    return operation === "chain" ? name : typeof label === "string" ? label : undefined;
  },
};
