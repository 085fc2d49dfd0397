import { ATTR_MCP_METHOD_NAME } from "../../semconv.ts";
import type { Attributes } from "../reading/read-attributes.ts";
import { readGenAiTool, readTool, readToolArguments } from "../reading/read-tool.ts";
import type { Dialect, ToolRun } from "../span-record.ts";

const CALL = "tools/call";

const ARGUMENT = "mcp.request.argument.";

/** Arguments that come one by one. */
function readArguments(attributes: Attributes): Partial<ToolRun> {
  const keys = Object.keys(attributes).filter((key) => key.startsWith(ARGUMENT));
  if (keys.length === 0) return {};
  const read = keys.map(
    (key) => [key.slice(ARGUMENT.length), readToolArguments(attributes[key])] as const,
  );
  const entries = read.map(([name, { value }]) => [name, value] as const);
  return {
    parameters: Object.fromEntries<unknown>(entries),
    areParametersPartial: read.some(([, { isPartial }]) => isPartial),
  };
}

/**
 * Calls over the Model Context Protocol, as a client's instrumentation sees them.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/
 */
export const mcp: Dialect = {
  name: "mcp",
  toRole({ attributes }) {
    const method = attributes[ATTR_MCP_METHOD_NAME];
    if (typeof method !== "string") return undefined;
    return method === CALL ? "tool" : "other";
  },
  toTool({ name, attributes }) {
    const rest = name.startsWith(`${CALL} `) ? name.slice(CALL.length + 1) : undefined;
    return {
      ...(rest !== undefined && { name: rest }),
      ...readTool(attributes, {
        name: ["mcp.tool.name", "mcp.request.params.name"],
        parameters: ["mcp.request.params.arguments", "mcp.request.arguments"],
        result: ["mcp.response.value", "mcp.tool.result", "mcp.tool.result.content"],
      }),
      ...readArguments(attributes),
      ...readGenAiTool(attributes),
    };
  },
};
