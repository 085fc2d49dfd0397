import { type Range, linear, linearLater } from "../text/pattern.ts";
import { oneOf } from "../text/word-patterns.ts";
import {
  type IssuerRange,
  findIssuer,
  hasValidCheckDigit,
  isIssuedLength,
  isIssuerDigit,
  isPublishedTestNumber,
} from "./card-issuers.ts";
import {
  type DigitRun,
  MAX_SMALL_PIECE,
  digitsOf,
  groupingOf,
  hasListSeparator,
  hasOneSeparator,
  isCutEvenly,
  isPartOfWord,
  rangeOf,
  separatorAfter,
} from "./digit-runs.ts";
import { createMaker, type Identifier } from "./identifier.ts";
import { isNear, labelBefore, mentions } from "./labels.ts";

/** How far before a number a brand, and the verb of a payment, may stand, in UTF-16 units. */
const REACH = 60;

const UNTIL = String.raw`\b(?:exp(?:ir(?:y|es|ing|ation))?|valid|good)\b`;
const MONTH_AND_YEAR = String.raw`(?:0?[1-9]|1[0-2])\s?[/-]?\s?(?:20)?[23]\d(?!\d)`;
const MONTH = String.raw`(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b`;
/** "valid to 04/29", "good through March": behind an order or a parcel stands no such date. */
const VALID_UNTIL = linearLater(
  () => String.raw`^[^\d]{0,20}${UNTIL}[^\d]{0,16}(?:${MONTH_AND_YEAR}|${MONTH})`,
  "i",
);
/** They end on a date as well. */
const EXPIRES = linearLater(
  () =>
    String.raw`\b${oneOf`
    member(?:ship)?|subscription|polic(?:y|ies)|warranty|certificate|permit|licen[cs]e|passport
    coupon|promo|voucher|offer|gift|pass|quote|application|docket|vin
    device|version|token|session
  `}\b`,
  "i",
);
const SECURITY_CODE = linear(
  /^.{0,40}\b(?:cvv2?|cvc2?|cv2|csc|security(?:\s(?:code|no|number))?)\b[^\d]{0,8}\d{3,4}(?!\d)/i,
);
/** "tickets on 4539 …" is paid with the number, "ticket 4539 …" is named by it. */
const PAYS = linear(
  /\b(?:put|bill|charg|pa(?:y|id)|book|buy|bought|renew|run|ran|settl|plac|purchas|cover|debit|tak|took|stick|throw|rent)(?:s|es|ed|e|ing)?\b/i,
);
const WITH = linear(
  /\s(?:on|onto|with|using|off|to|from|via|against)(?:\s(?:my|this|the|his|her|their|number|no\.?))?[\s:]{1,2}$/i,
);
const BRAND = linear(/\b(?:(visa)|(master\s?card)|(amex|american\sexpress)|(discover))\b/gi);
/** First digits of a brand's numbers, in the order of the groups above. */
const FIRST_DIGITS: readonly (readonly string[])[] = [["4"], ["5", "2"], ["34", "37"], ["6"]];

/** Returns whether a text names the brand that a number has. */
function namesBrand(text: string, digits: string): boolean {
  return Array.from(text.matchAll(BRAND)).some((match) =>
    FIRST_DIGITS.some(
      (starts, group) =>
        match[group + 1] !== undefined && starts.some((start) => digits.startsWith(start)),
    ),
  );
}

/** Returns whether a number is given as a card's, though another word may stand nearer to it: "airline tickets on …". */
function isGivenAsCard(text: string, digits: string, { start, end }: Range): boolean {
  const before = text.slice(Math.max(0, start - REACH), start);
  const after = text.slice(end, end + REACH);
  return (
    (VALID_UNTIL.test(after) && !EXPIRES.test(before)) ||
    SECURITY_CODE.test(after) ||
    (WITH.test(before) && PAYS.test(before)) ||
    namesBrand(before, digits)
  );
}

/** What a card number was recognised by. */
type CardForm = "checksum" | "test-number" | "labelled-otherwise" | "split";

const MIN_DIGITS = 12;
const MAX_DIGITS = 19;
const USUAL_LENGTH = 16;
const MAX_PHONE_DIGITS = 15;

/** Makes a found card number out of what it was recognised by and where it stands. */
export const toCardNumber: (form: CardForm, range: Range) => Identifier = createMaker(
  "card-number",
  {
    // A valid check digit in a known issuer range leaves little doubt.
    checksum: 0.99,
    "test-number": 0.99,
    split: 0.9,
    // As likely the order or reference number that its label says.
    "labelled-otherwise": 0.5,
  },
);

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
): { card: Identifier; next: number } | undefined {
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
 * @param runs - The digits of a text.
 * @param topic - What else was said: of a number that few issuers have, it may show that it is a card's.
 * @see ISO/IEC 7812-1
 */
export function findCardNumbers(runs: readonly DigitRun[], topic = ""): Identifier[] {
  const cards: Identifier[] = [];
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
