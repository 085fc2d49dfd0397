import { findAll, linear, linearLater, type Range } from "../text/pattern.ts";
import { oneOf } from "../text/word-patterns.ts";
import { wordSet } from "../text/word-set.ts";

/** A part of a number, and where it stands. */
export interface Piece extends Range {
  readonly value: string;
  /** Index of the message. */
  readonly message: number;
  /** What was said in the message since the piece before. */
  readonly before: string;
  readonly isFirst: boolean;
  /** Whether it is called a part, or goes on from one that is: "top row 4916 1039". */
  readonly isNamed: boolean;
}

const MAX_PIECES = 64;
const MAX_GAP = 48;
/** What is said between two parts that are named as such: "Got that? The second half is …". */
const MAX_NAMED_GAP = 160;
const NAME_REACH = 40;

// What may not stand beside it is asked afterwards: looking back at every place is dear.
const PIECE = linear(/[A-Z0-9]{2,}/g);
const CHECK_DIGITS = linear(/^\d{2}$/);
const COUNTRY_BEFORE = linear(/(?<![A-Z0-9])([A-Z]{2})[ -]$/);
/** A country, a separator, and what stands before them. */
const COUNTRY_REACH = 4;
const MAX_PIECE_LENGTH = 30;
const NOT_BEFORE_PIECE = linear(/^[\w$\u20ac\u00a3.]$/);
const NOT_AFTER_PIECE = linear(/^[\w%]$/);
/** Digits, the beginning of an IBAN, a part of one with letters, or a bank's code of four letters. */
const PART = linear(/^(?:\d{2,18}|(?=[A-Z]*\d)[A-Z0-9]+|[A-Z]{4})$/);
const WORD = linear(/[A-Za-z]+/g);
const SEPARATORS = linear(/^[ \-./]{1,3}$/);
const NUMBER = linear(/\d{2}/);

const FIRST = oneOf`
  first|1st|former|front|top|upper|left|initial
  start(?:s|ed|ing)?|begin(?:s|ning)?|open(?:s|ing)?|lead(?:s|ing)?
`;
const LAST = oneOf`
  last|2nd|second|latter|back|rear|tail|bottom|lower|right|rest|other
  end(?:s|ed|ing)?|final(?:ly)?|clos(?:es?|ing)|finish(?:es|ing)?|trail(?:s|ing)|remain(?:s|der|ing)
`;
const FURTHER = oneOf`
  half|halves|quarter|part|row|line|bit|chunk|piece|section|block|segment|portion
  third|fourth|middle|mid|then|next|after|follow(?:s|ed|ing)?|add|append|tack|plus
  continu(?:es|ing|e)|goes\son|carr(?:y|ies)\son
`;
/** Words that name a part of a number, and the place of that part. */
const PART_NAME = linear(new RegExp(String.raw`\b(?:(${FIRST})|(${LAST})|${FURTHER})\b`, "gi"));

/** Words that may stand between two parts of one number, or between its name and a part. */
export const FILLERS = wordSet(`
  and then after that it this a an the of in to with by is are was were be will which its s my your you
  now ok so here come comes coming goes on next plus add put type read reads says
  followed continue continues continuing begin begins start starts end ends ending
  closes closing opens opening finishes
  first second third fourth middle last final finally front back behind
  former latter leading trailing rest remaining remainder
  half quarter part bit piece chunk block group groups set area serial section segment
  two three four five six eight digits digit numbers number
  dash hyphen space comma slash dot gap pause break breath
  top bottom upper lower left right row line up go one from at there has have
`);

/** Returns whether only words such as "and then" stand between two parts. */
function isConnecting(between: string): boolean {
  for (const [word] of between.matchAll(WORD)) {
    if (!FILLERS.has(word.toLowerCase())) return false;
  }
  return true;
}

/** Returns whether a text names a part of a number: "the second half". */
export function namesPart(text: string): boolean {
  return text.search(PART_NAME) >= 0;
}

/** Other numbers that are written in parts; one in ten of them passes the checksum. */
const OTHER_NUMBER = linearLater(
  () =>
    String.raw`\b${oneOf`
    orders?|tracking|shipment|parcel|package|invoice|references?|confirmation|tickets?|cases?
    serial|model|loan|phone|polic(?:y|ies)|claims?|years?|months?|quarters?|due
    payments?|amounts?|totals?|balance|spent|sales|cents|dollars|points|miles
  `}\b`,
  "i",
);

/** Returns whether a text speaks of other numbers that are written in parts. */
export function namesOther(text: string): boolean {
  return OTHER_NUMBER.test(text);
}

/** Returns which part of a number the words before a piece call it. */
export function placeOf({ before }: Piece): "first" | "last" | undefined {
  const names = before.slice(-NAME_REACH).matchAll(PART_NAME);
  const match = [...names].find(([, first, last]) => first ?? last);
  if (!match) return undefined;
  return match[1] === undefined ? "last" : "first";
}

/** Returns whether a piece goes on from the one before, by the words between them, or begins a message. */
export function isConnected(piece: Piece, previous: Piece | undefined): boolean {
  const { before, isFirst } = piece;
  if (isFirst || (before.length <= MAX_GAP && isConnecting(before))) return true;
  const isNear = before.length > 1 && before.length <= MAX_NAMED_GAP && !NUMBER.test(before);
  // "ZIP 60614 … the last four are 1234": both have to be named as parts.
  return isNear && previous?.isNamed === true && piece.isNamed;
}

/** Returns where the parts of a number stand in a message, if one does. */
export function rangeIn(parts: readonly Piece[], message: number): Range | undefined {
  const here = parts.filter((part) => part.message === message);
  const [start, end] = [here[0]?.start, here.at(-1)?.end];
  return start === undefined || end === undefined ? undefined : { start, end };
}

function standsAlone(text: string, { start, end }: Range): boolean {
  return (
    end - start <= MAX_PIECE_LENGTH &&
    !NOT_BEFORE_PIECE.test(text.charAt(start - 1)) &&
    !NOT_AFTER_PIECE.test(text.charAt(end))
  );
}

/** Returns the country before two digits: "DE 77" begins an account number as "DE77" does. */
function countryBefore(text: string, { start, end }: Range): string {
  if (!CHECK_DIGITS.test(text.slice(start, end))) return "";
  return COUNTRY_BEFORE.exec(text.slice(Math.max(0, start - COUNTRY_REACH), start))?.[1] ?? "";
}

/** Returns the numbers of a message that may be parts of a longer one. */
export function readPieces(text: string, message: number): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const range of findAll(PIECE, text)) {
    const country = countryBefore(text, range);
    const start = country === "" ? range.start : range.start - country.length - 1;
    const value = country + text.slice(range.start, range.end);
    if (!standsAlone(text, { start, end: range.end }) || !PART.test(value)) continue;
    const before = text.slice(end, start);
    const previous = pieces.at(-1);
    const isNamed =
      namesPart(before.slice(-NAME_REACH)) ||
      (previous?.isNamed === true && SEPARATORS.test(before));
    pieces.push({ start, end: range.end, value, message, before, isFirst: !previous, isNamed });
    ({ end } = range);
  }
  return pieces.slice(-MAX_PIECES);
}
