import { readFileSync } from "node:fs";
import { complianceSettingsSchema, type ComplianceSettings } from "../../events/agent.ts";
import { toValidationDetails, ValidationError } from "../../events/validation-error.ts";
import { UsageError } from "../command.ts";
import { isRecord } from "../../util/values.ts";

const DEFAULTS = { sr11_7_enabled: true, fair_lending_monitoring: true, bsa_aml_checks: true };

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as unknown;
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "no valid JSON";
    throw new UsageError(`--settings: ${path} can't be read (${reason})`);
  }
}

/** Loads compliance settings from a JSON file; a check that is not named is on. @throws UsageError */
export function loadSettings(path: string): ComplianceSettings {
  const value = readJson(path);
  if (!isRecord(value)) throw new UsageError(`--settings: ${path} must hold a JSON object`);
  const unknown = Object.keys(value).filter((key) => !(key in complianceSettingsSchema.shape));
  if (unknown.length > 0)
    throw new UsageError(`--settings: ${path} has unknown members: ${unknown.join(", ")}`);
  const parsed = complianceSettingsSchema.safeParse({ ...DEFAULTS, ...value });
  if (parsed.success) return parsed.data;
  const { message } = new ValidationError(path, toValidationDetails(parsed.error.issues));
  throw new UsageError(`--settings: ${message}`);
}
