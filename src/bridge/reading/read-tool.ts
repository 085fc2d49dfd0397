import { firstText, firstValue } from "./read-attributes.ts";
import type { ToolRun } from "../span-record.ts";
import { readToolArguments, readToolResult, type ToolValue } from "./tool-value.ts";

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

/** Gives the arguments of a run, and whether they are whole. */
export function toRunParameters({ value, isPartial }: ToolValue): Partial<ToolRun> {
  return { parameters: value, areParametersPartial: isPartial };
}

/** Gives the result of a run, and whether it is whole. */
export function toRunResult({ value, isPartial }: ToolValue): Partial<ToolRun> {
  return { result: value, isResultPartial: isPartial };
}

const GEN_AI: ToolAttributes = {
  id: ["gen_ai.tool.call.id"],
  name: ["gen_ai.tool.name"],
  parameters: ["gen_ai.tool.call.arguments", "gen_ai.tool.input", "gen_ai.tool.args"],
  result: ["gen_ai.tool.call.result", "gen_ai.tool.output", "gen_ai.tool.result"],
};

/** Reads the attributes of the conventions, older names of them included. */
export function readGenAiTool(attributes: Attributes): Partial<ToolRun> {
  return readTool(attributes, GEN_AI);
}
