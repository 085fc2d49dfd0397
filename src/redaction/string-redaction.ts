import type { NameRule } from "./member-names.ts";
import type { RedactedKind } from "../config/redact-options.ts";
import {
  applyCustom,
  cutText,
  redactIdentifier,
  redactSearched,
  type Redaction,
} from "./text-redaction.ts";
import { FAILURE_MARKER, isRedacted } from "./token.ts";

/** Below it, a number is none of those that its digits alone tell. */
const MIN_TELLING_NUMBER = 1e11;
/** Longer texts say themselves what their numbers are. */
const MAX_LABELLED_LENGTH = 64;
const LABELLING_NAME =
  /acc|card|pan|ssn|social|tax|tin|routing|aba|iban|phone|mobile|tel|cell|fax|number|num|no$|key|secret|token|pass|pwd|cvv|cvc|pin|code|auth|beneficiary|payee/i;
const MIN_DIGITS = 6;
const DIGITS_ONLY = /^[\d\s-]{6,32}$/;

/** Tells whether a kind was found and is to be redacted. */
export function isWanted(
  kind: RedactedKind | undefined,
  { kinds }: Redaction,
): kind is RedactedKind {
  return kind !== undefined && kinds.has(kind);
}

/** Looks at a short text together with the name of its member: `accountNumber` says what a number is. */
function redactLabelled(text: string, name: string, redaction: Redaction): string {
  if (text.length > MAX_LABELLED_LENGTH || !/\d{3}/.test(text) || !LABELLING_NAME.test(name))
    return text;
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").replaceAll(/[_.]/g, " ");
  const label = `${words}: `;
  const labelled = redactSearched(label + text, redaction);
  // A value may begin in the name.
  return labelled.startsWith(label) ? labelled.slice(label.length) : labelled;
}

/** Redacts a text that is not JSON; what fails becomes the marker. */
export function redactString(
  given: string,
  rule: NameRule,
  name: string | undefined,
  redaction: Redaction,
): string {
  try {
    if (given === "" || isRedacted(given)) return given;
    if (isWanted(rule.kind, redaction)) return redaction.toToken(rule.kind, given);
    if (isWanted(rule.kindOfDigits, redaction) && DIGITS_ONLY.test(given))
      return redaction.toToken(rule.kindOfDigits, given);
    if (rule.isIdentifier) return redactIdentifier(given, redaction);
    const text = cutText(applyCustom(cutText(given), redaction));
    const redacted = redactSearched(text, redaction);
    return redacted === given && name !== undefined
      ? redactLabelled(given, name, redaction)
      : redacted;
  } catch (error) {
    redaction.onFailure(error);
    return FAILURE_MARKER;
  }
}

/** Redacts a number whose digits, or whose member's name, say that it is a value. */
export function redactNumber<N extends number | bigint>(
  value: N,
  rule: NameRule,
  redaction: Redaction,
): N | string {
  const digits = String(value);
  const { kind, kindOfDigits } = rule;
  if (isWanted(kind, redaction)) return redaction.toToken(kind, digits);
  if (isWanted(kindOfDigits, redaction) && digits.length >= MIN_DIGITS && DIGITS_ONLY.test(digits))
    return redaction.toToken(kindOfDigits, digits);
  if (value < MIN_TELLING_NUMBER) return value;
  const redacted = redactSearched(digits, redaction);
  return redacted === digits ? value : redacted;
}
