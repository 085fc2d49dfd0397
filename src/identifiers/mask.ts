import type { Identifier } from "./identifier.ts";
import { findInNormalText } from "./index.ts";
import { foldText } from "../text/fold-text.ts";
import { rememberLatest } from "../text/latest.ts";
import { normalise, type NormalText } from "../text/normalise.ts";
import { findAll, linear, type Range } from "../text/pattern.ts";

/** Longest excerpt of a message that stands in a finding, in UTF-16 units. */
const MAX_EXCERPT_LENGTH = 160;
const VISIBLE_CHARACTERS = 4;
const COUNTRY_LENGTH = 2;

const MIN_MASKED_DIGITS = 7;
/** A finding whose whole evidence is a number: one that is given in parts may be short. */
const MIN_EVIDENCE_DIGITS = 5;

// What no detector is sure of but looks like a number of a person all the same.
const NUMBER_RUN = linear(/\d[\d \-./_\u200b-\u200d\u2060\ufeff]{5,}\d/g);
const SECURITY_CODE = linear(
  /\b(?:cvv2?|cvc2?|(?:security|sec)\.?\scode|pin|passcode)\b\W{0,3}(?:is\s|was\s)?\d{3,8}\b/gi,
);
const BARE_NUMBER = linear(/^[\d \-./_]+$/);
const DIGIT = linear(/\d/g);
const NO_SEPARATOR = linear(/^[^\s\-./_,:;|~*+\u00b7\u2022()'"@]$/);
const ANYTHING = linear(/^[^\n]$/);
const CAPITAL_OR_DIGIT = linear(/^[A-Z0-9]$/);
/** Values that are spelt out or written in signs show nothing. */
const PLAIN = linear(/^[\x20-\x7e\s]*$/);
const SPELT = linear(/[A-Za-z]{2}/);

const VENDOR_FORMS: ReadonlySet<string> = new Set(["vendor-key", "private-key"]);

/** Returns how many characters of a value may be shown, at its start and at its end. */
function visibleOf({ kind, form }: Identifier, value: string): [first: number, last: number] {
  if (kind === "email-address") return [1, 0];
  // The first characters of a password are a part of it; those of a vendor's key only name the vendor.
  if (kind === "secret") return [VENDOR_FORMS.has(form) ? VISIBLE_CHARACTERS : 0, 0];
  if (!PLAIN.test(value)) return [0, 0];
  if (kind === "iban") return [form === "split" ? 0 : COUNTRY_LENGTH, VISIBLE_CHARACTERS];
  return [0, SPELT.test(value) && form !== "split" ? 0 : VISIBLE_CHARACTERS];
}

/** Returns the pattern of the characters of a value that are hidden; what stands between them may stay. */
function hiddenIn({ kind, form }: Identifier): RegExp {
  if (kind === "secret") return ANYTHING;
  // Between the parts of a number stand words.
  return form === "split" ? CAPITAL_OR_DIGIT : NO_SEPARATOR;
}

/** Positions of a text that are hidden. */
type Hidden = Set<number>;

function hideValue(hidden: Hidden, original: string, identifier: Identifier): void {
  const { start, end } = identifier;
  const [first, last] = visibleOf(identifier, original.slice(start, end));
  const pattern = hiddenIn(identifier);
  const positions: number[] = [];
  for (let index = start; index < end; index++) {
    if (pattern.test(hidden.has(index) ? "*" : original.charAt(index))) positions.push(index);
  }
  for (const index of positions.slice(first, positions.length - last)) hidden.add(index);
}

function hideDigits(hidden: Hidden, folded: string, { start, end }: Range, visible: number): void {
  const digits = findAll(DIGIT, folded.slice(start, end));
  for (const digit of digits.slice(0, digits.length - visible)) hidden.add(start + digit.start);
}

/** Writes asterisks in place of what is hidden. */
function withHidden(text: string, hidden: Hidden): string {
  let masked = "";
  let position = 0;
  for (const index of [...hidden].toSorted((one, other) => one - other)) {
    masked += `${text.slice(position, index)}*`;
    position = index + 1;
  }
  return masked + text.slice(position);
}

/** Masks values that were found in a text; its length stays. */
export function maskValues(original: string, found: readonly Identifier[]): string {
  const hidden: Hidden = new Set();
  for (const identifier of found) hideValue(hidden, original, identifier);
  return withHidden(original, hidden);
}

/** Finds the digits of card security codes and PINs, which their words alone show. */
export function findSecurityCodes(original: string): Identifier[] {
  const folded = foldText(original);
  return findAll(SECURITY_CODE, folded).flatMap(({ start, end }) => {
    const [first] = findAll(DIGIT, folded.slice(start, end));
    const form = "security-code";
    return first ? [{ kind: "secret", certainty: 1, form, start: start + first.start, end }] : [];
  });
}

/** Masks what is sensitive in a text; its length stays. */
function maskAll(normal: NormalText): string {
  const { original } = normal;
  const folded = foldText(original);
  const hidden: Hidden = new Set();
  for (const run of findAll(NUMBER_RUN, folded)) {
    if (findAll(DIGIT, folded.slice(run.start, run.end)).length >= MIN_MASKED_DIGITS)
      hideDigits(hidden, folded, run, VISIBLE_CHARACTERS);
  }
  for (const code of findAll(SECURITY_CODE, folded)) hideDigits(hidden, folded, code, 0);
  for (const identifier of findInNormalText(normal.text))
    hideValue(hidden, original, { ...identifier, ...normal.toOriginal(identifier) });
  return withHidden(original, hidden);
}

/**
 * Masks the sensitive values of a text: numbers up to the last four digits, security codes and passwords altogether,
 * keys but for the four characters that name their vendor.
 *
 * The length stays, so that positions do.
 */
export const maskText: (original: string) => string = rememberLatest((original) =>
  maskAll(normalise(original)),
);

/** Cuts a masked excerpt out of the original text, with the match in its middle. */
export function toExcerpt(
  { original }: Pick<NormalText, "original">,
  { start, end }: Range,
): string {
  const spare = Math.max(0, MAX_EXCERPT_LENGTH - (end - start));
  const from = Math.max(0, start - Math.floor(spare / 2));
  const to = Math.min(original.length, from + MAX_EXCERPT_LENGTH);
  const masked = maskText(original).slice(from, to);
  const match = { start: start - from, end: Math.min(end, to) - from };
  const folded = foldText(masked);
  const evidence = folded.slice(match.start, match.end);
  const hidden: Hidden = new Set();
  // A part of a number that was given over several messages is not one that the text alone shows.
  if (BARE_NUMBER.test(evidence) && evidence.length >= MIN_EVIDENCE_DIGITS)
    hideDigits(hidden, folded, match, VISIBLE_CHARACTERS);
  // A cut may split a surrogate pair, and a lone half is no valid JSON text for every reader.
  return withHidden(masked, hidden).toWellFormed().trim();
}
