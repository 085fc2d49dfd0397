import { firstText, firstValue } from "../reading/read-attributes.ts";
import { readMessages } from "../reading/read-messages.ts";
import { readTool } from "../reading/read-tool.ts";
import { countsCacheApart, toCallUsage } from "../reading/read-usage.ts";
import type { CallUsage, Dialect, SpanLike, SpanMessages, SpanRole } from "../span-record.ts";
import { readJson } from "../reading/tolerant-json.ts";
import {
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_SESSION_ID,
  ATTR_USER_ID,
} from "../../semconv.ts";

type Attributes = SpanLike["attributes"];

function toRole(operation: string): SpanRole {
  if (/\.do(?:Generate|Stream)$/.test(operation)) return "call";
  if (operation === "ai.toolCall") return "tool";
  return /^ai\.(?:generate|stream)(?:Text|Object)$/.test(operation) ? "agent" : "other";
}

/** Version 7 writes JSON text with quotes around a plain prompt. */
function readPrompt(attributes: Attributes): unknown {
  return firstValue(attributes, ["ai.prompt.messages", "ai.prompt"]);
}

function readContent(attributes: Attributes): SpanMessages {
  const input = readMessages(readPrompt(attributes), "user");
  const calls = attributes["ai.response.toolCalls"];
  const read = typeof calls === "string" ? readJson(calls) : { value: calls, isPartial: false };
  const answer = {
    role: "assistant",
    content: firstValue(attributes, ["ai.response.text", "ai.response.object"]),
    tool_calls: read?.value,
  };
  const output = readMessages(answer, "assistant");
  return {
    input,
    output: {
      messages: output.messages,
      isPartial: output.isPartial || read?.isPartial === true,
    },
  };
}

const USAGE = {
  // Version 6 tells apart what Anthropic counts apart.
  uncached: ["ai.usage.inputTokenDetails.noCacheTokens"],
  input: ["ai.usage.inputTokens", "ai.usage.promptTokens", ATTR_GEN_AI_USAGE_INPUT_TOKENS],
  output: ["ai.usage.outputTokens", "ai.usage.completionTokens", ATTR_GEN_AI_USAGE_OUTPUT_TOKENS],
  cacheRead: ["ai.usage.inputTokenDetails.cacheReadTokens", "ai.usage.cachedInputTokens"],
  cacheWrite: ["ai.usage.inputTokenDetails.cacheWriteTokens"],
} as const;

function readUsage(attributes: Attributes): CallUsage | undefined {
  const isApart = countsCacheApart(attributes["ai.model.provider"]);
  return toCallUsage({
    input: firstValue(attributes, isApart ? [...USAGE.uncached, ...USAGE.input] : USAGE.input),
    output: firstValue(attributes, USAGE.output),
    cacheRead: firstValue(attributes, USAGE.cacheRead),
    cacheWrite: firstValue(attributes, USAGE.cacheWrite),
  });
}

/** The Vercel AI SDK up to version 6, and version 7 with its legacy telemetry. */
export const vercelAiSdk: Dialect = {
  name: "vercel-ai-sdk",
  toRole({ attributes }) {
    const operation = attributes["ai.operationId"];
    const isOurs = typeof operation === "string" && operation.startsWith("ai.");
    return isOurs ? toRole(operation) : undefined;
  },
  toIdentity: ({ attributes }) => ({
    agentName: firstText(attributes, ["ai.telemetry.functionId"]),
    sessionId: firstText(attributes, ["ai.telemetry.metadata.sessionId", ATTR_SESSION_ID]),
    conversationId: firstText(attributes, [
      "ai.telemetry.metadata.conversationId",
      "ai.telemetry.metadata.threadId",
    ]),
    userId: firstText(attributes, ["ai.telemetry.metadata.userId", ATTR_USER_ID]),
    model: firstText(attributes, ["ai.response.model", "ai.model.id"]),
    responseId: firstText(attributes, ["ai.response.id"]),
  }),
  toMessages: ({ attributes }) => readContent(attributes),
  toTool: ({ attributes }) =>
    readTool(attributes, {
      id: ["ai.toolCall.id"],
      name: ["ai.toolCall.name"],
      parameters: ["ai.toolCall.args", "ai.toolCall.input"],
      result: ["ai.toolCall.result", "ai.toolCall.output"],
    }),
  toUsage: ({ attributes }) => readUsage(attributes),
};
