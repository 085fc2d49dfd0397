import * as semconv from "../../semconv.ts";
import { firstText, firstValue, type Attributes } from "../reading/read-attributes.ts";
import { readSides } from "../reading/read-messages.ts";
import { readTool } from "../reading/read-tool.ts";
import { countsCacheApart, readUsage } from "../reading/read-usage.ts";
import { readJson } from "../reading/tolerant-json.ts";
import type { Dialect, SpanMessages, SpanRole } from "../span-record.ts";

function toRole(operation: string): SpanRole {
  if (/\.do(?:Generate|Stream)$/.test(operation)) return "call";
  if (operation === "ai.toolCall") return "tool";
  return /^ai\.(?:generate|stream)(?:Text|Object)$/.test(operation) ? "agent" : "other";
}

function readContent(attributes: Attributes): SpanMessages {
  // Version 7 writes JSON text with quotes around a plain prompt.
  const prompt = firstValue(attributes, ["ai.prompt.messages", "ai.prompt"]);
  const calls = attributes["ai.response.toolCalls"];
  const read = typeof calls === "string" ? readJson(calls) : { value: calls, isPartial: false };
  const answer = {
    role: "assistant",
    content: firstValue(attributes, ["ai.response.text", "ai.response.object"]),
    tool_calls: read?.value,
  };
  const { input, output } = readSides(prompt, answer);
  return { input, output: read?.isPartial === true ? { ...output, isPartial: true } : output };
}

const USAGE = {
  input: ["ai.usage.inputTokens", "ai.usage.promptTokens", semconv.ATTR_GEN_AI_USAGE_INPUT_TOKENS],
  output: [
    "ai.usage.outputTokens",
    "ai.usage.completionTokens",
    semconv.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ],
  cacheRead: ["ai.usage.inputTokenDetails.cacheReadTokens", "ai.usage.cachedInputTokens"],
  cacheWrite: ["ai.usage.inputTokenDetails.cacheWriteTokens"],
};
/** Version 6 separates what Anthropic counts apart. */
const USAGE_APART = {
  ...USAGE,
  input: ["ai.usage.inputTokenDetails.noCacheTokens", ...USAGE.input],
};

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
    sessionId: firstText(attributes, ["ai.telemetry.metadata.sessionId", semconv.ATTR_SESSION_ID]),
    conversationId: firstText(attributes, [
      "ai.telemetry.metadata.conversationId",
      "ai.telemetry.metadata.threadId",
    ]),
    userId: firstText(attributes, ["ai.telemetry.metadata.userId", semconv.ATTR_USER_ID]),
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
  toUsage({ attributes }) {
    const isApart = countsCacheApart(attributes["ai.model.provider"]);
    return readUsage(attributes, false, isApart ? USAGE_APART : USAGE);
  },
};
