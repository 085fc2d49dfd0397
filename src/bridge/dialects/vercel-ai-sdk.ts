import { firstText, firstValue } from "../read-attributes.ts";
import { readMessages, toContent } from "../read-messages.ts";
import type { Dialect, ExchangeContent, SpanLike, SpanRole } from "../span-exchange.ts";
import { readJson } from "../tolerant-json.ts";

type Attributes = SpanLike["attributes"];

function toRole(operation: string): SpanRole {
  if (/\.do(?:Generate|Stream)$/.test(operation)) return "call";
  if (operation === "ai.toolCall") return "tool";
  return /^ai\.(?:generate|stream)(?:Text|Object)$/.test(operation) ? "agent" : "other";
}

function readContent(attributes: Attributes): ExchangeContent {
  const input = readMessages(firstValue(attributes, ["ai.prompt.messages", "ai.prompt"]), "user");
  const calls = attributes["ai.response.toolCalls"];
  const read = typeof calls === "string" ? readJson(calls) : { value: calls, isPartial: false };
  const answer = {
    role: "assistant",
    content: firstValue(attributes, ["ai.response.text", "ai.response.object"]),
    tool_calls: read?.value,
  };
  const output = readMessages(answer, "assistant");
  return toContent(input, {
    messages: output.messages,
    isPartial: output.isPartial || read?.isPartial === true,
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
  toIdentity({ attributes }) {
    const metadata = (name: string): string => `ai.telemetry.metadata.${name}`;
    return {
      agentName: firstText(attributes, ["ai.telemetry.functionId"]),
      sessionId: firstText(attributes, [metadata("sessionId"), "session.id"]),
      conversationId: firstText(attributes, [metadata("conversationId"), metadata("threadId")]),
      userId: firstText(attributes, [metadata("userId"), "user.id"]),
      model: firstText(attributes, ["ai.response.model", "ai.model.id"]),
      responseId: firstText(attributes, ["ai.response.id"]),
    };
  },
  toContent: ({ attributes }) => readContent(attributes),
};
