import { isObject } from "../../util/values.ts";
import { toFailure } from "../reading/read-failure.ts";
import { fillSides, readSides } from "../reading/read-messages.ts";
import { readGenAiTool, readTool, unwrapResult } from "../reading/read-tool.ts";
import { readUsage } from "../reading/read-usage.ts";
import type { Dialect, SpanLike, SpanMessages, SpanRole } from "../span-record.ts";
import { fillIdentity, readSpanMessages } from "./otel-gen-ai.ts";

const SCOPE = "gcp.vertex.agent";
const REQUEST = "gcp.vertex.agent.llm_request";

function isAdk({ attributes, instrumentationScope }: SpanLike): boolean {
  return (
    instrumentationScope?.name === SCOPE ||
    attributes["gcp.vertex.agent.invocation_id"] !== undefined ||
    attributes[REQUEST] !== undefined
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
  return attributes[REQUEST] === undefined ? "other" : "call";
}

function readContent(span: SpanLike): SpanMessages {
  const { attributes } = span;
  const own = readSides(attributes[REQUEST], attributes["gcp.vertex.agent.llm_response"]);
  return fillSides(readSpanMessages(span), own);
}

/** Google's Agent Development Kit: Gemini's requests and responses as JSON. */
export const googleAdk: Dialect = {
  name: "google-adk",
  toRole: (span) => (isAdk(span) ? toRole(span) : undefined),
  toIdentity: fillIdentity({
    sessionId: ["gcp.vertex.agent.session_id"],
    userId: ["gcp.vertex.agent.user_id"],
  }),
  toMessages: readContent,
  toTool({ attributes }) {
    const { result, ...asked } = readTool(attributes, {
      parameters: ["gcp.vertex.agent.tool_call_args"],
      result: ["gcp.vertex.agent.tool_response"],
    });
    // An empty object stands for no result.
    const isEmpty = isObject(result) && Object.keys(result).length === 0;
    const returned = isEmpty ? undefined : unwrapResult(result);
    // Both are empty where content is not captured.
    const isOff = returned === undefined && JSON.stringify(asked.parameters) === "{}";
    return {
      ...(!isOff && asked),
      ...(returned !== undefined && { result: returned }),
      ...readGenAiTool(attributes),
    };
  },
  toUsage: ({ attributes }) => readUsage(attributes),
  toFailure({ name, attributes }) {
    // Everything is written when the model has answered.
    const isUnanswered = name.startsWith("call_llm") && Object.keys(attributes).length === 0;
    return isUnanswered ? toFailure(undefined, "the model has not answered") : undefined;
  },
};
