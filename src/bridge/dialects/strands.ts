import * as semconv from "../../semconv.ts";
import {
  readGenAiTool,
  readToolArguments,
  readToolResult,
  toRunParameters,
  toRunResult,
} from "../reading/read-tool.ts";
import { readUsage } from "../reading/read-usage.ts";
import type { Dialect, SpanLike, ToolRun, Writable } from "../span-record.ts";
import { readGenAiRole } from "./otel-gen-ai.ts";

const SCOPE = /^strands[-.]/;
/** The id of every agent that was given none. */
const UNNAMED = "agent";

const isStrands = ({ attributes, instrumentationScope }: SpanLike): boolean =>
  SCOPE.test(instrumentationScope?.name ?? "") ||
  attributes[semconv.ATTR_GEN_AI_SYSTEM] === "strands-agents";

/** A tool's span has its arguments and its result as messages. */
function readEventTool({ events = [] }: SpanLike): Partial<ToolRun> {
  let tool: Partial<Writable<ToolRun>> = {};
  for (const { name, attributes = {} } of events) {
    if (name === semconv.EVENT_GEN_AI_TOOL_MESSAGE) {
      tool = { ...tool, ...toRunParameters(readToolArguments(attributes["content"])) };
    } else if (name === semconv.EVENT_GEN_AI_CHOICE) {
      tool = { ...tool, ...toRunResult(readToolResult(attributes["message"])) };
    }
    const id = attributes["id"];
    if (typeof id === "string") tool.id = id;
  }
  return tool;
}

/** Strands Agents: the conventions, messages as span events with JSON in them. */
export const strands: Dialect = {
  name: "strands",
  toRole: (span) => (isStrands(span) ? readGenAiRole(span.attributes) : undefined),
  toIdentity(_span, conventions) {
    const { agentId, agentName } = conventions;
    return agentId === UNNAMED ? { ...conventions, agentId: agentName ?? agentId } : conventions;
  },
  toTool: (span) => ({ ...readEventTool(span), ...readGenAiTool(span.attributes) }),
  toUsage: ({ attributes }) => readUsage(attributes),
};
