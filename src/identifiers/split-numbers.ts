import { type Range, linear } from "../text/pattern.ts";
import { isRoutingNumber, toAccountNumber } from "./account-numbers.ts";
import { isCardNumber, toCardNumber } from "./card-numbers.ts";
import { isIban, toIban } from "./ibans.ts";
import type { Identifier } from "./identifier.ts";
import { labelBefore, mentions } from "./labels.ts";
import {
  FILLERS,
  type Piece,
  isConnected,
  namesOther,
  namesPart,
  placeOf,
  rangeIn,
  readPieces,
} from "./number-parts.ts";
import { isSocialSecurityNumber, toSocialSecurityNumber } from "./social-security-numbers.ts";

/** No checksum shows that the parts belong together, so that a whole number is longer than two short ones. */
const MIN_DIGITS = 9;
const MAX_DIGITS = 17;
const MIN_FIRST = 3;

const NINE_DIGITS = linear(/(?<!\d)\d{9}(?!\d)/g);
/** By which a part goes on from the one before with nothing left out between them, as "ends in" leaves it. */
const GOES_ON = linear(
  /\b(?:then|next|rest|remain(?:s|der|ing)|finish(?:es|ing)?|follow(?:s|ed|ing)|continu(?:es?|ing)|goes\son|(?:second|other|last|latter)\s(?:half|part))\b/i,
);
const NOTHING_BETWEEN = linear(/^[ \-./]{1,3}$/);
const BEGINS = linear(/\b(?:start|begin|open)(?:s|ing)?(?:\s(?:is|with|on|at|as))?[\s:]{1,2}$/i);

/** Returns whether a part is named as the first one of an account number, or begins the number that was asked for. */
function beginsAccount(messages: readonly string[], part: Piece, said: readonly string[]): boolean {
  if (part.value.length < MIN_FIRST || !DIGITS.test(part.value)) return false;
  const label = labelBefore(messages[part.message] ?? "", part.start, FILLERS);
  if (label?.isAdjacent) return label.kind === "account" && placeOf(part) === "first";
  return (
    label === undefined &&
    BEGINS.test(part.before) &&
    said.some((words) => mentions(words, "account")) &&
    !said.some(namesOther)
  );
}

function goesOn(part: Piece, previous: Piece | undefined): boolean {
  const { before, value } = part;
  if (!DIGITS.test(value) || isRoutingNumber(value)) return false;
  return NOTHING_BETWEEN.test(before) || (GOES_ON.test(before) && isConnected(part, previous));
}

function joinAccount(pieces: readonly Piece[], first: number): readonly Piece[] {
  let end = first + 1;
  let digits = pieces[first]?.value.length ?? 0;
  for (let piece = pieces[end]; piece && goesOn(piece, pieces[end - 1]); piece = pieces[++end]) {
    digits += piece.value.length;
    if (digits > MAX_DIGITS) return [];
  }
  return digits < MIN_DIGITS ? [] : pieces.slice(first, end);
}

function hasRouting(messages: readonly string[]): boolean {
  return messages.some(
    (text) =>
      mentions(text, "routing") &&
      Array.from(text.matchAll(NINE_DIGITS)).some(([digits]) => isRoutingNumber(digits)),
  );
}

/**
 * Finds bank account numbers whose first part is named as such and which go on with the next:
 * "Her account starts with 0099, then comes 14420771".
 *
 * @param pieces - Of all messages.
 * @param topic - What else was said.
 */
function findSplitAccounts(
  messages: readonly string[],
  pieces: readonly Piece[],
  topic: string,
): Identifier[] {
  const current = messages.length - 1;
  const said = [...messages, topic];
  const found: Identifier[] = [];
  for (const [first, part] of pieces.entries()) {
    if (!beginsAccount(messages, part, said)) continue;
    const parts = joinAccount(pieces, first);
    const range = rangeIn(parts, current);
    if (parts.length < 2 || !range) continue;
    found.push(toAccountNumber(hasRouting(messages) ? "with-routing" : "labelled", range));
  }
  return found;
}

/** Length of the shortest number, a social security number. */
const MIN_LENGTH = 9;
const MAX_CARD_LENGTH = 19;
const MAX_IBAN_LENGTH = 34;

/** What a card, social security or international account number may begin with. */
const BEGINNING = linear(/^(?:[2-6]\d|\d{3}$|\d{5,6}$|[A-Z]{2}\d{2})/);
const DIGITS = linear(/^\d+$/);
const IBAN_HEAD = linear(/^[A-Z]{2}\d{2}/);
const SHAPE = linear(/^(?:3-2-4|5-4|3-6)$/);
const LETTER = linear(/[a-z]/);
const HAS_PARTS = linear(/\d\D{1,160}\d{2}/);
/** "Cards ending 4539, 1488 …" are several. */
const ENDS = linear(/\bend(?:s|ed|ing|ings)?(?:\s(?:in|with|on|are))?[\s:]{1,2}$/i);
/** Quotes or marks around each part: `"4539" "1488"`, `**4539** **1488**`. */
const MARKS = linear(/^["'`*]{1,2} ["'`*]{1,2}$/);

/** Returns whether a part is named as something that is no part of a person's number. */
function isNamedOtherwise(messages: readonly string[], part: Piece | undefined): boolean {
  const label = part && labelBefore(messages[part.message] ?? "", part.start, FILLERS);
  return label?.isAdjacent === true && (label.kind === "otherwise" || label.kind === "phone");
}

/**
 * Returns the pieces as they are written, and without those that repeat the piece before: two equal pieces are groups of
 * one number ("6011 6011 …"), or one group said again ("NL48 RTVB …" – "after RTVB comes …").
 */
function readingsOf(pieces: readonly Piece[]): (readonly Piece[])[] {
  const distinct = pieces.filter(({ value }, index) => pieces[index - 1]?.value !== value);
  return distinct.length === pieces.length ? [pieces] : [pieces, distinct];
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

/** The parts that make a number together. */
interface Joined {
  readonly kind: Kind;
  readonly parts: readonly Piece[];
}

/** Returns the parts, from the first on, that make a number together. */
function joinFrom(pieces: readonly Piece[], first: number): Joined | undefined {
  let value = "";
  for (let last = first; last < pieces.length; last++) {
    const piece = pieces[last];
    if (!piece || (last > first && !isConnected(piece, pieces[last - 1]))) return undefined;
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

const MAKERS: Readonly<Record<Kind, (form: "split", range: Range) => Identifier>> = {
  card: toCardNumber,
  "social-security": toSocialSecurityNumber,
  iban: toIban,
};

/** Returns two parts that were written in the wrong order: "the back half is …, the front half is …". */
function joinReversed(pieces: readonly Piece[], first: number): Joined | undefined {
  const [last, next] = [pieces[first], pieces[first + 1]];
  if (!last || !next || last.value.length + next.value.length < MIN_LENGTH) return undefined;
  const kind = kindOf([next, last], next.value + last.value);
  const isReversed =
    kind && placeOf(last) === "last" && placeOf(next) === "first" && isConnected(next, last);
  return isReversed ? { kind, parts: [last, next] } : undefined;
}

function joinAt(pieces: readonly Piece[], first: number): Joined | undefined {
  const { value = "", before = "" } = pieces[first] ?? {};
  const isBeginning = BEGINNING.test(value) && !ENDS.test(before);
  return (isBeginning ? joinFrom(pieces, first) : undefined) ?? joinReversed(pieces, first);
}

/**
 * Finds card, social security and account numbers that are given in parts.
 *
 * @param messages - Messages of one speaker, the oldest first; only numbers that end in the last one are found, and
 *   ranges are those of its parts there.
 * @param topic - What else was said in the conversation, for the words that name a number.
 */
export function findSplitNumbers(messages: readonly string[], topic = ""): Identifier[] {
  const current = messages.length - 1;
  const text = messages.at(-1) ?? "";
  if (current === 0 && !HAS_PARTS.test(text)) return [];
  const said = [...messages, topic];
  const isSure = ({ kind, parts }: Joined, { start, end }: Range): boolean => {
    const between = text.slice(start, end);
    const isOverMessages = parts.some(({ message }) => message !== current);
    const isMarked = parts.slice(1).every(({ before }) => MARKS.test(before));
    // In one message without words between the parts it is no split number: the other detectors read it.
    if (!isOverMessages && !isMarked && !LETTER.test(between)) return false;
    if (kind === "iban" || said.some((words) => mentions(words, kind))) return true;
    return kind === "card" && namesPart(between) && !said.some((words) => namesOther(words));
  };
  return readingsOf(messages.flatMap(readPieces)).flatMap((pieces) => {
    const found: Identifier[] = [];
    for (let first = 0; first < pieces.length; first++) {
      const joined = joinAt(pieces, first);
      const range = joined && rangeIn(joined.parts, current);
      if (!range || !isSure(joined, range) || isNamedOtherwise(messages, pieces[first])) continue;
      found.push(MAKERS[joined.kind]("split", range));
      first += joined.parts.length - 1;
    }
    return [...found, ...findSplitAccounts(messages, pieces, topic)];
  });
}
