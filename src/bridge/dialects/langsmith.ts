import * as semconv from "../../semconv.ts";
import { readMember } from "../../util/untrusted-values.ts";
import { firstValue, type Attributes } from "../reading/read-attributes.ts";
import { readSides } from "../reading/read-messages.ts";
import { readTool } from "../reading/read-tool.ts";
import { countsCacheApart, toCallUsage, toCount } from "../reading/read-usage.ts";
import { readJsonValue } from "../reading/tolerant-json.ts";
import type { CallUsage, Dialect, SpanRole } from "../span-record.ts";
import { fillIdentity } from "./otel-gen-ai.ts";

const ROLES: Readonly<Record<string, SpanRole>> = {
  llm: "call",
  tool: "tool",
  chain: "workflow",
};
const INPUT = [semconv.ATTR_GEN_AI_INPUT_MESSAGES, semconv.ATTR_GEN_AI_PROMPT];
const OUTPUT = [semconv.ATTR_GEN_AI_OUTPUT_MESSAGES, semconv.ATTR_GEN_AI_COMPLETION];
const THREAD = ["thread_id", "session_id", "conversation_id"].map(
  (name) => `langsmith.metadata.${name}`,
);

const CACHE_WRITES = ["cache_creation", "ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"];

/** LangSmith adds cached tokens to the input, whatever the provider does. */
function readUsage(attributes: Attributes): CallUsage | undefined {
  const details = readJsonValue(attributes["gen_ai.usage.input_token_details"]);
  return toCallUsage({
    input: attributes[semconv.ATTR_GEN_AI_USAGE_INPUT_TOKENS],
    output: attributes[semconv.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS],
    cacheRead: readMember(details, "cache_read"),
    cacheWrite: CACHE_WRITES.map((name) => toCount(readMember(details, name)) ?? 0).reduce(
      (sum, count) => sum + count,
    ),
    isCacheAdded: countsCacheApart(
      attributes[semconv.ATTR_GEN_AI_SYSTEM],
      attributes[semconv.ATTR_GEN_AI_PROVIDER_NAME],
    ),
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
  toIdentity: fillIdentity({
    // `langsmith.trace.session_id` is a project, not a session.
    conversationId: THREAD,
    userId: ["langsmith.metadata.user_id"],
  }),
  toMessages: ({ attributes }) =>
    readSides(firstValue(attributes, INPUT), firstValue(attributes, OUTPUT)),
  toTool: ({ name, attributes }) => ({
    name,
    ...readTool(attributes, {
      id: [semconv.ATTR_GEN_AI_TOOL_CALL_ID, "langsmith.metadata.tool_call_id"],
      name: [semconv.ATTR_GEN_AI_TOOL_NAME, "langsmith.trace.name"],
      parameters: [semconv.ATTR_GEN_AI_PROMPT],
      result: [semconv.ATTR_GEN_AI_COMPLETION],
    }),
  }),
  toUsage: ({ attributes }) => readUsage(attributes),
};
