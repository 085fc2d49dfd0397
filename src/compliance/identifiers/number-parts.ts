import { findAll, linear, type Range } from "../text/pattern.ts";

/** A part of a number, and where it stands. */
export interface Piece extends Range {
  readonly value: string;
  /** Index of the message. */
  readonly message: number;
  /** It goes on from the piece before, by the words between them, or it begins a message. */
  readonly isConnected: boolean;
  /** Which part of a number the words before call it. */
  readonly place: "first" | "last" | "unknown";
}

const MAX_PIECES = 64;
const MAX_GAP = 48;
/** What is said between two parts that are named as such: "Got that? The second half is …". */
const MAX_NAMED_GAP = 160;
const NAME_REACH = 40;

// What may not stand beside it is asked afterwards: looking back at every place is dear.
const PIECE = linear(/[A-Z]{2}[ -]\d{2}\b|[A-Z0-9]{2,}/g);
const INNER_SEPARATOR = linear(/[ -]/);
const MAX_PIECE_LENGTH = 30;
const NOT_BEFORE_PIECE = linear(/^[\w$\u20ac\u00a3.]$/);
const NOT_AFTER_PIECE = linear(/^[\w%]$/);
/** Digits, the beginning of an IBAN, a part of one with letters, or a bank's code of four letters. */
const PART = linear(/^(?:\d{2,18}|(?=[A-Z]*\d)[A-Z0-9]+|[A-Z]{4})$/);
const WORD = linear(/[A-Za-z]+/g);
const NUMBER = linear(/\d{2}/);

const FIRST =
  "first|1st|former|front|top|upper|start(?:s|ed|ing)?|begin(?:s|ning)?|open(?:s|ing)?|lead(?:s|ing)?|initial|left";
const LAST =
  "last|back|rear|bottom|lower|2nd|end(?:s|ed|ing)?|rest|final(?:ly)?|clos(?:es?|ing)|finish(?:es|ing)?|trail(?:s|ing)|remain(?:s|der|ing)|tail|latter|second|other|right";
const FURTHER =
  "half|halves|part|row|line|bit|chunk|piece|section|block|segment|portion|quarter|third|fourth|middle|mid|then|next|after|follow(?:s|ed|ing)?|add|append|tack|plus|continu(?:es|ing|e)|goes\\son|carr(?:y|ies)\\son";
/** Words that name a part of a number, and the place of that part. */
const PART_NAME = linear(new RegExp(String.raw`\b(?:(${FIRST})|(${LAST})|${FURTHER})\b`, "gi"));

/** Words that may stand between two parts of one number, or between its name and a part. */
export const FILLERS: ReadonlySet<string> = new Set(
  "and then after that it this come comes coming followed by next plus the rest remaining is are its s last final finally first second third fourth half part bit piece middle two three four five six eight digits digit numbers number goes on continue continues continuing with you type add behind begins starts start begin ends end ending in of my your now ok so here to which will be put front back closes closing opens opening finishes chunk block group groups set area serial section segment quarter was were a an remainder dash hyphen space comma slash dot trailing leading former latter reads read says".split(
    " ",
  ),
);

/** Tells whether only words such as "and then" stand between two parts. */
function isConnecting(between: string): boolean {
  for (const [word] of between.matchAll(WORD)) {
    if (!FILLERS.has(word.toLowerCase())) return false;
  }
  return true;
}

/** Tells whether a text names a part of a number: "the second half". */
export function namesPart(text: string): boolean {
  return text.search(PART_NAME) >= 0;
}

/** Gives the place of the part that the words before it name last. */
function placeOf(before: string): Piece["place"] | "unnamed" {
  const match = [...before.matchAll(PART_NAME)].find(([, first, last]) => first ?? last);
  if (match) return match[1] === undefined ? "last" : "first";
  return namesPart(before) ? "unknown" : "unnamed";
}

function standsAlone(text: string, { start, end }: Range): boolean {
  return (
    end - start <= MAX_PIECE_LENGTH &&
    !NOT_BEFORE_PIECE.test(text.charAt(start - 1)) &&
    !NOT_AFTER_PIECE.test(text.charAt(end))
  );
}

/** Gives the numbers of a message that may be parts of a longer one. */
export function readPieces(text: string, message: number): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const range of findAll(PIECE, text)) {
    // "DE 77" begins an account number as "DE77" does.
    const value = text.slice(range.start, range.end).replace(INNER_SEPARATOR, "");
    if (!standsAlone(text, range) || !PART.test(value)) continue;
    const gap = range.start - end;
    const before = text.slice(Math.max(end, range.start - NAME_REACH), range.start);
    const place = gap > 1 ? placeOf(before) : "unnamed";
    // What can't go on from the part before is most numbers of a text, and needs no closer look.
    const isConnected =
      pieces.length === 0 ||
      (gap <= MAX_GAP && isConnecting(text.slice(end, range.start))) ||
      (place !== "unnamed" && gap <= MAX_NAMED_GAP && !NUMBER.test(text.slice(end, range.start)));
    pieces.push({
      start: range.start,
      end: range.end,
      value,
      message,
      isConnected,
      place: place === "unnamed" ? "unknown" : place,
    });
    ({ end } = range);
  }
  return pieces.slice(-MAX_PIECES);
}
