import type { BurstLogger } from "../util/logger.ts";
import { toErrorName } from "../util/logger.ts";
import type { RedactOptions } from "../config/redact-options.ts";
import { createRedactor, type Redactor } from "./redactor.ts";

/**
 * Creates the redactor that a configuration asks for, whoever is redacted for.
 *
 * Failures are logged by their kind: what the error says may be content.
 */
export function createConfiguredRedactor(
  redact: boolean | RedactOptions | undefined,
  log: BurstLogger,
): Redactor {
  return createRedactor({
    ...(typeof redact === "object" && redact),
    onFailure: (error) =>
      log.log(
        "error",
        "redaction",
        `redacting failed (${toErrorName(error)}), a marker stands for the text or value`,
      ),
  });
}

/** Creates the redactor for the judge's model: of all kinds, whatever the platform gets, and of what the caller takes out. */
export function createJudgeRedactor(
  redact: boolean | RedactOptions | undefined,
  log: BurstLogger,
): Redactor {
  if (typeof redact !== "object") return createConfiguredRedactor(undefined, log);
  const { key, custom } = redact;
  return createConfiguredRedactor({ ...(key && { key }), ...(custom && { custom }) }, log);
}
