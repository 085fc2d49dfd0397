import { foldText } from "./fold-text.ts";
import { findAll, linear, type Range } from "./pattern.ts";

/** Longest excerpt of a message that stands in a finding, in UTF-16 units. */
const MAX_EXCERPT_LENGTH = 160;
/** A number that starts before the excerpt must be masked as a whole. */
const MASK_MARGIN = 64;
const VISIBLE_DIGITS = 4;

const MIN_MASKED_DIGITS = 7;

// Card, social security, account and phone numbers, with the separators that the card scanner reads across.
const NUMBER_RUN = linear(/\d[\d \-./_\u200b-\u200d\u2060\ufeff]{5,}\d/g);
const SECURITY_CODE = linear(
  /\b(?:cvv2?|cvc2?|security\scode|pin|passcode)\b\W{0,3}(?:is\s|was\s)?\d{3,8}\b/gi,
);
const DIGIT = linear(/\d/);
const DIGITS = linear(/\d/g);

/** Finds where the last digits of a number begin that may be shown; its start if it is too short to need a mask. */
function maskEnd(folded: string, { start, end }: Range): number {
  const digits = findAll(DIGITS, folded.slice(start, end));
  if (digits.length < MIN_MASKED_DIGITS) return start;
  return start + (digits.at(-VISIBLE_DIGITS)?.start ?? 0);
}

/** Masks the digits of long numbers up to the last four, and of security codes altogether; the length stays. */
function maskNumbers(text: string): string {
  const folded = foldText(text);
  const masked: Range[] = [
    ...findAll(NUMBER_RUN, folded).map((run) => ({ start: run.start, end: maskEnd(folded, run) })),
    ...findAll(SECURITY_CODE, folded),
  ];
  if (masked.length === 0) return text;
  const units = text.split("");
  for (const { start, end } of masked) {
    for (let index = start; index < end; index++) {
      if (DIGIT.test(folded.charAt(index))) units[index] = "*";
    }
  }
  return units.join("");
}

/** Cuts a masked excerpt out of the original text, with the match in its middle. */
export function toExcerpt(original: string, { start, end }: Range): string {
  const spare = Math.max(0, MAX_EXCERPT_LENGTH - (end - start));
  const from = Math.max(0, start - Math.floor(spare / 2));
  const to = Math.min(original.length, from + MAX_EXCERPT_LENGTH);
  const marginFrom = Math.max(0, from - MASK_MARGIN);
  const masked = maskNumbers(original.slice(marginFrom, to + MASK_MARGIN));
  // A cut may split a surrogate pair, and a lone half is no valid JSON text for every reader.
  return masked
    .slice(from - marginFrom, to - marginFrom)
    .toWellFormed()
    .trim();
}
