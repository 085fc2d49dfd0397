import { type Tester, linear, linearLater } from "../text/pattern.ts";
import { anyWord, oneOf } from "../text/word-patterns.ts";
import {
  type Candidate,
  isNamedOtherwise,
  listCandidates,
  toAccountNumber,
} from "./account-numbers.ts";
import { type DigitRun, isPartOfWord } from "./digit-runs.ts";
import type { Identifier } from "./identifier.ts";
import { mentions } from "./labels.ts";
import { isNationalNumber } from "./contact-details.ts";

/** Words for a person beside the customer, as the source of a pattern. */
export const KIN: string = oneOf`
  wife|husband|spouse|partner|girlfriend|boyfriend|fianc[e\u00e9]e?|ex
  mother|mom|mum|father|dad|parents?|son|daughter|kid|child|children|brother|sister|sibling
  aunt|uncle|cousin|nephew|niece|in-laws?|grand(?:mother|father|ma|pa|parents?|son|daughter|child)
  friend|neighbou?r|room-?mate|flat-?mate|landlord|landlady|tenant|renter|nanny|sitter
  boss|manager|colleague|coworker|co-worker|employee|employer|classmate|team-?mate|coach|pastor
  contractor|plumber|doctor|lawyer|accountant|treasurer|guardian|donor|vendor|supplier
  payee|payer|sender|beneficiary|recipient|maker|drawer|depositor|originator|remitter
  buyer|seller|guarantor|co-?signer|co-?owner|other\s(?:customer|client|member|person|party)
`;

/** Months and days of the week, which are written like names. */
export const CALENDAR: string = oneOf`
  January|February|March|April|May|June|July|August|September|October|November|December
  Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday
`;

const NO_NAME = oneOf`
  I|You|Your|The|Our|My|This|That|These|It|Its|He|She|They|We|Here|There
  Please|Thanks?|Sorry|Hi|Hello|Dear|Yes|No|And|But|For|From|To|In|On|At|Of
  Bank|Savings|Checking|Accounts?|Card|Credit|Debit|Direct|Wire|Routing|Zelle|Branch|Online|Mobile
  Federal|National|First|United|Union|Trust|Street|Avenue|Plus|Rewards|Market|Business|Member|Customer
  ${CALENDAR}|Today|Tomorrow|Yesterday
  Total|Balance|Amount|Date|Note|Number|Order|Case|Ticket|Ref|Reference|Invoice|Pay|Bill|Form|Box
`;
const LETTER = String.raw`[\w\u00c0-\u024f'-]`;
// No name in capitals only: so are merchants written in transactions, often with their phone number.
const NAME =
  String.raw`(?!${NO_NAME}(?![\w\u00c0-\u024f]))` +
  String.raw`[A-Z\u00c0-\u00de](?:'[A-Z])?[a-z\u00df-\u024f]${LETTER}{0,20}`;
const FULL_NAME = String.raw`${NAME}(?:\s[A-Z]\.)?(?:\s(?:de|da|del|van|von|der|bin|el|al)){0,2}\s${NAME}`;
const SOMEBODY = String.raw`(?:[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[Tt]he|[Mm]y)\s(?:\w{2,12}\s)?${KIN}`;
const OWN = String.raw`(?:\sown|\sone)?`;
const NUMBER = String.raw`(?:\s?(?:no\.?|number|nr\.?|#))?[\s:]{0,2}`;
const PLACE = "(?:at|with|under|on|in)";
const WHERE = "(?:from|into|in|at|to|on|under|by|with|through|via|off|against)";

/** Makes a pattern of words that end right before a number. */
function beforeNumber(toWords: () => string): Tester {
  return linearLater(() => String.raw`(?<!${LETTER})(?:${toWords()})${NUMBER}$`);
}

/** Words that end before a number and say whose it is. */
const OWNER_BEFORE: readonly Tester[] = [
  // "Gwen Attwater, is at …", "Dale Reese's own: …".
  beforeNumber(
    () => String.raw`${FULL_NAME}(?:'s?)?${OWN},?\s(?:is|was|runs|goes)(?:\s(?:at|on|under|to))?`,
  ),
  beforeNumber(() => String.raw`${FULL_NAME}'s?${OWN}:?`),
  beforeNumber(
    () => String.raw`${FULL_NAME},?\s(?:uses|has|keeps|holds|gets\s\w{2,5})(?:\s${PLACE})?`,
  ),
  // "Bo uses …", "Felicity's is …".
  beforeNumber(
    () => String.raw`${NAME}\s(?:uses|keeps|holds|banks)(?:\s(?:here|with\sus|${PLACE})){0,2}`,
  ),
  beforeNumber(() => String.raw`${NAME}'s${OWN}(?:[,:]|\sis)`),
  // "She banks here under …", "your sister's is …".
  beforeNumber(
    () =>
      String.raw`(?:[Ss]he|[Hh]e|[Tt]hey|${SOMEBODY})\s(?:uses?|keeps?|holds?|banks?|has|have)` +
      String.raw`(?:\s(?:here|with\sus|${PLACE})){0,2}`,
  ),
  beforeNumber(() => String.raw`${SOMEBODY}'s?${OWN}(?:[,:]|\sis)`),
  // "Gloria Funes sends it from …".
  beforeNumber(
    () => String.raw`(?:${FULL_NAME}(?:'s?)?|${NAME}'s)(?:,?\s[a-z]{1,14}){0,5}\s${WHERE}`,
  ),
  // "Hers is …".
  beforeNumber(
    () =>
      String.raw`(?:[Hh]is|[Hh]ers|[Tt]heirs|[Hh]er\sown|[Tt]heir\sown)${OWN}` +
      String.raw`(?::|\sis|\sis\sat|\sruns\sto)`,
  ),
];
/** A full name that stands before a number, and no more: "Joyce Antwerp, …". */
const NAME_BEFORE = beforeNumber(() => String.raw`${FULL_NAME}${OWN}(?:[,:]|\s[(\u2013-])`);
const OWNING = oneOf`
  belong(?:s|ing)\sto|held\s(?:by|for)|owned\sby|(?:standing\s)?in\sthe\sname\sof
  under\sthe\sname\sof|holder:?|owner:?
`;
/** Words that follow a number and say whose it is: "… in the name of Theresa Quill". */
const OWNER_AFTER = linearLater(
  () => String.raw`^,?\s(?:which\s)?(?:is\s)?${OWNING}\s(?:(?:Mr|Mrs|Ms|Dr)\.?\s)?${NAME}`,
);
/** A full name that follows a number: "…, Gloria Funes". */
export const NAME_AFTER: Tester = linearLater(() => String.raw`^(?:,\s|\s\()(?:${FULL_NAME})`);

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
    OWNER_BEFORE.some((owner) => owner.test(before)) ||
    // A merchant and its phone number are written so as well.
    (NAME_BEFORE.test(before) && !isNationalNumber(digits)) ||
    OWNER_AFTER.test(after) ||
    (MONEY_TO.test(before) && NAME_AFTER.test(after));
  if (!hasOwner || isNoNumber(after)) return false;
  const isOther = NUMBERED.test(before) || OTHER_THING.test(before);
  return !isOther && !mentions(before, "otherwise") && !mentions(before, "phone");
}

/**
 * Finds account numbers that nothing but a person's name shows: "The maker is Joyce Antwerp, 20047718836".
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
