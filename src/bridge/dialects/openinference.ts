import { firstText, readTree, toList } from "../read-attributes.ts";
import { readMessages, toContent, type ReadMessages } from "../read-messages.ts";
import type { Dialect, ExchangeContent, SpanLike, SpanRole } from "../span-exchange.ts";

type Attributes = SpanLike["attributes"];

const ROLES: Readonly<Record<string, SpanRole>> = {
  LLM: "call",
  AGENT: "agent",
  CHAIN: "workflow",
  TOOL: "tool",
};

/** Reads flattened messages, else the raw value. */
function readSide(
  attributes: Attributes,
  side: "input" | "output",
  role: "user" | "assistant",
): ReadMessages {
  const tree = readTree(attributes, `llm.${side}_messages.`);
  const flattened = tree && readMessages(toList(tree), role);
  return flattened && flattened.messages.length > 0
    ? flattened
    : readMessages(attributes[`${side}.value`], role);
}

function readContent(attributes: Attributes): ExchangeContent {
  const input = readSide(attributes, "input", "user");
  const output = readSide(attributes, "output", "assistant");
  return toContent(input, output);
}

/** OpenInference (Arize Phoenix): flattened messages, the raw request and response beside them. */
export const openInference: Dialect = {
  name: "openinference",
  toRole({ attributes }) {
    const kind = attributes["openinference.span.kind"];
    // Chains only group others: they hand on whatever their parts make, messages, prompts, states.
    return typeof kind === "string" ? (ROLES[kind.toUpperCase()] ?? "other") : undefined;
  },
  toIdentity: ({ attributes }) => ({
    agentName: firstText(attributes, ["agent.name", "graph.node.name"]),
    sessionId: firstText(attributes, ["session.id"]),
    userId: firstText(attributes, ["user.id"]),
    model: firstText(attributes, [
      "llm.response.model_name",
      "llm.model_name",
      "llm.request.model_name",
    ]),
  }),
  toContent: ({ attributes }) => readContent(attributes),
};
