import {
  describeUnknown,
  findUnknownMembers,
  toFieldPath,
  type UnknownMember,
  type ValidationDetail,
} from "../events/validation-error.ts";
import { findNearestName } from "../util/nearest-name.ts";
import { agentMonitoringConfigSchema } from "./config.ts";

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
export interface UnknownSettings {
  /** Those that must be rejected. */
  readonly refused: readonly ValidationDetail[];
  /** All others. */
  readonly ignored: readonly ValidationDetail[];
}

function isDecisive({ path: [outer, ...inner], nearest }: UnknownMember): boolean {
  if (nearest === undefined || outer === undefined) return false;
  return DECISIVE.has(nearest) || (inner.length > 0 && DECISIVE.has(outer));
}

function toDetail(field: string, message: string): ValidationDetail {
  return { field, message, code: "unrecognized_keys" };
}

/** Finds the members of a configuration that are not known. */
export function findUnknownSettings(config: object): UnknownSettings {
  const refused: ValidationDetail[] = [];
  const ignored: ValidationDetail[] = [];
  for (const member of findUnknownMembers(agentMonitoringConfigSchema, config)) {
    const detail = toDetail(toFieldPath(member.path), describeUnknown(member));
    (isDecisive(member) ? refused : ignored).push(detail);
  }
  return { refused, ignored };
}

/** Environment variables, and the fields that they would set. */
export interface Variables {
  readonly environment: NodeJS.ProcessEnv;
  readonly prefix: string;
  /** The variable of each field; fields that can't be written as text have none. */
  readonly byField: ReadonlyMap<string, string | undefined>;
  /** Returns whether a field has a value, from any source. */
  readonly isSet: (field: string) => boolean;
}

/**
 * Finds variables that resemble those of the configuration and are none.
 *
 * Not those of a field that has a value: the application may have read them itself, a key for example.
 */
export function findUnknownVariables({
  environment,
  prefix,
  byField,
  isSet,
}: Variables): UnknownSettings {
  const refused: ValidationDetail[] = [];
  const ignored: ValidationDetail[] = [];
  const known = new Set(byField.values());
  const fields = [...byField.keys()];
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith(prefix) || known.has(name) || text === undefined || text === "") continue;
    const rest = name.slice(prefix.length);
    const nearest = findNearestName(rest, fields);
    // The application may have variables of this prefix.
    if (nearest === undefined || isSet(nearest)) continue;
    const variable = byField.get(nearest);
    const message =
      variable === undefined
        ? `is not read: ${nearest} is set in the configuration only`
        : `is unknown: did you mean ${variable}?`;
    // `REDACT_KEY` may be somebody's own, `REDACTED` is nobody's.
    const isOwn = rest.startsWith(`${nearest.replace(/[A-Z]/g, "_$&").toUpperCase()}_`);
    (DECISIVE.has(nearest) && !isOwn ? refused : ignored).push(toDetail(name, message));
  }
  return { refused, ignored };
}
