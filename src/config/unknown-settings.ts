import {
  describeUnknown,
  findUnknownMembers,
  toFieldPath,
  type UnknownMember,
  type ValidationDetail,
} from "../events/validation-error.ts";
import { findNearestName } from "../util/nearest-name.ts";
import { agentMonitoringConfigSchema } from "./config.ts";
import { ENVIRONMENT_PREFIX, toEnvironmentVariable } from "./environment-variables.ts";

/**
 * Settings that decide what is kept, what is sent, to whom and how protected: a misspelt one must not be overlooked,
 * and a log line may go unseen.
 */
const DECISIVE: ReadonlySet<PropertyKey> = new Set([
  "apiKey",
  "organizationId",
  "endpoint",
  "environment",
  "enableComplianceChecks",
  "judge",
  "content",
  "redact",
  "encryption",
  "signing",
  "chainKey",
  "otlp",
  "instrumentations",
  "spoolDirectory",
  "durability",
  "maxSpoolBytes",
  "maxSpoolAge",
  "spoolKey",
  "maxQueueSize",
  "maxQueueBytes",
  "eventSizeLimit",
]);

/** Settings that the configuration does not know. */
interface UnknownSettings {
  /** Those that must be rejected. */
  readonly refused: ValidationDetail[];
  /** All others. */
  readonly ignored: ValidationDetail[];
}

function isDecisive({ path: [outer, ...inner], nearest }: UnknownMember): boolean {
  if (nearest === undefined || outer === undefined) return false;
  return DECISIVE.has(nearest) || (inner.length > 0 && DECISIVE.has(outer));
}

function toDetail(field: string, message: string): ValidationDetail {
  return { field, message, code: "unrecognized_keys" };
}

/**
 * Finds variables that resemble those of the configuration and are none.
 *
 * Not those of a field that has a value, from any source: the application may have read them itself, a key for example.
 */
function addUnknownVariables(
  { refused, ignored }: UnknownSettings,
  fields: Readonly<Record<string, unknown>>,
  environment: NodeJS.ProcessEnv,
): void {
  const names = Object.keys(agentMonitoringConfigSchema.shape);
  const known = new Set(names.map(toEnvironmentVariable));
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith(ENVIRONMENT_PREFIX) || known.has(name) || !text) continue;
    const rest = name.slice(ENVIRONMENT_PREFIX.length);
    const nearest = findNearestName(rest, names);
    // The application may have variables of this prefix.
    if (nearest === undefined || fields[nearest] !== undefined) continue;
    const variable = toEnvironmentVariable(nearest);
    const message =
      variable === undefined
        ? `is not read: ${nearest} is set in the configuration only`
        : `is unknown: did you mean ${variable}?`;
    // `REDACT_KEY` may be somebody's own, `REDACTED` is nobody's.
    const isOwn = rest.startsWith(`${nearest.replace(/[A-Z]/g, "_$&").toUpperCase()}_`);
    (DECISIVE.has(nearest) && !isOwn ? refused : ignored).push(toDetail(name, message));
  }
}

/** Finds the fields of a configuration, and the environment's variables beside them, that are not known. */
export function findUnknownSettings(
  fields: Readonly<Record<string, unknown>>,
  environment: NodeJS.ProcessEnv,
): UnknownSettings {
  const found: UnknownSettings = { refused: [], ignored: [] };
  for (const member of findUnknownMembers(agentMonitoringConfigSchema, fields)) {
    const detail = toDetail(toFieldPath(member.path), describeUnknown(member));
    found[isDecisive(member) ? "refused" : "ignored"].push(detail);
  }
  addUnknownVariables(found, fields, environment);
  return found;
}
