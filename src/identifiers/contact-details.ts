import { type Range, linear } from "../text/pattern.ts";
import { type DigitRun, digitsOf, groupingOf, isPartOfWord, rangeOf } from "./digit-runs.ts";
import { createMaker, type Identifier } from "./identifier.ts";
import { labelBefore } from "./labels.ts";

/** Longest local part, in octets (RFC 5321, 4.5.3.1.1). */
const MAX_LOCAL_LENGTH = 64;
const MAX_DOMAIN_LENGTH = 253;
const toEmailAddress = createMaker("email-address", { address: 0.95 });

const LOCAL_CHARACTER = linear(/^[\p{L}\p{N}._%+'-]$/u);
const LOCAL_EDGE = linear(/^[.']$/);
const DOMAIN = linear(
  /^[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,7}\.[A-Za-z]{2,24}(?![A-Za-z0-9])/,
);

function localStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < MAX_LOCAL_LENGTH && LOCAL_CHARACTER.test(text.charAt(start - 1)))
    start--;
  while (start < at && LOCAL_EDGE.test(text.charAt(start))) start++;
  return start;
}

/**
 * Finds e-mail addresses; used for redaction only, because an address in a message is no breach.
 *
 * @see RFC 5321
 */
export function findEmailAddresses(text: string): Identifier[] {
  const addresses: Identifier[] = [];
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    const start = localStart(text, at);
    const domain = DOMAIN.exec(text.slice(at + 1, at + 1 + MAX_DOMAIN_LENGTH));
    if (start === at || !domain) continue;
    const end = at + 1 + domain[0].length;
    addresses.push(toEmailAddress("address", { start, end }));
  }
  return addresses;
}

const MIN_INTERNATIONAL = 8;
/** Longest number (ITU-T E.164, 6.1). */
const MAX_INTERNATIONAL = 15;
const toPhoneNumber = createMaker("phone-number", { international: 0.85, national: 0.8 });

const NATIONAL_GROUPING = linear(/^(?:1-)?3-3-4$/);
const PLAIN = linear(/^1?\d{10}$/);
// Area code and exchange never start with 0 or 1 (North American Numbering Plan).
const NATIONAL_DIGITS = linear(/^1?[2-9]\d{2}[2-9]\d{6}$/);

/** Returns whether digits are a North American phone number. */
export function isNationalNumber(digits: string): boolean {
  return NATIONAL_DIGITS.test(digits);
}

function withParenthesis(text: string, { start, end }: Range): Range {
  return { start: text.charAt(start - 1) === "(" ? start - 1 : start, end };
}

/** Finds a North American number that starts with a group, and its last group. */
function nationalAt(run: DigitRun, first: number): { last: number; range: Range } | undefined {
  for (const last of [first + 3, first + 2, first]) {
    if (last >= run.groups.length) continue;
    const digits = digitsOf(run, first, last);
    const range = rangeOf(run, first, last);
    if (!NATIONAL_DIGITS.test(digits) || isPartOfWord(run.text, range)) continue;
    const isGrouped = NATIONAL_GROUPING.test(groupingOf(run, first, last));
    const isNamed =
      first === last && PLAIN.test(digits) && labelBefore(run.text, range.start)?.kind === "phone";
    if (isGrouped || isNamed) return { last, range: withParenthesis(run.text, range) };
  }
  return undefined;
}

/** Finds a number that starts with a plus sign and a group. */
function internationalAt(run: DigitRun, first: number): { last: number; range: Range } | undefined {
  const start = run.groups[first]?.start ?? 0;
  if (run.text.charAt(start - 1) !== "+") return undefined;
  let found: { last: number; range: Range } | undefined;
  for (let last = first; last < run.groups.length; last++) {
    const { length } = digitsOf(run, first, last);
    if (length > MAX_INTERNATIONAL) break;
    if (last > first && run.text.charAt((run.groups[last]?.start ?? 0) - 1) === "+") break;
    const { end } = rangeOf(run, first, last);
    if (length >= MIN_INTERNATIONAL) found = { last, range: { start: start - 1, end } };
  }
  return found;
}

/**
 * Finds phone numbers, North American and international; used for redaction only.
 *
 * @param runs - The digits of a text.
 */
export function findPhoneNumbers(runs: readonly DigitRun[]): Identifier[] {
  const numbers: Identifier[] = [];
  for (const run of runs) {
    for (let first = 0; first < run.groups.length; first++) {
      const international = internationalAt(run, first);
      const found = international ?? nationalAt(run, first);
      if (!found) continue;
      numbers.push(toPhoneNumber(international ? "international" : "national", found.range));
      first = found.last;
    }
  }
  return numbers;
}
