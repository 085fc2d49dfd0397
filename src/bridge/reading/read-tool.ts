import * as semconv from "../../semconv.ts";
import type { ToolRun } from "../span-record.ts";
import { firstText, firstValue, type Attributes } from "./read-attributes.ts";
import { readToolArguments, readToolResult, type ToolValue } from "./tool-value.ts";

/** Names of the attributes that report a tool's run, the surest first. */
export interface ToolAttributes {
  readonly id?: readonly string[];
  readonly name?: readonly string[];
  readonly parameters?: readonly string[];
  readonly result?: readonly string[];
}

/** What producers write where they know no id. */
const NO_IDS: ReadonlySet<string> = new Set(["<not specified>", "undefined", "null"]);

/** Reads a tool's run; what is absent stays `undefined`. */
export function readTool(attributes: Attributes, names: ToolAttributes): Partial<ToolRun> {
  const id = firstText(attributes, names.id);
  const name = firstText(attributes, names.name);
  const parameters = firstValue(attributes, names.parameters);
  const result = firstValue(attributes, names.result);
  return {
    ...(id !== undefined && !NO_IDS.has(id) && { id }),
    ...(name !== undefined && { name }),
    ...(parameters !== undefined && toRunParameters(readToolArguments(parameters))),
    ...(result !== undefined && toRunResult(readToolResult(result))),
  };
}

/** Returns the arguments of a run, and whether they are whole. */
export function toRunParameters({ value, isPartial }: ToolValue): Partial<ToolRun> {
  return { parameters: value, areParametersPartial: isPartial };
}

/** Returns the result of a run, and whether it is whole. */
export function toRunResult({ value, isPartial }: ToolValue): Partial<ToolRun> {
  return { result: value, isResultPartial: isPartial };
}

const GEN_AI: ToolAttributes = {
  id: [semconv.ATTR_GEN_AI_TOOL_CALL_ID],
  name: [semconv.ATTR_GEN_AI_TOOL_NAME],
  parameters: [
    semconv.ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
    semconv.ATTR_GEN_AI_TOOL_INPUT,
    semconv.ATTR_GEN_AI_TOOL_ARGS,
  ],
  result: [
    semconv.ATTR_GEN_AI_TOOL_CALL_RESULT,
    semconv.ATTR_GEN_AI_TOOL_OUTPUT,
    semconv.ATTR_GEN_AI_TOOL_RESULT,
  ],
};

/**
 * Reads the attributes of the conventions, older names of them included.
 *
 * @param own - Names of a producer's own for what these leave open.
 */
export function readGenAiTool(attributes: Attributes, own?: ToolAttributes): Partial<ToolRun> {
  const conventions = readTool(attributes, GEN_AI);
  return own ? { ...readTool(attributes, own), ...conventions } : conventions;
}
