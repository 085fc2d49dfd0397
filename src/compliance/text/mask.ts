import { foldText } from "./fold-text.ts";
import { findAll, linear, type Range } from "./pattern.ts";

/** Longest excerpt of a message that stands in a finding, in UTF-16 units. */
export const MAX_EXCERPT_LENGTH = 160;
/** A number that starts before the excerpt must be masked as a whole. */
const MASK_MARGIN = 64;
const VISIBLE_DIGITS = 4;

// Seven digits and more: card, social security, account and phone numbers, but no amount in words' reach.
const LONG_NUMBER = linear(/\d(?:[ .\-\u200b-\u200d\u2060]{0,2}\d){6,}/g);
const DIGIT = linear(/\d/);

/** Masks the digits of long numbers up to the last four; the length stays. */
export function maskNumbers(text: string): string {
  const folded = foldText(text);
  const numbers = findAll(LONG_NUMBER, folded);
  if (numbers.length === 0) return text;
  let masked = "";
  let at = 0;
  for (const { start, end } of numbers) {
    let firstVisible = end;
    for (let visible = 0; visible < VISIBLE_DIGITS; visible++) {
      do firstVisible--;
      while (!DIGIT.test(folded.charAt(firstVisible)));
    }
    masked += text.slice(at, start);
    for (let index = start; index < firstVisible; index++) {
      masked += DIGIT.test(folded.charAt(index)) ? "*" : text.charAt(index);
    }
    at = firstVisible;
  }
  return masked + text.slice(at);
}

/** Cuts a masked excerpt out of the original text, with the match in its middle. */
export function toExcerpt(original: string, { start, end }: Range): string {
  const spare = Math.max(0, MAX_EXCERPT_LENGTH - (end - start));
  const from = Math.max(0, start - Math.floor(spare / 2));
  const to = Math.min(original.length, from + MAX_EXCERPT_LENGTH);
  const marginFrom = Math.max(0, from - MASK_MARGIN);
  const masked = maskNumbers(original.slice(marginFrom, to + MASK_MARGIN));
  // A cut may split a surrogate pair, and a lone half is no valid JSON text for every reader.
  return masked.slice(from - marginFrom, to - marginFrom).toWellFormed().trim();
}
