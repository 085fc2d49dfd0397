import * as z from "zod";
import { lazyObject } from "../events/lazy-schema.ts";
import { sharedSecretSchema } from "../events/protection.ts";
import { functionSchema } from "../events/utility.ts";

/** Kinds of values that can be redacted. */
export const REDACTED_KINDS = [
  "card",
  "ssn",
  "account",
  "iban",
  "secret",
  "email",
  "phone",
] as const;
/** A kind of value that is redacted. */
export type RedactedKind = (typeof REDACTED_KINDS)[number];

export const redactOptionsSchema = lazyObject(() => ({
  kinds: z.array(z.enum(REDACTED_KINDS)).min(1).optional().describe("Default: all of them."),
  key: sharedSecretSchema()
    .optional()
    .describe(
      "Keys the tokens with HMAC-SHA256, so that equal values have equal tokens in all processes: Base64 of at least 32 bytes, else text of that length. Default: random per process.",
    ),
  custom: functionSchema<(text: string) => string>("(text) => string")
    .optional()
    .describe("Takes what else must go out of a text; it runs before the built-in detectors."),
}));
/** How values are redacted. */
export type RedactOptions = z.infer<typeof redactOptionsSchema>;

/** Expectation text of the options; problems inside of them are reported by their own path. */
export const REDACT_EXPECTATION = "expected true, false or { kinds?, key?, custom? }";
