import { firstText, firstValue } from "./read-attributes.ts";
import type { ToolRun } from "../span-record.ts";
import { readToolArguments, readToolResult, type ToolValue } from "./tool-value.ts";
import {
  ATTR_GEN_AI_TOOL_ARGS,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  ATTR_GEN_AI_TOOL_INPUT,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_GEN_AI_TOOL_OUTPUT,
  ATTR_GEN_AI_TOOL_RESULT,
} from "../../semconv.ts";

type Attributes = Readonly<Record<string, unknown>>;

/** Names of the attributes that tell of a tool's run, the surest first. */
export interface ToolAttributes {
  readonly id: readonly string[];
  readonly name: readonly string[];
  readonly parameters: readonly string[];
  readonly result: readonly string[];
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
  id: [ATTR_GEN_AI_TOOL_CALL_ID],
  name: [ATTR_GEN_AI_TOOL_NAME],
  parameters: [ATTR_GEN_AI_TOOL_CALL_ARGUMENTS, ATTR_GEN_AI_TOOL_INPUT, ATTR_GEN_AI_TOOL_ARGS],
  result: [ATTR_GEN_AI_TOOL_CALL_RESULT, ATTR_GEN_AI_TOOL_OUTPUT, ATTR_GEN_AI_TOOL_RESULT],
};

/** Reads the attributes of the conventions, older names of them included. */
export function readGenAiTool(attributes: Attributes): Partial<ToolRun> {
  return readTool(attributes, GEN_AI);
}
