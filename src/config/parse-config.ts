import type * as z from "zod";
import {
  toValidationDetails,
  ValidationError,
  type ValidationDetail,
} from "../events/validation-error.ts";
import { readMember } from "../util/untrusted-values.ts";
import { agentMonitoringConfigSchema, type ResolvedConfig } from "./config.ts";
import {
  fromEnvironment,
  toEnvironmentVariable,
  type GivenFields,
} from "./environment-variables.ts";
import { findUnknownSettings } from "./unknown-settings.ts";

/** Settings of how events are kept on disk, without effect where they are not. */
const SPOOL_SETTINGS = ["maxSpoolBytes", "maxSpoolAge", "spoolKey"];

/** Finds a judge that never gets an answer. */
function findIdleJudge({ merged }: GivenFields): ValidationDetail[] {
  if (merged["judge"] === undefined || merged["enableComplianceChecks"] !== false) return [];
  const message =
    "does nothing without enableComplianceChecks: what no rule has read is not judged";
  return [{ field: "judge", message, code: "custom" }];
}

/** Finds settings of the spool that do nothing because of another one: their application expects events to outlive the process. */
function findIdleSpool({ merged, variables }: GivenFields): ValidationDetail[] {
  const isGiven = (field: string): boolean => merged[field] !== undefined;
  const hasDirectory = isGiven("spoolDirectory");
  const isInMemory = merged["durability"] === "memory";
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
  const value = path.reduce<unknown>((parent, key) => readMember(parent, key), root);
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
  const fields = readAll(given ?? {}, environment);
  const { merged } = fields;
  const parsed = agentMonitoringConfigSchema.safeParse(merged);
  const { refused, ignored } = findUnknownSettings(merged, environment);
  if (!parsed.success || refused.length > 0) {
    const invalid = toDetails(parsed.error?.issues ?? [], fields);
    throw new ValidationError("config", [...invalid, ...refused]);
  }
  return {
    config: parsed.data,
    ignoredFields: [...ignored, ...findIdleJudge(fields), ...findIdleSpool(fields)],
    isEndpointDefault: merged["endpoint"] === undefined,
  };
}
