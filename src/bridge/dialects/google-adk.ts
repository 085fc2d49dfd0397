import { readMember } from "../../util/untrusted-values.ts";
import { firstText } from "../reading/read-attributes.ts";
import { toFailure } from "../reading/read-failure.ts";
import { readMessages } from "../reading/read-messages.ts";
import { readGenAiTool, readTool } from "../reading/read-tool.ts";
import { readGenAiUsage } from "../reading/read-usage.ts";
import type { Dialect, SpanLike, SpanMessages, SpanRole } from "../span-record.ts";
import { readGenAiIdentity, readSpanMessages } from "./otel-gen-ai.ts";

const SCOPE = "gcp.vertex.agent";

function isAdk({ attributes, instrumentationScope }: SpanLike): boolean {
  return (
    instrumentationScope?.name === SCOPE ||
    attributes["gcp.vertex.agent.invocation_id"] !== undefined ||
    attributes["gcp.vertex.agent.llm_request"] !== undefined
  );
}

function toRole({ name, attributes }: SpanLike): SpanRole {
  // Says once more what the spans of parallel calls have said.
  if (name.includes("(merged)")) return "other";
  if (name.startsWith("call_llm")) return "call";
  // Newer versions have the conventions' span inside.
  if (name.startsWith("generate_content")) return "call";
  if (name.startsWith("execute_tool")) return "tool";
  if (name.startsWith("invoke_agent") || name.startsWith("agent_run")) return "agent";
  if (name === "invocation") return "workflow";
  return attributes["gcp.vertex.agent.llm_request"] === undefined ? "other" : "call";
}

function readContent(span: SpanLike): SpanMessages {
  const given = readSpanMessages(span);
  const { attributes } = span;
  const input = readMessages(attributes["gcp.vertex.agent.llm_request"], "user");
  const output = readMessages(attributes["gcp.vertex.agent.llm_response"], "assistant");
  return {
    input: given.input.messages.length > 0 ? given.input : input,
    output: given.output.messages.length > 0 ? given.output : output,
  };
}

/** Takes off what is put around a result that is no object; an empty one stands for none. */
function toReturned(result: unknown): unknown {
  if (typeof result !== "object" || result === null) return result;
  const [key, ...others] = Object.keys(result);
  if (key === undefined) return undefined;
  return key === "result" && others.length === 0 ? readMember(result, key) : result;
}

/** Google's Agent Development Kit: Gemini's requests and responses as JSON. */
export const googleAdk: Dialect = {
  name: "google-adk",
  toRole: (span) => (isAdk(span) ? toRole(span) : undefined),
  toIdentity({ attributes }) {
    const identity = readGenAiIdentity(attributes);
    return {
      ...identity,
      sessionId: identity.sessionId ?? firstText(attributes, ["gcp.vertex.agent.session_id"]),
      userId: identity.userId ?? firstText(attributes, ["gcp.vertex.agent.user_id"]),
    };
  },
  toMessages: readContent,
  toTool({ attributes }) {
    const { result, ...asked } = readTool(attributes, {
      id: [],
      name: [],
      parameters: ["gcp.vertex.agent.tool_call_args"],
      result: ["gcp.vertex.agent.tool_response"],
    });
    const returned = toReturned(result);
    // Both are empty where content is not captured.
    const isOff = returned === undefined && JSON.stringify(asked.parameters) === "{}";
    return {
      ...(!isOff && asked),
      ...(returned !== undefined && { result: returned }),
      ...readGenAiTool(attributes),
    };
  },
  toUsage: ({ attributes }) => readGenAiUsage(attributes),
  toFailure({ name, attributes }) {
    // Everything is written when the model has answered.
    const isUnanswered = name.startsWith("call_llm") && Object.keys(attributes).length === 0;
    return isUnanswered ? toFailure(undefined, "the model has not answered") : undefined;
  },
};
