import { linear, type Range } from "../text/pattern.ts";
import {
  findIssuer,
  hasValidCheckDigit,
  isIssuedLength,
  isIssuerDigit,
  isPublishedTestNumber,
  type IssuerRange,
} from "./card-issuers.ts";
import { isGivenAsCard } from "./card-context.ts";
import {
  digitsOf,
  findDigitRuns,
  groupingOf,
  hasListSeparator,
  hasOneSeparator,
  isCutEvenly,
  isPartOfWord,
  MAX_SMALL_PIECE,
  rangeOf,
  separatorAfter,
  type DigitRun,
} from "./digit-runs.ts";
import type { Identifier } from "./identifier.ts";
import { isNear, labelBefore, mentions } from "./labels.ts";

/** What a card number was recognised by. */
export type CardForm = "checksum" | "test-number" | "labelled-otherwise" | "split";

/** A card number in a text. */
export interface CardNumber extends Identifier {
  readonly kind: "card-number";
  readonly form: CardForm;
}

const MIN_DIGITS = 12;
const MAX_DIGITS = 19;
const USUAL_LENGTH = 16;
const MAX_PHONE_DIGITS = 15;

const CERTAINTY: Readonly<Record<CardForm, number>> = {
  // A valid check digit in a known issuer range leaves little doubt.
  checksum: 0.99,
  "test-number": 0.99,
  split: 0.9,
  // As likely the order or reference number that its label says.
  "labelled-otherwise": 0.5,
};

const USUAL_GROUPING = linear(
  /^(?:\d+|4-6-[45]|4-4-4-[1-4]|4-4-4-4-[1-3]|8-8|6-10|4-12|12-4|8-4-4|4-8-4|4-4-8)$/,
);

const CARD_GROUPING = linear(/^4-4-4-4$/);

/** Some neighbouring groups of a run, `last` included. */
interface Candidate {
  readonly run: DigitRun;
  readonly first: number;
  readonly last: number;
  readonly digits: string;
  readonly range: Range;
}

function isShaped(candidate: Candidate): boolean {
  const { run, first, last } = candidate;
  return USUAL_GROUPING.test(groupingOf(run, first, last)) || isCutEvenly(run, first, last);
}

/**
 * Returns whether a number without a card's name near it is one of an issuer's usual ones, or stands by itself as it does on
 * a card, or in a talk about cards.
 */
function isUsual(
  { run, first, last, digits }: Candidate,
  issuer: IssuerRange,
  topic: string,
): boolean {
  if (issuer.lengths.includes(digits.length)) return true;
  if (digits.length === USUAL_LENGTH && (mentions(run.text, "card") || mentions(topic, "card")))
    return true;
  const isWhole = first === 0 && last === run.groups.length - 1;
  return (
    isWhole && CARD_GROUPING.test(groupingOf(run, first, last)) && hasOneSeparator(run, first, last)
  );
}

/** Returns whether the number is named as something else: one in ten passes the checksum by chance. */
function isLabelledOtherwise(candidate: Candidate, isNearCard: boolean): boolean {
  const { run, first, last, digits, range } = candidate;
  const label = labelBefore(run.text, range.start);
  // "Text them 4539 …" names no phone number: the longest has fifteen digits.
  const isPhone = label?.kind === "phone" && digits.length <= MAX_PHONE_DIGITS;
  if (!label || !(label.kind === "otherwise" || isPhone)) return false;
  const isOther = label.isAdjacent || (first === last && !isNearCard && label.kind === "otherwise");
  return isOther && !isGivenAsCard(run.text, digits, range);
}

function classify(candidate: Candidate, issuer: IssuerRange, topic: string): CardForm | undefined {
  const { run, first, last, digits, range } = candidate;
  if (!hasValidCheckDigit(digits) || isPartOfWord(run.text, range)) return undefined;
  const hasShape = isShaped(candidate);
  if (hasShape && isPublishedTestNumber(digits)) return "test-number";
  const isNearCard = isNear(run.text, range, "card");
  const isWritten = isNearCard
    ? hasShape || hasOneSeparator(run, first, last)
    : hasShape && !hasListSeparator(run, first, last);
  if (!isWritten) return undefined;
  if (!isNearCard && !isUsual(candidate, issuer, topic)) return undefined;
  return isLabelledOtherwise(candidate, isNearCard) ? "labelled-otherwise" : "checksum";
}

/** Returns whether a card number may start with a group. */
function mayStart(run: DigitRun, first: number, { start, end }: Range): boolean {
  if (!isIssuerDigit(run.text.charAt(start))) return false;
  if (first === 0 || end - start > MAX_SMALL_PIECE) return true;
  // Small pieces in the middle of a row of them: no number starts here.
  return separatorAfter(run, first - 1) !== separatorAfter(run, first);
}

/** Returns the neighbouring groups, from the first on, that together have a length in use at the issuer. */
function* candidatesFrom(run: DigitRun, first: number, issuer: IssuerRange): Iterable<Candidate> {
  const { groups, digits, offsets } = run;
  const from = offsets[first] ?? 0;
  for (let last = first; last < groups.length; last++) {
    const length = (offsets[last + 1] ?? digits.length) - from;
    if (length < MIN_DIGITS) continue;
    if (length > MAX_DIGITS) return;
    if (!isIssuedLength(issuer, length)) continue;
    const range = rangeOf(run, first, last);
    yield { run, first, last, digits: digitsOf(run, first, last), range };
  }
}

/** Finds the card number that starts with a group, and the group after it. */
function cardAt(
  run: DigitRun,
  first: number,
  topic: string,
): { card: CardNumber; next: number } | undefined {
  const group = run.groups[first];
  if (!group || !mayStart(run, first, group)) return undefined;
  const from = run.offsets[first] ?? 0;
  const issuer = findIssuer(run.digits.slice(from, from + MIN_DIGITS));
  if (!issuer) return undefined;
  for (const candidate of candidatesFrom(run, first, issuer)) {
    const form = classify(candidate, issuer, topic);
    if (form) return { card: toCardNumber(form, candidate.range), next: candidate.last + 1 };
  }
  return undefined;
}

/** Makes a found card number out of where it stands and what it was recognised by. */
export function toCardNumber(form: CardForm, { start, end }: Range): CardNumber {
  return { kind: "card-number", form, certainty: CERTAINTY[form], start, end };
}

/** Returns whether digits are a number that a card may have: issuer, length and check digit. */
export function isCardNumber(digits: string): boolean {
  const issuer = isIssuerDigit(digits.charAt(0)) ? findIssuer(digits) : undefined;
  if (issuer === undefined || !hasValidCheckDigit(digits)) return false;
  return (
    issuer.lengths.includes(digits.length) ||
    (digits.length === USUAL_LENGTH && isIssuedLength(issuer, USUAL_LENGTH))
  );
}

/**
 * Finds payment card numbers: 12 to 19 digits of a known issuer with a valid check digit.
 *
 * Digits count in whole groups only, so that a part of a longer number is never taken for a card.
 *
 * @param runs - The text's digits, where they are known already.
 * @param topic - What else was said: of a number that few issuers have, it may tell that it is a card's.
 * @see ISO/IEC 7812-1
 */
export function findCardNumbers(
  text: string,
  runs: readonly DigitRun[] = findDigitRuns(text),
  topic = "",
): CardNumber[] {
  const cards: CardNumber[] = [];
  for (const run of runs) {
    if (run.digits.length < MIN_DIGITS) continue;
    for (let first = 0; first < run.groups.length;) {
      const found = cardAt(run, first, topic);
      if (found) cards.push(found.card);
      first = found?.next ?? first + 1;
    }
  }
  return cards;
}
