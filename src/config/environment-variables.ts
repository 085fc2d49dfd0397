import * as z from "zod";
import { parseIfJson } from "../util/values.ts";
import { agentMonitoringConfigSchema } from "./config.ts";

/** Begins the name of every variable that is read. */
export const ENVIRONMENT_PREFIX = "AGENT_MONITOR_";

/** Fields that can't be written as text, so no environment variable sets them. */
const OBJECT_FIELDS = new Set<string>([
  "logger",
  "tracerProvider",
  "loggerProvider",
  "agent",
  "encryption",
  "signing",
  "chainKey",
  "judge",
]);

/** Names the environment variable of a field: `batchSize` is `AGENT_MONITOR_BATCH_SIZE`. */
export function toEnvironmentVariable(field: string): string | undefined {
  if (OBJECT_FIELDS.has(field)) return undefined;
  return ENVIRONMENT_PREFIX + field.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function parseFlag(text: string): boolean | undefined {
  if (/^(true|1)$/i.test(text)) return true;
  return /^(false|0)$/i.test(text) ? false : undefined;
}

/** Reads JSON, or words with commas between them. */
function parseList(text: string, { element }: z.ZodArray): unknown {
  const isList = element instanceof z.ZodEnum || element instanceof z.ZodString;
  const isWords = isList && !text.trimStart().startsWith("[");
  return isWords ? text.split(",").map((word) => word.trim()) : parseIfJson(text);
}

function parseText(schema: z.ZodType, text: string): unknown {
  const inner =
    schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (inner instanceof z.ZodNumber)
    return text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
  if (inner instanceof z.ZodBoolean) return parseFlag(text) ?? text;
  if (inner instanceof z.ZodUnion) return parseFlag(text) ?? parseIfJson(text);
  if (inner instanceof z.ZodArray) return parseList(text, inner);
  if (inner instanceof z.ZodRecord) return parseIfJson(text);
  return text;
}

/** Fields as they were passed, and the variables that set the others. */
export interface GivenFields {
  readonly merged: Record<string, unknown>;
  readonly variables: ReadonlyMap<string, string>;
}

/** Adds the fields that variables set to those that were passed. */
export function fromEnvironment(given: object, environment: NodeJS.ProcessEnv): GivenFields {
  const merged: Record<string, unknown> = { ...given };
  const variables = new Map<string, string>();
  for (const [field, schema] of Object.entries(agentMonitoringConfigSchema.shape)) {
    const variable = toEnvironmentVariable(field);
    if (variable === undefined) continue;
    const text = environment[variable];
    if (merged[field] === undefined && text !== undefined && text !== "") {
      merged[field] = parseText(schema, text);
      variables.set(field, variable);
    }
  }
  return { merged, variables };
}
