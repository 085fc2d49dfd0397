import { ATTR_GEN_AI_PROVIDER_NAME } from "../../semconv.ts";
import { firstValue, type Attributes } from "../reading/read-attributes.ts";
import { readSides } from "../reading/read-messages.ts";
import { readGenAiTool } from "../reading/read-tool.ts";
import { countsCacheApart, readUsage } from "../reading/read-usage.ts";
import type { Dialect, SpanMessages, SpanRole } from "../span-record.ts";
import { fillIdentity } from "./otel-gen-ai.ts";

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
  return readSides(read("input"), read("output"));
}

/** Mastra: the conventions' attributes on model calls, its own on agents; steps and chunks repeat the call. */
export const mastra: Dialect = {
  name: "mastra",
  toRole({ attributes }) {
    const type = attributes["mastra.span.type"];
    return typeof type === "string" ? (ROLES[type] ?? "other") : undefined;
  },
  toIdentity: fillIdentity({
    sessionId: ["mastra.metadata.sessionId"],
    conversationId: ["mastra.metadata.threadId"],
    userId: ["mastra.metadata.userId", "mastra.metadata.resourceId"],
  }),
  toMessages: ({ attributes }) => readContent(attributes),
  toTool({ attributes }) {
    const type = toType(attributes);
    return readGenAiTool(attributes, {
      id: ["mastra.metadata.toolCallId"],
      parameters: [`mastra.${type}.input`],
      result: [`mastra.${type}.output`],
    });
  },
  toUsage: ({ attributes }) =>
    readUsage(attributes, countsCacheApart(attributes[ATTR_GEN_AI_PROVIDER_NAME])),
};
