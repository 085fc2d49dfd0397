import { readMember } from "../../util/untrusted-values.ts";
import { firstText, firstValue } from "../reading/read-attributes.ts";
import { readMessages } from "../reading/read-messages.ts";
import { readTool } from "../reading/read-tool.ts";
import { countsCacheApart, toCallUsage, toCount } from "../reading/read-usage.ts";
import type { CallUsage, Dialect, SpanLike, SpanRole } from "../span-record.ts";
import { readJson } from "../reading/tolerant-json.ts";
import { readGenAiIdentity } from "./otel-gen-ai.ts";
import {
  ATTR_GEN_AI_COMPLETION,
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_PROMPT,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_SYSTEM,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
} from "../../semconv.ts";

const ROLES: Readonly<Record<string, SpanRole>> = {
  llm: "call",
  tool: "tool",
  chain: "workflow",
};
const THREAD = ["thread_id", "session_id", "conversation_id"].map(
  (name) => `langsmith.metadata.${name}`,
);

const CACHE_WRITES = ["cache_creation", "ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"];

/** LangSmith adds cached tokens to the input, whatever the provider does. */
function readUsage(attributes: SpanLike["attributes"]): CallUsage | undefined {
  const given = attributes["gen_ai.usage.input_token_details"];
  const details = typeof given === "string" ? readJson(given)?.value : given;
  return toCallUsage({
    input: attributes[ATTR_GEN_AI_USAGE_INPUT_TOKENS],
    output: attributes[ATTR_GEN_AI_USAGE_OUTPUT_TOKENS],
    cacheRead: readMember(details, "cache_read"),
    cacheWrite: CACHE_WRITES.map((name) => toCount(readMember(details, name)) ?? 0).reduce(
      (sum, count) => sum + count,
    ),
    isCacheAdded: countsCacheApart(
      attributes[ATTR_GEN_AI_SYSTEM],
      attributes[ATTR_GEN_AI_PROVIDER_NAME],
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
    input: readMessages(
      firstValue(attributes, [ATTR_GEN_AI_INPUT_MESSAGES, ATTR_GEN_AI_PROMPT]),
      "user",
    ),
    output: readMessages(
      firstValue(attributes, [ATTR_GEN_AI_OUTPUT_MESSAGES, ATTR_GEN_AI_COMPLETION]),
      "assistant",
    ),
  }),
  toTool: ({ name, attributes }) => ({
    name,
    ...readTool(attributes, {
      id: [ATTR_GEN_AI_TOOL_CALL_ID, "langsmith.metadata.tool_call_id"],
      name: [ATTR_GEN_AI_TOOL_NAME, "langsmith.trace.name"],
      parameters: [ATTR_GEN_AI_PROMPT],
      result: [ATTR_GEN_AI_COMPLETION],
    }),
  }),
  toUsage: ({ attributes }) => readUsage(attributes),
};
