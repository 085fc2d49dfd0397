import { firstText } from "../read-attributes.ts";
import { readMessages, toContent } from "../read-messages.ts";
import type { Dialect, ExchangeContent, SpanLike, SpanRole } from "../span-exchange.ts";

const ROLES: Readonly<Record<string, SpanRole>> = {
  generation: "call",
  agent: "agent",
  chain: "workflow",
  span: "workflow",
  tool: "tool",
};

function readContent(attributes: SpanLike["attributes"]): ExchangeContent {
  const input = readMessages(attributes["langfuse.observation.input"], "user");
  const output = readMessages(attributes["langfuse.observation.output"], "assistant");
  return toContent(input, output);
}

function readRole(attributes: SpanLike["attributes"]): SpanRole | undefined {
  const type = attributes["langfuse.observation.type"];
  return typeof type === "string" ? (ROLES[type.toLowerCase()] ?? "other") : undefined;
}

/** The Langfuse SDK: requests and responses as JSON. */
export const langfuse: Dialect = {
  name: "langfuse",
  toRole: ({ attributes }) => readRole(attributes),
  toIdentity: ({ name, attributes }) => ({
    agentName: readRole(attributes) === "agent" ? name : undefined,
    sessionId: firstText(attributes, ["session.id", "langfuse.session.id"]),
    userId: firstText(attributes, ["user.id", "langfuse.user.id"]),
    model: firstText(attributes, ["langfuse.observation.model.name"]),
  }),
  toContent: ({ attributes }) => readContent(attributes),
};
