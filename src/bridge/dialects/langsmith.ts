import { readMember } from "../../util/untrusted-values.ts";
import { firstText, firstValue } from "../reading/read-attributes.ts";
import { readMessages } from "../reading/read-messages.ts";
import { readTool } from "../reading/read-tool.ts";
import { countsCacheApart, toCallUsage, toCount } from "../reading/read-usage.ts";
import type { CallUsage } from "../span-record.ts";
import type { Dialect, SpanLike, SpanRole } from "../span-exchange.ts";
import { readJson } from "../reading/tolerant-json.ts";
import { readGenAiIdentity } from "./otel-gen-ai.ts";

const ROLES: Readonly<Record<string, SpanRole>> = {
  llm: "call",
  tool: "tool",
  chain: "workflow",
};
const INPUT = "gen_ai.prompt";
const OUTPUT = "gen_ai.completion";
const THREAD = ["thread_id", "session_id", "conversation_id"].map(
  (name) => `langsmith.metadata.${name}`,
);

const CACHE_WRITES = ["cache_creation", "ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"];

/** LangSmith adds cached tokens to the input, whatever the provider does. */
function readUsage(attributes: SpanLike["attributes"]): CallUsage | undefined {
  const given = attributes["gen_ai.usage.input_token_details"];
  const details = typeof given === "string" ? readJson(given)?.value : given;
  return toCallUsage({
    input: attributes["gen_ai.usage.input_tokens"],
    output: attributes["gen_ai.usage.output_tokens"],
    cacheRead: readMember(details, "cache_read"),
    cacheWrite: CACHE_WRITES.map((name) => toCount(readMember(details, name)) ?? 0).reduce(
      (sum, count) => sum + count,
    ),
    isCacheAdded: countsCacheApart(attributes["gen_ai.system"], attributes["gen_ai.provider.name"]),
  });
}

/** LangSmith's export to OpenTelemetry: inputs and outputs of its runs as JSON. */
export const langsmith: Dialect = {
  name: "langsmith",
  toRole({ attributes }) {
    const kind = attributes["langsmith.span.kind"];
    if (typeof kind === "string") return ROLES[kind.toLowerCase()] ?? "other";
    return attributes["langsmith.traceable"] === undefined ? undefined : "workflow";
  },
  toIdentity({ attributes }) {
    const identity = readGenAiIdentity(attributes);
    return {
      ...identity,
      // `langsmith.trace.session_id` is a project, not a session.
      conversationId: identity.conversationId ?? firstText(attributes, THREAD),
      userId: identity.userId ?? firstText(attributes, ["langsmith.metadata.user_id"]),
    };
  },
  toMessages: ({ attributes }) => ({
    input: readMessages(firstValue(attributes, ["gen_ai.input.messages", INPUT]), "user"),
    output: readMessages(firstValue(attributes, ["gen_ai.output.messages", OUTPUT]), "assistant"),
  }),
  toTool: ({ name, attributes }) => ({
    name,
    ...readTool(attributes, {
      id: ["gen_ai.tool.call.id", "langsmith.metadata.tool_call_id"],
      name: ["gen_ai.tool.name", "langsmith.trace.name"],
      parameters: [INPUT],
      result: [OUTPUT],
    }),
  }),
  toUsage: ({ attributes }) => readUsage(attributes),
};
