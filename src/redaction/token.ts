import { createHmac, createSecretKey, randomBytes, type KeyObject } from "node:crypto";
import type { RedactedKind } from "../config/redact-options.ts";
import type { IdentifierKind } from "../identifiers/identifier.ts";
import { findIdentifiers } from "../identifiers/index.ts";
import { readLookalikeDigits } from "../identifiers/lookalike-digits.ts";
import { readSpokenDigits } from "../identifiers/spoken-digits.ts";
import { readSigningKey } from "../util/http-signature.ts";

/** A sensitive value in a text; positions are UTF-16 units of the text. */
export interface FoundValue {
  readonly kind: RedactedKind;
  readonly start: number;
  readonly end: number;
}

/** Kinds of the detectors, by redacted kind. */
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

/** Characters and words of which every number, address and key contains one; other texts need no search. */
const CUE =
  /[\d@]|-----|:\/\/|eyJ|[\w\-+/]{18}|passw|pwd|passphrase|secret|token|key|bearer|basic|[^\0-\x7f]|zero|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|fo(?:u)?rty|fifty|ninety/i;

/** Finds the values of the given kinds in a text, in order and without overlaps. */
export function findValues(text: string, kinds: ReadonlySet<RedactedKind>): FoundValue[] {
  if (!CUE.test(text)) return [];
  const wanted = new Set(Array.from(kinds, (kind) => IDENTIFIER_KINDS[kind]));
  return findIdentifiers(text, wanted)
    .map(({ kind, start, end }) => ({ kind: KINDS[kind], start, end }))
    .toSorted((one, other) => one.start - other.start);
}

/** Converts spelt-out and lookalike digits to digits, so that a number has one token. */
function toPlainDigits(value: string): string {
  return readLookalikeDigits(readSpokenDigits(value.normalize("NFKC")).text).replaceAll(/\D/g, "");
}

/** Replaces a text or a value that could not be redacted. */
export const FAILURE_MARKER = "[REDACTION FAILED]";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
/** 50 bits: among a million values two share a token with a probability of one in two thousand. */
const TOKEN_LENGTH = 10;
/** Shorter secrets (PIN, CVV) are so few that recurring tokens would identify them. */
const MIN_TOKEN_SECRET_LENGTH = 8;

const TOKEN = /\[(?:CARD|SSN|ACCOUNT|IBAN|SECRET|EMAIL|PHONE)(?::[a-z2-7]{10})?\]/g;
/** Tokens in a redacted text, numbered or not, and the marker of a failure. */
export const REDACTION_TOKEN =
  /\[(?:(?:CARD|SSN|ACCOUNT|IBAN|SECRET|EMAIL|PHONE)(?::[a-z0-9]{1,10})?|REDACTION FAILED)\]/g;

/** Shared by all copies of the package in a process, so that its tokens agree. */
const PROCESS_KEY = Symbol.for("agent-monitor.redaction-key");

/** Returns the key of tokens: the caller's, else a random key of this process. */
export function toTokenKey(given: string | undefined): KeyObject {
  const key = given === undefined ? undefined : readSigningKey(given);
  if (given !== undefined && !key)
    throw new TypeError("redact.key: expected at least 32 bytes, as Base64 or text");
  if (key) return key;
  const shared = globalThis as { [PROCESS_KEY]?: KeyObject };
  return (shared[PROCESS_KEY] ??= createSecretKey(randomBytes(32)));
}

/** Returns the canonical form of a value, independent of its notation. */
function toCanonical(kind: RedactedKind, value: string): string {
  switch (kind) {
    case "secret":
      return value;
    case "email":
      return value.trim().toLowerCase();
    case "iban":
      return value.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
    default: {
      const digits = toPlainDigits(value);
      if (digits === "") return value.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
      // The country code of North America is often left out.
      return kind === "phone" && digits.length === 11 && digits.startsWith("1")
        ? digits.slice(1)
        : digits;
    }
  }
}

/** Returns the token of a value, equal for equal values. */
export type ToToken = (kind: RedactedKind, value: string) => string;

/** Creates tokens like `[CARD:k3f9a2b7qd]` from HMAC-SHA256 of the value. */
export function createTokens(key: KeyObject): ToToken {
  return (kind, value) => {
    const label = kind.toUpperCase();
    if (kind === "secret" && value.length < MIN_TOKEN_SECRET_LENGTH) return `[${label}]`;
    const digest = createHmac("sha256", key)
      .update(`${kind}\0${toCanonical(kind, value)}`)
      .digest();
    let token = "";
    for (let index = 0; index < TOKEN_LENGTH; index++) token += ALPHABET[(digest[index] ?? 0) & 31];
    return `[${label}:${token}]`;
  };
}

/** Returns whether a text holds only tokens, markers and punctuation. */
export function isRedacted(text: string): boolean {
  return (
    text.includes("[") &&
    !/[\p{L}\p{N}]/u.test(text.replace(TOKEN, "").replaceAll(FAILURE_MARKER, ""))
  );
}

/** Numbers the tokens in a value's texts by order, `[CARD:1]`: equal values get equal numbers within it. */
export function renumberTokens<T>(value: T): T {
  const numbers = new Map<string, string>();
  const renumber = (text: string): string =>
    text.replace(TOKEN, (token) => {
      const kind = /^\[[A-Z]+/.exec(token)?.[0] ?? "";
      if (!token.includes(":")) return token;
      const known = numbers.get(token) ?? `${kind}:${numbers.size + 1}]`;
      numbers.set(token, known);
      return known;
    });
  const walk = (part: unknown): unknown => {
    if (typeof part === "string") return renumber(part);
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, member]) => [renumber(key), walk(member)]),
    );
  };
  return walk(value) as T;
}
