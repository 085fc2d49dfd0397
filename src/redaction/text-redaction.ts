import type { RedactedKind } from "../config/redact-options.ts";
import { isThenable } from "../util/untrusted-values.ts";
import { toNameRule, type NameRule } from "./member-names.ts";
import { FAILURE_MARKER, findValues, isRedacted, type FoundValue, type ToToken } from "./token.ts";

/** Dependencies of a redactor's parts. */
export interface Redaction {
  readonly kinds: ReadonlySet<RedactedKind>;
  readonly toToken: ToToken;
  readonly custom: ((text: string) => string) | undefined;
  /** Called with every text or value that could not be redacted. */
  readonly onFailure: (error: unknown) => void;
}

/** Longest text that is searched, in UTF-16 units; the rest is removed. */
export const MAX_TEXT_LENGTH = 1024 * 1024;
/** Replaces parts that are too long, too deep or too many to be searched. */
export const CUT_MARKER = "[CUT BY REDACTION]";

// Card security codes and PINs: too short to be found by their form.
const SECURITY_CODE =
  /\b((?:cvv2?|cvc2?|(?:security|sec)\.?\scode|pin|passcode)\b(?:\s(?:code|number))?\W{0,3}(?:is\s|was\s)?)(\d{3,8})\b/gi;
const PERCENT_ENCODED = /%[\da-f]{2}/i;
/** Kinds that are found by their form alone, even in the middle of an identifier. */
const KINDS_IN_IDENTIFIERS: readonly RedactedKind[] = ["card", "ssn", "iban", "secret", "email"];

/** Longest number, with the separators between its digits. */
const MAX_NUMBER_LENGTH = 64;

/** Cuts a long text before a number at the limit, since half a number would not be found. */
function cutText(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  const kept = text.slice(0, MAX_TEXT_LENGTH - MAX_NUMBER_LENGTH);
  const last = text.slice(kept.length, MAX_TEXT_LENGTH).replace(/[^\s,;"']*$/, "");
  return `${kept}${last.replace(/[\d\s.,;"'-]+$/, "")} ${CUT_MARKER}`;
}

function replaceFound(text: string, found: readonly FoundValue[], toToken: ToToken): string {
  let redacted = "";
  let at = 0;
  for (const { kind, start, end } of found) {
    const value = text.slice(start, end);
    if (isRedacted(value)) continue;
    redacted += text.slice(at, start) + toToken(kind, value);
    at = end;
  }
  return at === 0 ? text : redacted + text.slice(at);
}

/** Replaces the detectors' findings, and members with sensitive names. */
function redactPlain(text: string, redaction: Redaction): string {
  const { kinds, toToken } = redaction;
  const named = redactMembersInText(text, redaction);
  const redacted = replaceFound(named, findValues(named, kinds), toToken);
  if (!kinds.has("secret")) return redacted;
  return redacted.replaceAll(
    SECURITY_CODE,
    (_match, before: string, code: string) => before + toToken("secret", code),
  );
}

/** Decodes a percent-encoded text; `undefined` for any other text. */
function decodePercents(text: string): string | undefined {
  if (!PERCENT_ENCODED.test(text)) return undefined;
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

/** Redacts a text without parsing it as JSON. */
export function redactSearched(text: string, redaction: Redaction): string {
  const redacted = redactPlain(text, redaction);
  const decoded = decodePercents(redacted);
  if (decoded === undefined) return redacted;
  const redactedDecoded = redactPlain(decoded, redaction);
  return redactedDecoded === decoded ? redacted : redactedDecoded;
}

/** Applies the caller's function to a text. */
function applyCustom(text: string, { custom }: Redaction): string {
  if (!custom) return text;
  const given: unknown = custom(text);
  // The promise is not awaited, and its rejection must not end the process.
  if (isThenable(given)) given.then(undefined, () => undefined);
  if (typeof given !== "string") throw new TypeError("redact.custom: expected a string");
  return given;
}

/** Redacts an identifier: as a whole if it is a value, else only the kinds that are found by their form. */
function redactIdentifier(text: string, redaction: Redaction): string {
  const given = cutText(applyCustom(text, redaction));
  const [first] = findValues(given, redaction.kinds);
  if (!first) return given;
  if (first.start === 0 && first.end === given.length) {
    return replaceFound(given, [first], redaction.toToken);
  }
  const kinds = new Set(KINDS_IN_IDENTIFIERS.filter((kind) => redaction.kinds.has(kind)));
  return replaceFound(given, findValues(given, kinds), redaction.toToken);
}

// Members of JSON or of a printed object anywhere in a text, or of truncated JSON.
const MEMBER =
  /(["'])([A-Za-z][\w .-]{1,60})\1\s{0,8}[:=]\s{0,8}(?:"((?:[^"\\]|\\.)*)|'((?:[^'\\]|\\.)*)|(-?\d[\d.]{0,40}))/g;
// The same inside a JSON string, with escaped quotes.
const ESCAPED_MEMBER =
  /\\{1,7}"([A-Za-z][\w .-]{1,60})\\{1,7}"\s{0,8}:\s{0,8}(?:\\{1,7}"([^"\\]*)|(-?\d[\d.]{0,40}))/g;

/** Redacts the values of members with sensitive names. */
function redactMembersInText(text: string, { kinds, toToken }: Redaction): string {
  const replace = (match: string, name: string, value: string | undefined): string => {
    const { kind } = toNameRule(name);
    if (!value || !kind || !kinds.has(kind) || isRedacted(value)) return match;
    return match.slice(0, match.length - value.length) + toToken(kind, value);
  };
  let redacted = text;
  if (/["']\s{0,8}[:=]/.test(text)) {
    redacted = redacted.replaceAll(
      MEMBER,
      (
        match: string,
        _quote: string,
        name: string,
        double?: string,
        single?: string,
        digits?: string,
      ) => replace(match, name, double ?? single ?? digits),
    );
    if (redacted.includes('\\"')) {
      redacted = redacted.replaceAll(
        ESCAPED_MEMBER,
        (match: string, name: string, quoted?: string, digits?: string) =>
          replace(match, name, quoted ?? digits),
      );
    }
  }
  return redacted;
}

/** Smaller numbers are of no kind that digits alone identify. */
const MIN_TELLING_NUMBER = 1e11;
/** Longer texts label their numbers themselves. */
const MAX_LABELLED_LENGTH = 64;
const LABELLING_NAME =
  /acc|card|pan|ssn|social|tax|tin|routing|aba|iban|phone|mobile|tel|cell|fax|number|num|no$|key|secret|token|pass|pwd|cvv|cvc|pin|code|auth|beneficiary|payee/i;
const MIN_DIGITS = 6;
const DIGITS_ONLY = /^[\d\s-]{6,32}$/;

/** Returns whether a kind was found and is to be redacted. */
export function isWanted(
  kind: RedactedKind | undefined,
  { kinds }: Redaction,
): kind is RedactedKind {
  return kind !== undefined && kinds.has(kind);
}

/** Redacts a short text together with the name of its member: `accountNumber` identifies the kind of a number. */
function redactLabelled(text: string, name: string, redaction: Redaction): string {
  if (text.length > MAX_LABELLED_LENGTH || !/\d{3}/.test(text) || !LABELLING_NAME.test(name))
    return text;
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").replaceAll(/[_.]/g, " ");
  const label = `${words}: `;
  const labelled = redactSearched(label + text, redaction);
  // A value may start in the name.
  return labelled.startsWith(label) ? labelled.slice(label.length) : labelled;
}

/** Redacts a text that is not JSON; on an error it becomes the marker. */
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

/** Redacts a number that is a value by its digits or by its member's name. */
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
