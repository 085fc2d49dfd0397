import {
  isNamedOtherwise,
  listCandidates,
  toAccountNumber,
} from "../identifiers/account-numbers.ts";
import { findDigitRuns, isPartOfWord } from "../identifiers/digit-runs.ts";
import type { Identifier, IdentifierKind } from "../identifiers/identifier.ts";
import { findIdentifiers } from "../identifiers/index.ts";
import { findSecurityCodes, maskValues } from "../identifiers/mask.ts";
import { type NameRule, toNameRule } from "../redaction/member-names.ts";
import { foldText } from "../text/fold-text.ts";
import { parseJson } from "../util/values.ts";
import {
  type CustomerMask,
  hideCustomers,
  hideInText,
  hideInValue,
  hideNamed,
  type KnownCustomers,
} from "./customers/hide-customers.ts";
import { scalarsOf } from "./json-values.ts";
import { runSteps, type Steps } from "./turns.ts";

/** What a reader may not see: e-mail addresses and phone numbers stay, a reviewer may have to know them. */
const KINDS: ReadonlySet<IdentifierKind> = new Set([
  "card-number",
  "social-security-number",
  "account-number",
  "iban",
  "secret",
]);
const MASKED_NAMES: ReadonlySet<NameRule["kind"]> = new Set([
  "card",
  "ssn",
  "account",
  "iban",
  "secret",
]);

const NUMBER_WORD = String.raw`(?:zero|one|two|three|four|five|six|seven|eight|nine|oh|nought|double|treble|triple|\w{3,6}teen|\w{3,5}ty)`;
/** Every value has one of these: five digits, two numbers in words, what secrets begin with. Other texts need no search. */
const CUE = new RegExp(
  String.raw`\d(?:\D*\d){4}|${NUMBER_WORD}[\s,.;:-]{1,3}${NUMBER_WORD}|[\w\-+/]{18}|[^\0-\x7f]|` +
    String.raw`-----|:\/\/|eyJ|passw|pwd|passphrase|passcode|secret|token|key|bearer|basic|cv[vc]|code|\bpin\b`,
  "i",
);

/** "12345678.90" is an amount. */
const DECIMALS = /[.,]\d{1,2}$/;
const DECIMALS_NEXT = /^[.,]\d/;
const SEPARATED = /[\d.,:/+-]$/;

/** Finds numbers that nothing names: "4455667788" may be the answer to a question for the account. */
function findBareNumbers(text: string): Identifier[] {
  return listCandidates(findDigitRuns(text))
    .filter(
      (candidate) =>
        !isPartOfWord(text, candidate.range) &&
        !DECIMALS.test(text.slice(candidate.range.start, candidate.range.end)) &&
        !DECIMALS_NEXT.test(text.slice(candidate.range.end, candidate.range.end + 2)) &&
        !SEPARATED.test(text.slice(0, candidate.range.start).slice(-1)) &&
        !isNamedOtherwise(candidate),
    )
    .map(({ range }) => toAccountNumber("labelled", range));
}

/** What is left of a masked value may be a value again, with its neighbours. */
const MAX_PASSES = 4;

type Find = (text: string) => readonly Identifier[];

function maskChunk(text: string, find: Find): string {
  let masked = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = masked;
    masked = maskValues(before, [...find(before), ...findSecurityCodes(before)]);
    if (masked === before) break;
  }
  return masked;
}

/** Longest text that is searched at once, in UTF-16 units: some milliseconds' work at worst. */
const CHUNK_LENGTH = 4096;
/** How far before the end of a chunk it may be cut between two words: no value is as long. */
const CUT_REACH = 256;
const SPACE = /\s[^\s\d][^\s]*$/;

/** Returns where a long text may be cut: not within a number, if it can be helped. */
function findCut(text: string, from: number): number {
  const end = from + CHUNK_LENGTH;
  if (end >= text.length) return text.length;
  const space = SPACE.exec(text.slice(end - CUT_REACH, end))?.index;
  return space === undefined ? end : end - CUT_REACH + space;
}

function* maskSteps(text: string, find: Find): Steps<string> {
  if (!CUE.test(text)) return text;
  let masked = "";
  for (let from = 0; from < text.length;) {
    const to = findCut(text, from);
    masked += maskChunk(text.slice(from, to), find);
    from = to;
    yield;
  }
  return masked;
}

/** A date, a time, an amount: without a word to name it, the shortest number of a person has nine digits. */
const FEW_DIGITS = /^[ .,:/+-]*(?:\d[ .,:/+-]*){0,8}$/;

const findNamed = (text: string): readonly Identifier[] =>
  FEW_DIGITS.test(text) ? [] : findIdentifiers(text, KINDS);
const findAny = (text: string): readonly Identifier[] => [
  ...findNamed(text),
  ...findBareNumbers(foldText(text)),
];

/**
 * Masks the cards, social security numbers, accounts and secrets of a text for who reads it: numbers up to their last
 * four digits, secrets altogether.
 *
 * The length stays, so that the positions of findings do. Masking a masked text changes nothing.
 *
 * @param customers - How the ids of customers are hidden; without it they stay.
 */
export function maskText(text: string, customers?: CustomerMask): string {
  return runSteps(maskSteps(hideInText(text, customers), findAny));
}

const VISIBLE_CHARACTERS = 4;
const HIDEABLE = /[\p{L}\p{N}*]/gu;
const DIGIT = /\d/;

/** Masks a value whose member says what it is; a short one altogether. */
function maskWhole(value: string, kind: NameRule["kind"]): string {
  const count = value.match(HIDEABLE)?.length ?? 0;
  const visible = kind === "secret" || count <= VISIBLE_CHARACTERS ? 0 : VISIBLE_CHARACTERS;
  let index = 0;
  return value.replaceAll(HIDEABLE, (character) =>
    ++index > count - visible ? character : "*".repeat(character.length),
  );
}

const DIGITS_ONLY = /^[\d\s*-]{6,32}$/;

/** Returns what a value is by the name of its member alone. */
function toNamedKind({ kind, kindOfDigits }: NameRule, value: string): NameRule["kind"] {
  if (MASKED_NAMES.has(kind) && (kind === "secret" || DIGIT.test(value))) return kind;
  return MASKED_NAMES.has(kindOfDigits) && DIGITS_ONLY.test(value) ? kindOfDigits : undefined;
}

/** Masks a short value as its member's name labels it: `beneficiaryAccount: 12345678`. */
function maskLabelled(value: string, name: string): string {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").replaceAll(/[_.]/g, " ");
  const label = `${words}: `;
  return maskChunk(label + value, findNamed).slice(label.length);
}

const MAX_LABELLED_LENGTH = 64;
const LABELLING_NAME = /acc|card|pan|ssn|social|tax|tin|routing|aba|iban|number|beneficiary|payee/i;
/** Members that hold what somebody has said. */
const SPEECH: ReadonlySet<string> = new Set(["content", "text", "message", "input", "output"]);
/** Names and hashes that others are joined by; a number of a customer has not their form. */
const OPAQUE =
  /^(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|(?=\d*[a-f])(?:[\da-f]{16}|[\da-f]{32,64})|[\w-]{1,16}:[\da-f]{64}|[A-Za-z][A-Za-z_.-]{0,63})$/i;
/** How often JSON may hold JSON in a text. */
const MAX_NESTED = 4;

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && parseJson(text) !== undefined;
}

function* maskString(
  given: string,
  name: string | undefined,
  depth: number,
  customers: CustomerMask | undefined,
): Steps<string> {
  const pseudonym = hideNamed(given, name, customers);
  if (pseudonym !== undefined) return pseudonym;
  const rule = name === undefined ? {} : toNameRule(name);
  const kind = toNamedKind(rule, given);
  if (kind !== undefined) return maskWhole(given, kind);
  if (depth < MAX_NESTED && isJson(given)) return yield* maskScalars(given, depth + 1, customers);
  const isSaid = name === undefined || SPEECH.has(name);
  const text = (isSaid ? hideInText : hideInValue)(given, customers);
  if (OPAQUE.test(text)) return text;
  if (isSaid) return yield* maskSteps(text, findAny);
  return text.length <= MAX_LABELLED_LENGTH && LABELLING_NAME.test(name)
    ? maskLabelled(text, name)
    : yield* maskSteps(text, findNamed);
}

/** The length of a card's number, and no time's first digit. */
const CARD_LIKE = /^[2-9]\d{11,18}$/;

/** Returns the JSON of a number as readers may see it: one that is hidden becomes a text. */
function* maskNumber(
  json: string,
  name: string | undefined,
  customers: CustomerMask | undefined,
): Steps<string> {
  const pseudonym = hideNamed(json, name, customers);
  if (pseudonym !== undefined) return JSON.stringify(pseudonym);
  const { kind, kindOfDigits } = name === undefined ? {} : toNameRule(name);
  const isNamed = kind ?? kindOfDigits ?? (name !== undefined && LABELLING_NAME.test(name));
  if (isNamed === false && !CARD_LIKE.test(json)) return json;
  const masked = yield* maskString(json, name ?? "number", MAX_NESTED, undefined);
  return masked === json ? json : JSON.stringify(masked);
}

/** Returns the JSON of a text as readers may see it. */
function* maskTextToken(
  json: string,
  name: string | undefined,
  depth: number,
  customers: CustomerMask | undefined,
): Steps<string> {
  const isPlain = !CUE.test(json) && (name === undefined || toNameRule(name).kind === undefined);
  if (isPlain && !customers) return json;
  const text = JSON.parse(json) as string;
  const masked = yield* maskString(text, name, depth, customers);
  return masked === text ? json : JSON.stringify(masked);
}

/** What rows and pages are joined by; it has not come from a customer. */
const JOINS: ReadonlySet<string> = new Set(
  "key conversationKey traceId spanId parentSpanId next hash previous digest".split(" "),
);

function* maskScalars(
  json: string,
  depth: number,
  customers: CustomerMask | undefined,
): Steps<string> {
  let masked = "";
  let copied = 0;
  for (const { start, end, isText, name } of scalarsOf(json)) {
    if (name !== undefined && JOINS.has(name)) continue;
    const scalar = json.slice(start, end);
    const shown = isText
      ? yield* maskTextToken(scalar, name, depth, customers)
      : yield* maskNumber(scalar, name, customers);
    if (shown === scalar) continue;
    masked += json.slice(copied, start) + shown;
    copied = end;
  }
  return masked + json.slice(copied);
}

/**
 * Masks as `maskJson` does, with pauses: for answers that may be long.
 *
 * @param customers - Customers whose ids are hidden; without them ids stay.
 */
export function maskJsonSteps(json: string, customers?: KnownCustomers): Steps<string> {
  return hideCustomers(customers, (mask) => maskScalars(json, 0, mask));
}

/**
 * Masks the texts and numbers of JSON as `maskText` does, those that their member's name points at as well. Names and
 * everything else stay as they are; a number that is masked becomes a text.
 *
 * @param json - Valid JSON, of which the result is valid as well.
 */
export function maskJson(json: string): string {
  return runSteps(maskScalars(json, 0, undefined));
}
