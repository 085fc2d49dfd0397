import type { IdentifierKind } from "../identifiers/identifier.ts";
import { findIdentifiers } from "../identifiers/index.ts";
import { readLookalikeDigits } from "../identifiers/lookalike-digits.ts";
import { readSpokenDigits } from "../identifiers/spoken-digits.ts";
import type { RedactedKind } from "../config/redact-options.ts";

/** A value in a text that is to be redacted; positions are UTF-16 units of the text. */
export interface FoundValue {
  readonly kind: RedactedKind;
  readonly start: number;
  readonly end: number;
}

/** The detectors' names of the kinds. */
const IDENTIFIER_KINDS: Readonly<Record<RedactedKind, IdentifierKind>> = {
  card: "card-number",
  ssn: "social-security-number",
  account: "account-number",
  iban: "iban",
  secret: "secret",
  email: "email-address",
  phone: "phone-number",
};

const KINDS = Object.fromEntries(
  Object.entries(IDENTIFIER_KINDS).map(([kind, identifier]) => [identifier, kind]),
) as Readonly<Record<IdentifierKind, RedactedKind>>;

/** What every number, address and key has; texts without it need no search. */
const CUE =
  /[\d@]|-----|:\/\/|eyJ|[\w\-+/]{18}|passw|pwd|passphrase|secret|token|key|bearer|basic|[^\0-\x7f]|zero|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|fo(?:u)?rty|fifty|ninety/i;

/** Finds the values of some kinds in a text, in order and without overlaps. */
export function findValues(text: string, kinds: ReadonlySet<RedactedKind>): FoundValue[] {
  if (!CUE.test(text)) return [];
  const wanted = new Set(Array.from(kinds, (kind) => IDENTIFIER_KINDS[kind]));
  return findIdentifiers(text, wanted)
    .map(({ kind, start, end }) => ({ kind: KINDS[kind], start, end }))
    .toSorted((one, other) => one.start - other.start);
}

/** Writes spelt-out and posing digits as digits, so that one number has one token. */
export function toPlainDigits(value: string): string {
  return readLookalikeDigits(readSpokenDigits(value.normalize("NFKC")).text).replaceAll(/\D/g, "");
}
