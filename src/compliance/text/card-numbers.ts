import { findIssuer, hasValidCheckDigit, isPublishedTestNumber, type IssuerRange } from "./card-issuers.ts";
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

/** Digits of one run, in the groups that they were written in. */
interface NumberRun {
  readonly text: string;
  readonly groups: readonly Range[];
  /** What stands between group n and group n + 1. */
  readonly separators: readonly string[];
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
  const separators = groups.slice(1).map(({ start }, index) => text.slice(groups[index]?.end, start));
  return { text, groups, separators };
}

function hasOneSeparator({ run, first, last }: Candidate): boolean {
  const [separator, ...others] = run.separators.slice(first, last);
  return others.every((other) => other === separator);
}

/** Tells whether a candidate is a whole number cut into small equal pieces: `6-0-1-1-…`, `40 00 11 …`. */
function isCutSmall(candidate: Candidate): boolean {
  const { run, first, last } = candidate;
  const lengths = run.groups.slice(first, last + 1).map(({ start, end }) => end - start);
  const [length = 0] = lengths;
  const separator = run.separators[first];
  return (
    length <= MAX_SMALL_PIECE &&
    lengths.every((other, index) => other === length || index === lengths.length - 1) &&
    hasOneSeparator(candidate) &&
    run.separators[first - 1] !== separator &&
    run.separators[last] !== separator
  );
}

function hasUsualGrouping({ run, first, last }: Candidate): boolean {
  const lengths = run.groups.slice(first, last + 1).map(({ start, end }) => end - start);
  return USUAL_GROUPING.test(lengths.join("-"));
}

function isPartOfWord({ run: { text }, range: { start, end } }: Candidate): boolean {
  return WORD_BEFORE.test(text.slice(Math.max(0, start - 2), start)) || WORD_AFTER.test(text.slice(end, end + 2));
}

function classify(candidate: Candidate, issuer: IssuerRange): CardNumber["kind"] | undefined {
  const { run, digits, range } = candidate;
  const isCertain = issuer.lengths.includes(digits.length);
  if (!isCertain && !issuer.doubtfulLengths?.includes(digits.length)) return undefined;
  if (!hasValidCheckDigit(digits) || isPartOfWord(candidate)) return undefined;
  const isShaped = hasUsualGrouping(candidate) || isCutSmall(candidate);
  if (isShaped && isPublishedTestNumber(digits)) return "test-number";
  const before = run.text.slice(Math.max(0, range.start - LABEL_REACH), range.start);
  const after = run.text.slice(range.end, range.end + LABEL_REACH);
  if (CARD_WORD.test(before) || CARD_WORD.test(after)) {
    return isShaped || hasOneSeparator(candidate) ? "checksum" : undefined;
  }
  if (!isShaped || !isCertain) return undefined;
  // One number in ten passes the checksum by chance: a label that says otherwise outweighs it.
  return OTHER_LABEL.test(before) ? "labelled-otherwise" : "checksum";
}

/** Finds the card number that starts with a group, and the group after it. */
function cardAt(run: NumberRun, first: number): { card: CardNumber; next: number } | undefined {
  const { text, groups } = run;
  const start = groups[first]?.start ?? 0;
  let digits = "";
  let issuer: IssuerRange | undefined;
  for (let last = first; last < groups.length; last++) {
    const group = groups[last];
    if (!group || digits.length + group.end - group.start > MAX_DIGITS) break;
    digits += text.slice(group.start, group.end);
    if (digits.length < MIN_DIGITS) continue;
    issuer ??= findIssuer(digits);
    if (!issuer) break;
    const range = { start, end: group.end };
    const kind = classify({ run, first, last, digits, range }, issuer);
    if (kind) return { card: { kind, ...range }, next: last + 1 };
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
    for (let first = 0; first < run.groups.length; ) {
      const found = cardAt(run, first);
      if (found) cards.push(found.card);
      first = found?.next ?? first + 1;
    }
  }
  return cards;
}
