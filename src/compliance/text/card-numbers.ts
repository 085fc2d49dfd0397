import {
  findIssuer,
  hasValidCheckDigit,
  isIssuedLength,
  isIssuerDigit,
  isPublishedTestNumber,
  type IssuerRange,
} from "./card-issuers.ts";
import { findAll, linear, type Range } from "./pattern.ts";

/** A card number in a text. */
export interface CardNumber extends Range {
  readonly kind: "checksum" | "test-number" | "labelled-otherwise";
}

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;
const LABEL_REACH = 60;
const MAX_SMALL_PIECE = 2;

// Digits with whatever stands between them when people, models or evaders write numbers.
const NUMBER_RUN = linear(/\d[\d \-./_\u200b-\u200d\u2060\ufeff]{11,}/g);
const GROUP = linear(/\d+/g);
const USUAL_GROUPING = linear(/^(?:\d+|4-6-[45]|4-4-4-[1-4]|4-4-4-4-[1-3])$/);
const WORD_BEFORE = linear(/[\p{L}\p{N}_$€£]$/u);
const WORD_AFTER = linear(/^[\p{L}_]/u);
const CARD_WORD = linear(
  /\b(?:cards?|pan|visa|master\s?card|amex|american\sexpress|discover|maestro|diners|jcb|debit|credit|cvv2?|cvc2?|expir(?:y|es|ation)|exp)\b/i,
);
const OTHER_LABEL = linear(
  /\b(?:order|tracking|shipment|parcel|imei|serial|device|isbn|ean|upc|barcode|invoice|reference|ref|confirmation|ticket|case|request|trace|session|message|event|member|policy|loan|application|transaction|batch|timestamp|isin)\b/i,
);

/** Digits with separators between them, in the groups that they were written in. */
interface NumberRun {
  readonly text: string;
  readonly groups: readonly Range[];
  /** The digits of all groups, and where in them each group starts. */
  readonly digits: string;
  readonly offsets: readonly number[];
}

/** Some neighbouring groups of a run, `last` included. */
interface Candidate {
  readonly run: NumberRun;
  readonly first: number;
  readonly last: number;
  readonly digits: string;
  readonly range: Range;
}

function toRun(text: string, range: Range): NumberRun {
  const groups = findAll(GROUP, text.slice(range.start, range.end)).map(({ start, end }) => ({
    start: range.start + start,
    end: range.start + end,
  }));
  const offsets: number[] = [];
  let length = 0;
  for (const { start, end } of groups) {
    offsets.push(length);
    length += end - start;
  }
  const digits = groups.map(({ start, end }) => text.slice(start, end)).join("");
  return { text, groups, digits, offsets };
}

/** Gives what stands between a group and the next, `undefined` behind the last. */
function separatorAfter({ text, groups }: NumberRun, index: number): string | undefined {
  const next = groups[index + 1];
  return next && text.slice(groups[index]?.end ?? next.start, next.start);
}

function hasOneSeparator({ run, first, last }: Candidate): boolean {
  const separator = separatorAfter(run, first);
  for (let index = first + 1; index < last; index++) {
    if (separatorAfter(run, index) !== separator) return false;
  }
  return true;
}

/** Tells whether a candidate is a whole number cut into small equal pieces: `6-0-1-1-…`, `40 00 11 …`. */
function isCutSmall(candidate: Candidate): boolean {
  const { run, first, last } = candidate;
  const lengths = run.groups.slice(first, last + 1).map(({ start, end }) => end - start);
  const [length = 0] = lengths;
  return (
    length <= MAX_SMALL_PIECE &&
    lengths.every((other, index) => other === length || index === lengths.length - 1) &&
    hasOneSeparator(candidate) &&
    separatorAfter(run, last) !== separatorAfter(run, first)
  );
}

function hasUsualGrouping({ run, first, last }: Candidate): boolean {
  const lengths = run.groups.slice(first, last + 1).map(({ start, end }) => end - start);
  return USUAL_GROUPING.test(lengths.join("-"));
}

function isPartOfWord({ run: { text }, range: { start, end } }: Candidate): boolean {
  return (
    WORD_BEFORE.test(text.slice(Math.max(0, start - 2), start)) ||
    WORD_AFTER.test(text.slice(end, end + 2))
  );
}

function isNearCardWord({ run: { text }, range: { start, end } }: Candidate): boolean {
  return (
    CARD_WORD.test(text.slice(Math.max(0, start - LABEL_REACH), start)) ||
    CARD_WORD.test(text.slice(end, end + LABEL_REACH))
  );
}

function classify(candidate: Candidate, issuer: IssuerRange): CardNumber["kind"] | undefined {
  const { run, digits, range } = candidate;
  if (!hasValidCheckDigit(digits) || isPartOfWord(candidate)) return undefined;
  const isShaped = hasUsualGrouping(candidate) || isCutSmall(candidate);
  if (isShaped && isPublishedTestNumber(digits)) return "test-number";
  if (isNearCardWord(candidate)) {
    return isShaped || hasOneSeparator(candidate) ? "checksum" : undefined;
  }
  if (!isShaped || !issuer.lengths.includes(digits.length)) return undefined;
  // One number in ten passes the checksum by chance: a label that says otherwise outweighs it.
  const before = run.text.slice(Math.max(0, range.start - LABEL_REACH), range.start);
  return OTHER_LABEL.test(before) ? "labelled-otherwise" : "checksum";
}

/** Tells whether a card number may start with a group. */
function mayStart(run: NumberRun, first: number, { start, end }: Range): boolean {
  if (!isIssuerDigit(run.text.charAt(start))) return false;
  if (first === 0 || end - start > MAX_SMALL_PIECE) return true;
  // Small pieces in the middle of a row of them: no number starts here.
  return separatorAfter(run, first - 1) !== separatorAfter(run, first);
}

/** Gives the neighbouring groups, from the first on, that together have a length in use at the issuer. */
function* candidatesFrom(run: NumberRun, first: number, issuer: IssuerRange): Iterable<Candidate> {
  const { groups, digits, offsets } = run;
  const from = offsets[first] ?? 0;
  const start = groups[first]?.start ?? 0;
  for (let last = first; last < groups.length; last++) {
    const to = offsets[last + 1] ?? digits.length;
    if (to - from < MIN_DIGITS) continue;
    if (to - from > MAX_DIGITS) return;
    if (!isIssuedLength(issuer, to - from)) continue;
    const range = { start, end: groups[last]?.end ?? start };
    yield { run, first, last, digits: digits.slice(from, to), range };
  }
}

/** Finds the card number that starts with a group, and the group after it. */
function cardAt(run: NumberRun, first: number): { card: CardNumber; next: number } | undefined {
  const group = run.groups[first];
  if (!group || !mayStart(run, first, group)) return undefined;
  const from = run.offsets[first] ?? 0;
  const issuer = findIssuer(run.digits.slice(from, from + MIN_DIGITS));
  if (!issuer) return undefined;
  for (const candidate of candidatesFrom(run, first, issuer)) {
    const kind = classify(candidate, issuer);
    if (kind) return { card: { kind, ...candidate.range }, next: candidate.last + 1 };
  }
  return undefined;
}

/**
 * Finds payment card numbers: 13 to 19 digits of a known issuer with a valid check digit.
 *
 * Digits count in whole groups only, so that a part of a longer number is never taken for a card.
 *
 * @see ISO/IEC 7812-1
 */
export function findCardNumbers(text: string): CardNumber[] {
  const cards: CardNumber[] = [];
  for (const range of findAll(NUMBER_RUN, text)) {
    const run = toRun(text, range);
    for (let first = 0; first < run.groups.length;) {
      const found = cardAt(run, first);
      if (found) cards.push(found.card);
      first = found?.next ?? first + 1;
    }
  }
  return cards;
}
