import { isThenable } from "../util/untrusted-values.ts";
import { findValues, type FoundValue } from "./find-values.ts";
import { redactMembersInText } from "./members-in-text.ts";
import type { RedactedKind } from "../config/redact-options.ts";
import { isRedacted, type ToToken } from "./token.ts";

/** What the parts of a redactor work with. */
export interface Redaction {
  readonly kinds: ReadonlySet<RedactedKind>;
  readonly toToken: ToToken;
  readonly custom: ((text: string) => string) | undefined;
  /** Hears of every text or value that could not be redacted. */
  readonly onFailure: (error: unknown) => void;
}

/** Longest text that is searched, in UTF-16 units; what is beyond it does not leave. */
export const MAX_TEXT_LENGTH = 1024 * 1024;
/** Stands for what is too long, too deep or too much to be searched. */
export const CUT_MARKER = "[CUT BY REDACTION]";

// Card security codes and PINs: too short for a shape of their own.
const SECURITY_CODE =
  /\b((?:cvv2?|cvc2?|(?:security|sec)\.?\scode|pin|passcode)\b(?:\s(?:code|number))?\W{0,3}(?:is\s|was\s)?)(\d{3,8})\b/gi;
const PERCENT_ENCODED = /%[\da-f]{2}/i;
/** Other kinds are told by their shape alone, even in the middle of an identifier. */
const KINDS_IN_IDENTIFIERS: readonly RedactedKind[] = ["card", "ssn", "iban", "secret", "email"];

/** Longest number with what stands between its digits. */
const MAX_NUMBER_LENGTH = 64;

/** Cuts a long text before the number that the cut may go through, since half a number would not be found. */
export function cutText(text: string): string {
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

/** Replaces what the detectors find, and members whose names say so. */
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

/** Gives what a percent-encoded text says; `undefined` when it is none. */
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

/** Redacts a text that is not JSON, or as if it were not. */
export function redactSearched(text: string, redaction: Redaction): string {
  const redacted = redactPlain(text, redaction);
  const decoded = decodePercents(redacted);
  if (decoded === undefined) return redacted;
  const redactedDecoded = redactPlain(decoded, redaction);
  return redactedDecoded === decoded ? redacted : redactedDecoded;
}

/** Has the caller's function take its part out of a text. */
export function applyCustom(text: string, { custom }: Redaction): string {
  if (!custom) return text;
  const given: unknown = custom(text);
  // Nobody awaits it, and its rejection must not end the process.
  if (isThenable(given)) given.then(undefined, () => undefined);
  if (typeof given !== "string") throw new TypeError("redact.custom: expected a string");
  return given;
}

/** Redacts an identifier: as a whole if it is a value, else only what can't be told wrongly. */
export function redactIdentifier(text: string, redaction: Redaction): string {
  const given = cutText(applyCustom(text, redaction));
  const [first] = findValues(given, redaction.kinds);
  if (!first) return given;
  if (first.start === 0 && first.end === given.length) {
    return replaceFound(given, [first], redaction.toToken);
  }
  const kinds = new Set(KINDS_IN_IDENTIFIERS.filter((kind) => redaction.kinds.has(kind)));
  return replaceFound(given, findValues(given, kinds), redaction.toToken);
}
