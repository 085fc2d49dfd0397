import { rememberLatest } from "../text/latest.ts";
import { normalise } from "../text/normalise.ts";
import { findAccountNumbers } from "./account-numbers.ts";
import { findCardNumbers } from "./card-numbers.ts";
import { findDigitRuns, type DigitRun } from "./digit-runs.ts";
import { findEmailAddresses, findPhoneNumbers } from "./contact-details.ts";
import { findIbans } from "./ibans.ts";
import type { Identifier, IdentifierKind } from "./identifier.ts";
import { readLookalikeDigits } from "./lookalike-digits.ts";
import { findOwnedAccounts } from "./owned-accounts.ts";
import { findSecrets } from "./secrets.ts";
import { findSocialSecurityNumbers } from "./social-security-numbers.ts";
import { findSplitNumbers } from "./split-numbers.ts";
import { readSpokenDigits, type DigitReading } from "./spoken-digits.ts";

/** @param topic - What else was said in the conversation. */
type Detector = (text: string, runs: readonly DigitRun[], topic: string) => readonly Identifier[];

/** Finds the values of each kind; a new kind is a file beside this one and a line here. */
const DETECTORS: Readonly<Record<IdentifierKind, Detector>> = {
  "card-number": (_text, runs) => findCardNumbers(runs),
  "social-security-number": findSocialSecurityNumbers,
  "account-number": findAccountNumbers,
  iban: findIbans,
  secret: findSecrets,
  "email-address": findEmailAddresses,
  "phone-number": (_text, runs) => findPhoneNumbers(runs),
};

/** Finds values that words elsewhere in a conversation show. */
const TOPICAL: Readonly<Partial<Record<IdentifierKind, Detector>>> = {
  "card-number": (_text, runs, topic) => (topic === "" ? [] : findCardNumbers(runs, topic)),
  "account-number": findOwnedAccounts,
};

/** Every kind there is. */
export const IDENTIFIER_KINDS: ReadonlySet<IdentifierKind> = new Set(
  Object.keys(DETECTORS) as IdentifierKind[],
);

/** Kinds of numbers that are still recognised when letters pose as digits, by their checksum or shape. */
const CHECKED_KINDS: ReadonlySet<IdentifierKind> = new Set([
  "card-number",
  "social-security-number",
]);

/** Kinds that give way to others: a password before a host looks like an address. */
const WEAK_KINDS: ReadonlySet<IdentifierKind> = new Set(["email-address", "phone-number"]);

/** Keeps one value where several overlap: the longest, and of equal ones the most certain. */
export function resolveOverlaps(found: readonly Identifier[]): Identifier[] {
  if (found.length < 2) return [...found];
  const byStrength = found.toSorted(
    (one, other) =>
      Number(WEAK_KINDS.has(one.kind)) - Number(WEAK_KINDS.has(other.kind)) ||
      other.end - other.start - (one.end - one.start) ||
      other.certainty - one.certainty,
  );
  const taken = new Set<number>();
  return byStrength
    .filter(({ start, end }) => {
      const positions = Array.from({ length: end - start }, (_, index) => start + index);
      if (positions.some((position) => taken.has(position))) return false;
      for (const position of positions) taken.add(position);
      return true;
    })
    .toSorted((one, other) => one.start - other.start);
}

/** What is read of a text for all kinds, and for each when it is asked for. */
interface Detection {
  readonly spoken: DigitReading;
  /** With shorter rows of spoken digits: the parts of a number are short. */
  readonly parts: DigitReading;
  readonly of: (kind: IdentifierKind) => readonly Identifier[];
  /** What only the words of the conversation show. */
  readonly ofTopic: (kind: IdentifierKind, topic: string) => readonly Identifier[];
}

/** Fewest digits of a part of a number that is spoken. */
export const MIN_SPOKEN_DIGITS = 2;

/** The rules look for some kinds, and what masks their evidence for all. */
const detect = rememberLatest((text): Detection => {
  const spoken = readSpokenDigits(text);
  const runs = findDigitRuns(spoken.text);
  const plain = readLookalikeDigits(spoken.text);
  const found = new Map<IdentifierKind, readonly Identifier[]>();
  const find = (kind: IdentifierKind): readonly Identifier[] => {
    const asSpoken = DETECTORS[kind](spoken.text, runs, "");
    if (plain === spoken.text || !CHECKED_KINDS.has(kind)) return asSpoken;
    return [...asSpoken, ...DETECTORS[kind](plain, findDigitRuns(plain), "")];
  };
  const of = (kind: IdentifierKind): readonly Identifier[] => {
    let known = found.get(kind);
    if (!known) found.set(kind, (known = find(kind)));
    return known;
  };
  const ofTopic = (kind: IdentifierKind, topic: string): readonly Identifier[] =>
    TOPICAL[kind]?.(spoken.text, runs, topic) ?? [];
  return { spoken, parts: readSpokenDigits(text, MIN_SPOKEN_DIGITS), of, ofTopic };
});

/**
 * Finds sensitive values in a text that is normalised already; ranges are positions in it.
 *
 * Reads spelt-out digits as well, and numbers that are given in parts.
 *
 * @param kinds - Default: every kind.
 * @param topic - What else was said in the conversation: it may name a number that is given in parts.
 */
export function findInNormalText(
  text: string,
  kinds: ReadonlySet<IdentifierKind> = IDENTIFIER_KINDS,
  topic = "",
): Identifier[] {
  const { spoken, parts, of, ofTopic } = detect(text);
  const found: Identifier[] = [];
  for (const kind of kinds)
    for (const identifier of [...of(kind), ...ofTopic(kind, topic)])
      found.push({ ...identifier, ...spoken.toSource(identifier) });
  for (const identifier of findSplitNumbers([parts.text], topic))
    if (kinds.has(identifier.kind)) found.push({ ...identifier, ...parts.toSource(identifier) });
  return resolveOverlaps(found);
}

/**
 * Finds sensitive values in a text as it was written; ranges are positions in it, in UTF-16 units.
 *
 * Sees through full-width and invisible characters, and reads spelt-out digits. Where values overlap, the longest
 * stands, and of equal ones the most certain.
 *
 * @param kinds - Default: every kind.
 */
export function findIdentifiers(
  original: string,
  kinds: ReadonlySet<IdentifierKind> = IDENTIFIER_KINDS,
): Identifier[] {
  const normal = normalise(original);
  return findInNormalText(normal.text, kinds).map((identifier) => ({
    ...identifier,
    ...normal.toOriginal(identifier),
  }));
}
