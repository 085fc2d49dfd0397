import { linear, linearLater } from "../text/pattern.ts";
import { anyWord, oneOf } from "../text/word-patterns.ts";
import {
  isNamedOtherwise,
  listCandidates,
  toAccountNumber,
  type Candidate,
} from "./account-numbers.ts";
import { isPartOfWord, type DigitRun } from "./digit-runs.ts";
import type { Identifier } from "./identifier.ts";
import { mentions } from "./labels.ts";
import { isNameAfter, isNameBefore, isOwnerAfter, isOwnerBefore } from "./owner-names.ts";
import { isNationalNumber } from "./phone-numbers.ts";

/** How far from a number its owner is looked for, in UTF-16 units. */
const REACH = 80;

/** They have numbers of their own: "employee Ada Brix, 40017283". */
const NUMBERED_ROLES = oneOf`
  customer|client|employee|member|merchant|user|student|patient|passenger|driver
  agent|officer|advis[eo]r|rep|representative|banker|clerk|teller
`;
const NUMBERED = linearLater(
  () =>
    String.raw`\b${NUMBERED_ROLES}s?:?\s(?:[A-Z][\w'\u00c0-\u024f.-]{0,20}\s?){1,3}[^A-Za-z]{0,4}$`,
  "i",
);
/** What else is known by a number. */
const OTHER_THING = linearLater(
  () =>
    String.raw`\b${oneOf`
    branch|file|filed|form|docket|badge|extension|unit|record|log|entry|document|certificate
    appointment|nmls|ids?|pin|codes?|dob|born|social|ssn
  `}\b`,
  "i",
);
const PHONES = linearLater(
  () =>
    String.raw`\b${oneOf`
    phones?|call(?:s|ed|ing)?|dial|mobile|cell|text(?:s|ed|ing)?|sms|whatsapp|zelle|contact|reach
  `}\b`,
  "i",
);
const PHONE_GROUPING = linear(/^(?:11|(?:1-)?(?:3-3-4|3-7|6-4))$/);
const MONEY = linearLater(
  () =>
    String.raw`\b${oneOf`
    accounts?|accts?|checking|savings|balance|deposits?|deposited|funds?|banks?|routing|ach|zelle
    transfers?|transferred|wires?|wired|remit(?:s|ted|ter)?|refunds?|refunded|credit(?:ed|s)?|debit(?:ed|s)?
    pa(?:y|ys|id|ying)|payments?|payroll|payee|payer|beneficiary|drawn|drawer|maker
    rent|dues|tuition|wages|salary|(?:the|a|this|that)\schecks?
  `}\b`,
  "i",
);
/** "It was paid to 5571103948, Gloria Funes." */
const PAYING = oneOf`
  credit(?:ed)?|pa(?:y|id)|sent|send|went|goes|go|wired?|transfer(?:red)?|refund(?:ed)?|deposit(?:ed)?
  came|comes|drawn|pulled|landed|posted|remit(?:ted)?
`;
const MONEY_TO = linearLater(
  () => String.raw`\b${PAYING}\s(?:\w{1,12}\s){0,2}(?:to|into|in|from|on|off|against)\s$`,
  "i",
);
/** In a list of transactions a number of the merchant stands before the amount. */
const AMOUNT_NEXT = linear(/^[\s,;|)]{0,3}[-+]?[$\u20ac\u00a3]/);
const UNITS = anyWord`yen|won|dollars|usd|eur|euros?|pounds|pesos|rupees|cents|points|miles|shares|units`;
const STREET_NEXT = linear(
  /^\s[A-Z][a-z]{1,16}\s(?:street|st|avenue|ave|road|rd|drive|dr|lane|ln|boulevard|blvd|way|court|ct)\b/i,
);
const NEXT_WORD = linear(/^\s(\w{1,12})/);
const SENTENCE_END = linear(/[.!?\n]\s{0,2}(?=[A-Z][^.!?\n]{0,80}$)/g);
const TITLE = linear(/\b(?:Mr|Mrs|Ms|Dr|St|Rev|Jr|Sr|[A-Z])\.$/);

/** Returns the words before a number in its own sentence, "Mr. Reese" not ending one. */
function wordsBefore(text: string, start: number): string {
  const window = text.slice(Math.max(0, start - REACH), start);
  const ends = Array.from(window.matchAll(SENTENCE_END)).filter(
    ({ index }) => !TITLE.test(window.slice(0, index + 1)),
  );
  const last = ends.at(-1);
  return last ? window.slice(last.index + last[0].length) : window;
}

/** Returns whether what follows makes a number an amount or an address. */
function isNoNumber(after: string): boolean {
  return (
    AMOUNT_NEXT.test(after) ||
    STREET_NEXT.test(after) ||
    UNITS.test(NEXT_WORD.exec(after)?.[1]?.toLowerCase() ?? "")
  );
}

/** Without a label, ten digits are as likely a phone's, if they are grouped so or phones are spoken of. */
function mayBePhone({ digits, grouping }: Candidate, said: string): boolean {
  return isNationalNumber(digits) && (PHONE_GROUPING.test(grouping) || PHONES.test(said));
}

function isOwned({ run: { text }, digits, range: { start, end } }: Candidate): boolean {
  const before = wordsBefore(text, start);
  const after = text.slice(end, end + REACH);
  const hasOwner =
    isOwnerBefore(before) ||
    // A merchant and its phone number are written so as well.
    (isNameBefore(before) && !isNationalNumber(digits)) ||
    isOwnerAfter(after) ||
    (MONEY_TO.test(before) && isNameAfter(after));
  if (!hasOwner || isNoNumber(after)) return false;
  const isOther = NUMBERED.test(before) || OTHER_THING.test(before);
  return !isOther && !mentions(before, "otherwise") && !mentions(before, "phone");
}

/**
 * Finds account numbers that nothing but a person's name tells: "The maker is Joyce Antwerp, 20047718836".
 *
 * Phone numbers, and numbers that are called something else, are none.
 *
 * @param topic - What else was said: somewhere money must be spoken of.
 */
export function findOwnedAccounts(
  text: string,
  runs: readonly DigitRun[],
  topic: string,
): Identifier[] {
  const owned = listCandidates(runs).filter(
    (candidate) =>
      !isPartOfWord(text, candidate.range) &&
      isOwned(candidate) &&
      !mayBePhone(candidate, `${text}\n${topic}`) &&
      !isNamedOtherwise(candidate),
  );
  if (owned.length === 0 || !(MONEY.test(text) || MONEY.test(topic))) return [];
  return owned.map(({ range }) => toAccountNumber("owned", range));
}
