import { REDACTED_KINDS, type RedactOptions } from "../config/redact-options.ts";
import { BoundedMap } from "../util/bounded-map.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";
import { redactString, type Redaction } from "./text-redaction.ts";
import { createTokens, toTokenKey } from "./token.ts";
import { redactValue } from "./value-redaction.ts";

/** Replaces card, social security, account and phone numbers, IBANs, secrets and e-mail addresses by tokens. */
export interface Redactor {
  /** Redacts a text; JSON in it stays JSON. */
  text(value: string): string;
  /**
   * Redacts a value with everything in it: texts, numbers, names of members, JSON in texts.
   *
   * @param name - Name of the value's member, if there is one: any value of a `password` is replaced.
   * @returns The same value if nothing is found, else a copy.
   */
  value<T>(value: T, name?: string): T;
  /** Redacts an identifier: only values of these kinds, so that other identifiers stay comparable. */
  identifier(value: string): string;
  /** Number of texts and values that could not be redacted and were replaced by the marker `[REDACTION FAILED]`. */
  readonly failures: number;
  /** Counts and reports a failure of code that uses this redactor. */
  fail(error: unknown): void;
}

/** Options of a redactor. */
export interface RedactorOptions extends RedactOptions {
  /** Called with every failure; the error may hold content. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

const MAX_REMEMBERED_KEYS = 4096;
const MAX_REMEMBERED_KEY_LENGTH = 128;

/**
 * Creates a redactor.
 *
 * Equal values have equal tokens, `[CARD:k3f9a2b7qd]`, in all redactors of one key. It never throws: a text or value
 * that can't be redacted becomes `[REDACTION FAILED]`, never its original.
 *
 * @throws TypeError for a key of less than 32 bytes.
 */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const { custom, onFailure } = options;
  let failures = 0;
  const fail = (error: unknown): void => {
    failures++;
    try {
      onFailure?.(error);
    } catch {
      // A listener must not turn a failure into a leak.
    }
  };
  const redaction: Redaction = {
    kinds: new Set(options.kinds ?? REDACTED_KINDS),
    toToken: createTokens(toTokenKey(options.key)),
    custom,
    onFailure: fail,
  };
  const keys = new BoundedMap<string, string>(MAX_REMEMBERED_KEYS);
  const toKey = (key: string): string => {
    let redacted = keys.get(key);
    if (redacted === undefined) {
      redacted = redactString(key, {}, undefined, redaction);
      if (key.length <= MAX_REMEMBERED_KEY_LENGTH) keys.set(key, redacted);
    }
    return redacted;
  };
  return {
    text: (value) => redactValue(value, undefined, redaction, toKey) as string,
    value: <T>(value: T, name?: string) => redactValue(value, name, redaction, toKey) as T,
    identifier: (value) => redactString(value, { isIdentifier: true }, undefined, redaction),
    get failures() {
      return failures;
    },
    fail,
  };
}

/**
 * Creates the redactor of a configuration, for all destinations.
 *
 * Failures are logged by kind only: the error's message may be content.
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

/**
 * Creates the redactor for the judge's model: with all kinds, independent of the platform's, and with the caller's own
 * function.
 */
export function createJudgeRedactor(
  redact: boolean | RedactOptions | undefined,
  log: BurstLogger,
): Redactor {
  if (typeof redact !== "object") return createConfiguredRedactor(undefined, log);
  const { key, custom } = redact;
  return createConfiguredRedactor({ ...(key && { key }), ...(custom && { custom }) }, log);
}
