import { linear, type Range } from "./pattern.ts";

// A line break inside a sentence, as in mails, is followed by a small letter.
const BOUNDARY = linear(/[.?!]["')\]*_]{0,3}(?=\s|$)|\n(?![a-z])/g);
// "31 U.S.C. § 5324" or "approx. $500" go on after the full stop.
const ABBREVIATION = linear(
  /(?:\b[A-Z]|\b(?:e\.?g|i\.?e|vs|approx|mr|mrs|ms|dr|sec|st|usc|dept|inc))\.$|\bno\.$/i,
);
const LONGEST_ABBREVIATION = 8;
const NEXT_IS_NUMBER = linear(/^\s\d/);

/** Splits a text at sentence ends and line breaks; the sentences cover the whole text. */
export function splitSentences(text: string): Range[] {
  const sentences: Range[] = [];
  let start = 0;
  BOUNDARY.lastIndex = 0;
  // A match as an object is not needed, and texts have many.
  while (BOUNDARY.test(text)) {
    const end = BOUNDARY.lastIndex;
    const tail = text.slice(Math.max(start, end - LONGEST_ABBREVIATION), end);
    // "no." is a number's abbreviation only before a number.
    const isAbbreviation =
      ABBREVIATION.test(tail) &&
      (!tail.toLowerCase().endsWith("no.") || NEXT_IS_NUMBER.test(text.slice(end, end + 2)));
    if (isAbbreviation) continue;
    sentences.push({ start, end });
    start = end;
  }
  if (start < text.length) sentences.push({ start, end: text.length });
  return sentences;
}
