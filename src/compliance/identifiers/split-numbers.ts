import { findAll, linear, type Range } from "../text/pattern.ts";
import { isCardNumber, toCardNumber } from "./card-numbers.ts";
import { isIban } from "./ibans.ts";
import type { Identifier } from "./identifier.ts";
import { labelBefore, mentions } from "./labels.ts";
import { isSocialSecurityNumber, toSocialSecurityNumber } from "./social-security-numbers.ts";

/** A part of a number, and where it stands. */
interface Piece extends Range {
  readonly value: string;
  /** Index of the message. */
  readonly message: number;
  /** Only words such as "and then" stand between it and the piece before, or it begins a message. */
  readonly isConnected: boolean;
}

const MAX_PIECES = 64;
const MAX_GAP = 48;
/** Length of the shortest number, a social security number. */
const MIN_LENGTH = 9;
const MAX_CARD_LENGTH = 19;
const MAX_IBAN_LENGTH = 34;

// What may not stand beside it is asked afterwards: looking back at every place is dear.
const PIECE = linear(/[A-Z0-9]{2,}/g);
const MAX_PIECE_LENGTH = 30;
const NOT_BEFORE_PIECE = linear(/^[\w$\u20ac\u00a3.]$/);
const NOT_AFTER_PIECE = linear(/^[\w%]$/);
/** Digits, the beginning of an IBAN, a part of one with letters, or a bank's code of four letters. */
const PART = linear(/^(?:\d{2,18}|(?=[A-Z]*\d)[A-Z0-9]+|[A-Z]{4})$/);
/** What a card, social security or international account number may begin with. */
const BEGINNING = linear(/^(?:[2-6]\d|\d{3}$|\d{5,6}$|[A-Z]{2}\d{2})/);
const DIGITS = linear(/^\d+$/);
const IBAN_HEAD = linear(/^[A-Z]{2}\d{2}/);
const SHAPE = linear(/^(?:3-2-4|5-4|3-6)$/);
const LETTER = linear(/[a-z]/);
const WORD = linear(/[A-Za-z]+/g);
const HAS_PARTS = linear(/\d\D{1,60}\d{2}/);
/** Words that say that a number goes on. */
const GOES_ON = linear(
  /\b(?:then|followed|after\sthat|next|the\srest|continues?|goes\son|(?:first|last|second|third|final|other)\s(?:half|part|bit|(?:four|five|six|eight)\s(?:digits|numbers)))\b/i,
);

const FILLERS: ReadonlySet<string> = new Set(
  "and then after that it this come comes coming followed by next plus the rest remaining is are its s last final finally first second third fourth half part bit piece middle two three four five six eight digits digit numbers number goes on continue continues continuing with you type add behind begins starts start begin ends end ending in of my your now ok so here to which will be put".split(
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

function standsAlone(text: string, { start, end }: Range): boolean {
  return (
    end - start <= MAX_PIECE_LENGTH &&
    !NOT_BEFORE_PIECE.test(text.charAt(start - 1)) &&
    !NOT_AFTER_PIECE.test(text.charAt(end))
  );
}

/** Gives the numbers of a message that may be parts of a longer one. */
function readPieces(text: string, message: number): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const range of findAll(PIECE, text)) {
    const value = text.slice(range.start, range.end);
    if (!standsAlone(text, range) || !PART.test(value)) continue;
    // What can't go on from the part before is most numbers of a text, and needs no closer look.
    const isNear = range.start - end <= MAX_GAP;
    const isConnected =
      pieces.length === 0 || (isNear && isConnecting(text.slice(end, range.start)));
    pieces.push({ start: range.start, end: range.end, value, message, isConnected });
    ({ end } = range);
  }
  return pieces.slice(-MAX_PIECES);
}

/** Tells whether a part is named as something that is no part of a person's number. */
function isNamedOtherwise(messages: readonly string[], part: Piece | undefined): boolean {
  const label = part && labelBefore(messages[part.message] ?? "", part.start);
  return label?.isAdjacent === true && (label.kind === "otherwise" || label.kind === "phone");
}

/** Leaves out a piece that a later message repeats: "NL48 RTVB …" – "after RTVB comes …". */
function withoutRepeats(pieces: readonly Piece[]): Piece[] {
  return pieces.filter(({ value }, index) => pieces[index - 1]?.value !== value);
}

type Kind = "card" | "social-security" | "iban";

function kindOf(parts: readonly Piece[], value: string): Kind | undefined {
  if (DIGITS.test(value)) {
    if (isCardNumber(value)) return "card";
    const shape = parts.map((part) => part.value.length).join("-");
    return SHAPE.test(shape) && isSocialSecurityNumber(value) ? "social-security" : undefined;
  }
  return IBAN_HEAD.test(value) && isIban(value) ? "iban" : undefined;
}

/** Gives the parts, from the first on, that make a number together. */
function joinFrom(
  pieces: readonly Piece[],
  first: number,
): { kind: Kind; parts: readonly Piece[] } | undefined {
  let value = "";
  for (let last = first; last < pieces.length; last++) {
    const piece = pieces[last];
    if (!piece || (last > first && !piece.isConnected)) return undefined;
    value += piece.value;
    if (value.length > MAX_IBAN_LENGTH || (value.length > MAX_CARD_LENGTH && DIGITS.test(value)))
      return undefined;
    if (last === first || value.length < MIN_LENGTH) continue;
    const parts = pieces.slice(first, last + 1);
    const kind = kindOf(parts, value);
    if (kind) return { kind, parts };
  }
  return undefined;
}

function toIdentifier(kind: Kind, range: Range): Identifier {
  switch (kind) {
    case "card":
      return toCardNumber("split", range);
    case "social-security":
      return toSocialSecurityNumber("split", range);
    case "iban":
      return { kind: "iban", form: "split", certainty: 0.95, start: range.start, end: range.end };
  }
}

/** A number in parts, and the range of its parts in the last message. */
interface Joined {
  readonly kind: Kind;
  readonly count: number;
  readonly range: Range;
  readonly isOverMessages: boolean;
}

function joinInto(pieces: readonly Piece[], first: number, current: number): Joined | undefined {
  if (!BEGINNING.test(pieces[first]?.value ?? "")) return undefined;
  const joined = joinFrom(pieces, first);
  const here = joined?.parts.filter(({ message }) => message === current) ?? [];
  const [start, end] = [here[0]?.start, here.at(-1)?.end];
  if (!joined || start === undefined || end === undefined) return undefined;
  const count = joined.parts.length;
  return { kind: joined.kind, count, range: { start, end }, isOverMessages: count > here.length };
}

/**
 * Finds card, social security and international account numbers that are given in parts.
 *
 * @param messages - Messages of one speaker, the oldest first; only numbers that end in the last one are found, and
 *   ranges are those of its parts there.
 * @param topic - What else was said in the conversation, for the words that name a number.
 */
export function findSplitNumbers(messages: readonly string[], topic = ""): Identifier[] {
  const current = messages.length - 1;
  const text = messages.at(-1) ?? "";
  if (current === 0 && !HAS_PARTS.test(text)) return [];
  const pieces = withoutRepeats(messages.flatMap(readPieces));
  const isSure = ({ kind, range, isOverMessages }: Joined): boolean => {
    const between = text.slice(range.start, range.end);
    // In one message without words between the parts it is no split number: the other detectors read it.
    if (!isOverMessages && !LETTER.test(between)) return false;
    if (kind === "iban" || (kind === "card" && GOES_ON.test(between))) return true;
    return [...messages, topic].some((said) => mentions(said, kind));
  };
  const found: Identifier[] = [];
  for (let first = 0; first < pieces.length; first++) {
    const joined = joinInto(pieces, first, current);
    if (!joined || !isSure(joined) || isNamedOtherwise(messages, pieces[first])) continue;
    found.push(toIdentifier(joined.kind, joined.range));
    first += joined.count - 1;
  }
  return found;
}
