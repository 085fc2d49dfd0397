import { firstText, firstValue } from "../reading/read-attributes.ts";
import { readSides } from "../reading/read-messages.ts";
import { readTool } from "../reading/read-tool.ts";
import { readUsage } from "../reading/read-usage.ts";
import type { Dialect, SpanLike, SpanRole } from "../span-record.ts";
import { ATTR_USER_ID } from "../../semconv.ts";

const SCOPE = "@voltagent/";

function toRole({ attributes }: SpanLike): SpanRole {
  const type = attributes["span.type"];
  if (type === "tool") return "tool";
  // One span stands for the first of several model calls, and has no answer: the agent's has it all.
  const isAgent = attributes["entity.type"] === "agent" && type === undefined;
  return isAgent || type === "agent" ? "agent" : "other";
}

/** VoltAgent: agents and tools with their input and output as they are. */
export const voltagent: Dialect = {
  name: "voltagent",
  toRole: (span) =>
    span.instrumentationScope?.name.startsWith(SCOPE) === true ? toRole(span) : undefined,
  toIdentity: ({ attributes }) => ({
    agentId: firstText(attributes, ["entity.id"]),
    agentName: firstText(attributes, ["entity.name"]),
    conversationId: firstText(attributes, ["conversation.id", "voltagent.conversation_id"]),
    userId: firstText(attributes, [ATTR_USER_ID]),
    model: firstText(attributes, ["ai.model.name", "llm.model"]),
  }),
  toMessages: ({ attributes }) =>
    readSides(firstValue(attributes, ["agent.messages", "input"]), attributes["output"]),
  toTool: ({ attributes }) =>
    readTool(attributes, {
      id: ["tool.call.id"],
      name: ["tool.name"],
      parameters: ["input"],
      result: ["output"],
    }),
  toUsage: ({ attributes }) =>
    readUsage(attributes, false, {
      input: ["usage.prompt_tokens"],
      output: ["usage.completion_tokens"],
      cacheRead: ["usage.cached_tokens"],
    }),
};
