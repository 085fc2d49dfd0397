import type { ValidationDetail } from "../events/validation-error.ts";

/** What says how events are kept on disk, and nothing where they are not. */
const SPOOL_SETTINGS = ["maxSpoolBytes", "maxSpoolAge", "spoolKey"];

/** Finds a judge that nothing is handed to. */
function findIdleJudge(given: Readonly<Record<string, unknown>>): ValidationDetail[] {
  if (given["judge"] === undefined || given["enableComplianceChecks"] !== false) return [];
  const message =
    "does nothing without enableComplianceChecks: what no rule has read is not judged";
  return [{ field: "judge", message, code: "custom" }];
}

/**
 * Finds settings that do nothing because of another one: whoever sets them expects events to outlive the process.
 *
 * @param given - Fields as they are given, without defaults.
 * @param variables - The variable of each field that was read from one.
 */
export function findIdleSettings(
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
