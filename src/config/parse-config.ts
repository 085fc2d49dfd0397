import * as z from "zod";
import {
  toValidationDetails,
  ValidationError,
  type ValidationDetail,
} from "../events/validation-error.ts";
import { parseIfJson } from "../util/values.ts";
import { agentMonitoringConfigSchema, type ResolvedConfig } from "./config.ts";
import { findUnknownSettings, findUnknownVariables } from "./unknown-settings.ts";

/** Settings of how events are kept on disk, without effect where they are not. */
const SPOOL_SETTINGS = ["maxSpoolBytes", "maxSpoolAge", "spoolKey"];

/** Finds a judge that never gets an answer. */
function findIdleJudge(given: Readonly<Record<string, unknown>>): ValidationDetail[] {
  if (given["judge"] === undefined || given["enableComplianceChecks"] !== false) return [];
  const message =
    "does nothing without enableComplianceChecks: what no rule has read is not judged";
  return [{ field: "judge", message, code: "custom" }];
}

/**
 * Finds settings that do nothing because of another one: their application expects events to outlive the process.
 *
 * @param given - Fields as they were passed, without defaults.
 * @param variables - The variable of each field that was read from one.
 */
function findIdleSettings(
  given: Readonly<Record<string, unknown>>,
  variables: ReadonlyMap<string, string>,
): ValidationDetail[] {
  return [...findIdleJudge(given), ...findIdleSpool(given, variables)];
}

function findIdleSpool(
  given: Readonly<Record<string, unknown>>,
  variables: ReadonlyMap<string, string>,
): ValidationDetail[] {
  const isGiven = (field: string): boolean => given[field] !== undefined;
  const hasDirectory = isGiven("spoolDirectory");
  const isInMemory = given["durability"] === "memory";
  if (hasDirectory && !isInMemory) return [];
  const cause = hasDirectory ? 'with durability "memory"' : "without spoolDirectory";
  return [...(hasDirectory ? ["spoolDirectory"] : []), ...SPOOL_SETTINGS]
    .filter(isGiven)
    .map((field) => {
      const variable = variables.get(field);
      const source = variable === undefined ? "" : ` (from ${variable})`;
      const message = `does nothing ${cause}: events are kept in memory only${source}`;
      return { field, message, code: "custom" };
    });
}

const ENVIRONMENT_PREFIX = "AGENT_MONITOR_";

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
interface GivenFields {
  readonly merged: Record<string, unknown>;
  readonly variables: ReadonlyMap<string, string>;
}

function fromEnvironment(given: object, environment: NodeJS.ProcessEnv): GivenFields {
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

/** Fields whose value may hold a credential: an error reports what was wrong, never the value. */
const SECRET_FIELDS = new Set<PropertyKey>([
  "apiKey",
  "organizationId",
  "endpoint",
  "otlp",
  "agent",
  "encryption",
  "signing",
  "chainKey",
  "spoolKey",
  "redact",
  "judge",
]);

function valueAt(root: Record<string, unknown>, path: readonly PropertyKey[]): unknown {
  const [field] = path;
  if (field === undefined || SECRET_FIELDS.has(field)) return undefined;
  const value = path.reduce<unknown>(
    (parent, key) =>
      parent === null || parent === undefined
        ? undefined
        : (parent as Record<PropertyKey, unknown>)[key],
    root,
  );
  return typeof value === "object" || typeof value === "function" ? undefined : value;
}

/** Configuration and the problems that its reader reports. */
export interface ParsedConfig {
  readonly config: ResolvedConfig;
  /** Fields and variables without effect: most likely misspelt, or without another one that they need. */
  readonly ignoredFields: readonly ValidationDetail[];
  /** Whether the endpoint is the default because none was set. */
  readonly isEndpointDefault: boolean;
}

function toDetails(
  issues: readonly z.core.$ZodIssue[],
  { merged, variables }: GivenFields,
): ValidationDetail[] {
  const details = toValidationDetails(issues, (path) => valueAt(merged, path));
  for (const detail of details) {
    const isMissing =
      Object.hasOwn(agentMonitoringConfigSchema.shape, detail.field) &&
      merged[detail.field] === undefined;
    const variable = toEnvironmentVariable(detail.field);
    if (isMissing && variable !== undefined) detail.message = `is required (or set ${variable})`;
    const source = variables.get(/^\w+/.exec(detail.field)?.[0] ?? "");
    if (source !== undefined) detail.message += ` (from ${source})`;
  }
  return details;
}

function readAll(given: object, environment: NodeJS.ProcessEnv): GivenFields {
  try {
    return fromEnvironment(given, environment);
  } catch {
    // A getter or a proxy of the caller's has thrown an error that may hold anything.
    const detail = { field: "config", message: "can't be read", code: "custom" };
    throw new ValidationError("config", [detail]);
  }
}

/**
 * Reads the configuration: explicit fields first, then `AGENT_MONITOR_*` variables, then defaults.
 *
 * @throws ValidationError with every problem at once; it never shows a credential.
 */
export function parseConfig(
  given: unknown,
  environment: NodeJS.ProcessEnv = process.env,
): ParsedConfig {
  if (given !== undefined && (typeof given !== "object" || given === null)) {
    const detail = {
      field: "config",
      message: `expected an object (got ${given === null ? "null" : typeof given})`,
      code: "invalid_type",
    };
    throw new ValidationError("config", [detail]);
  }
  const fieldsGiven = readAll(given ?? {}, environment);
  const { merged, variables } = fieldsGiven;
  const parsed = agentMonitoringConfigSchema.safeParse(merged);
  const fields = Object.keys(agentMonitoringConfigSchema.shape);
  const unknown = [
    findUnknownSettings(merged),
    findUnknownVariables({
      environment,
      prefix: ENVIRONMENT_PREFIX,
      byField: new Map(fields.map((field) => [field, toEnvironmentVariable(field)])),
      isSet: (field) => merged[field] !== undefined,
    }),
  ];
  const refused = unknown.flatMap((settings) => settings.refused);
  if (!parsed.success || refused.length > 0)
    throw new ValidationError("config", [
      ...toDetails(parsed.error?.issues ?? [], fieldsGiven),
      ...refused,
    ]);
  return {
    config: parsed.data,
    ignoredFields: [
      ...unknown.flatMap((settings) => settings.ignored),
      ...findIdleSettings(merged, variables),
    ],
    isEndpointDefault: merged["endpoint"] === undefined,
  };
}
