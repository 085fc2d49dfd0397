import { firstText, firstValue } from "../read-attributes.ts";
import { readMessages, toContent } from "../read-messages.ts";
import type { Dialect, ExchangeContent, SpanLike, SpanRole } from "../span-exchange.ts";
import { readGenAiIdentity } from "./otel-gen-ai.ts";

const ROLES: Readonly<Record<string, SpanRole>> = {
  model_generation: "call",
  agent_run: "agent",
  workflow_run: "workflow",
  tool_call: "tool",
  mcp_tool_call: "tool",
};

function readContent(attributes: SpanLike["attributes"]): ExchangeContent {
  const type = String(attributes["mastra.span.type"]);
  const input = readMessages(
    firstValue(attributes, ["gen_ai.input.messages", `mastra.${type}.input`]),
    "user",
  );
  const output = readMessages(
    firstValue(attributes, ["gen_ai.output.messages", `mastra.${type}.output`]),
    "assistant",
  );
  return toContent(input, output);
}

/** Mastra: the conventions' attributes on model calls, its own on agents; steps and chunks repeat the call. */
export const mastra: Dialect = {
  name: "mastra",
  toRole({ attributes }) {
    const type = attributes["mastra.span.type"];
    return typeof type === "string" ? (ROLES[type] ?? "other") : undefined;
  },
  toIdentity({ attributes }) {
    const identity = readGenAiIdentity(attributes);
    const metadata = (name: string): string | undefined =>
      firstText(attributes, [`mastra.metadata.${name}`]);
    return {
      ...identity,
      sessionId: identity.sessionId ?? metadata("sessionId"),
      conversationId: identity.conversationId ?? metadata("threadId"),
      userId: identity.userId ?? metadata("userId") ?? metadata("resourceId"),
    };
  },
  toContent: ({ attributes }) => readContent(attributes),
};
