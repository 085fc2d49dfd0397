import { findAll, linear, type Range } from "./pattern.ts";

const BOUNDARY = linear(/[.?!]["')\]]{0,2}(?=\s)|\n/g);
// "31 U.S.C. § 5324" or "approx. $500" go on after the full stop.
const ABBREVIATION = linear(/(?:\b[A-Z]|\b(?:e\.g|i\.e|vs|approx|no|mr|mrs|ms|dr|sec|st))\.$/i);
const LONGEST_ABBREVIATION = 8;

/** Splits a text at sentence ends and line breaks; the sentences cover the whole text. */
export function splitSentences(text: string): Range[] {
  const sentences: Range[] = [];
  let start = 0;
  for (const boundary of findAll(BOUNDARY, text)) {
    const tail = text.slice(Math.max(start, boundary.end - LONGEST_ABBREVIATION), boundary.end);
    if (ABBREVIATION.test(tail)) continue;
    sentences.push({ start, end: boundary.end });
    start = boundary.end;
  }
  if (start < text.length) sentences.push({ start, end: text.length });
  return sentences;
}
