import { linear } from "../text/pattern.ts";
import { toAccountNumber } from "./account-numbers.ts";
import type { Identifier } from "./identifier.ts";
import { labelBefore, mentions } from "./labels.ts";
import { FILLERS, isConnected, namesOther, placeOf, rangeIn, type Piece } from "./number-parts.ts";
import { isRoutingNumber } from "./routing-numbers.ts";

/** No checksum tells that the parts belong together, so that a whole number is longer than two short ones. */
const MIN_DIGITS = 9;
const MAX_DIGITS = 17;
const MIN_FIRST = 3;

const DIGITS = linear(/^\d+$/);
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

function joinFrom(pieces: readonly Piece[], first: number): readonly Piece[] {
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
export function findSplitAccounts(
  messages: readonly string[],
  pieces: readonly Piece[],
  topic: string,
): Identifier[] {
  const current = messages.length - 1;
  const said = [...messages, topic];
  const found: Identifier[] = [];
  for (const [first, part] of pieces.entries()) {
    if (!beginsAccount(messages, part, said)) continue;
    const parts = joinFrom(pieces, first);
    const range = rangeIn(parts, current);
    if (parts.length < 2 || !range) continue;
    found.push(toAccountNumber(hasRouting(messages) ? "with-routing" : "labelled", range));
  }
  return found;
}
