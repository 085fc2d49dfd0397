import { firstText, firstValue } from "../reading/read-attributes.ts";
import { readMessages } from "../reading/read-messages.ts";
import { readGenAiTool, readTool } from "../reading/read-tool.ts";
import { countsCacheApart, readGenAiUsage } from "../reading/read-usage.ts";
import type { Dialect, SpanLike, SpanMessages, SpanRole } from "../span-record.ts";
import { readGenAiIdentity } from "./otel-gen-ai.ts";
import { ATTR_GEN_AI_PROVIDER_NAME } from "../../semconv.ts";

type Attributes = SpanLike["attributes"];

const ROLES: Readonly<Record<string, SpanRole>> = {
  model_generation: "call",
  agent_run: "agent",
  workflow_run: "workflow",
  tool_call: "tool",
  mcp_tool_call: "tool",
};

const toType = (attributes: Attributes): string => String(attributes["mastra.span.type"]);

function readContent(attributes: Attributes): SpanMessages {
  const type = toType(attributes);
  const read = (side: "input" | "output"): unknown =>
    firstValue(attributes, [`gen_ai.${side}.messages`, `mastra.${type}.${side}`]);
  return {
    input: readMessages(read("input"), "user"),
    output: readMessages(read("output"), "assistant"),
  };
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
  toMessages: ({ attributes }) => readContent(attributes),
  toTool({ attributes }) {
    const type = toType(attributes);
    return {
      ...readTool(attributes, {
        id: ["mastra.metadata.toolCallId"],
        name: [],
        parameters: [`mastra.${type}.input`],
        result: [`mastra.${type}.output`],
      }),
      ...readGenAiTool(attributes),
    };
  },
  toUsage: ({ attributes }) =>
    readGenAiUsage(attributes, countsCacheApart(attributes[ATTR_GEN_AI_PROVIDER_NAME])),
};
