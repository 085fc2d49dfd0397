import { linearLater, type Tester } from "../text/pattern.ts";
import { oneOf } from "../text/word-patterns.ts";

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
function before(toWords: () => string): Tester {
  return linearLater(() => String.raw`(?<!${LETTER})(?:${toWords()})${NUMBER}$`);
}

const OWNER_BEFORE: readonly Tester[] = [
  // "Gwen Attwater, is at …", "Dale Reese's own: …".
  before(
    () => String.raw`${FULL_NAME}(?:'s?)?${OWN},?\s(?:is|was|runs|goes)(?:\s(?:at|on|under|to))?`,
  ),
  before(() => String.raw`${FULL_NAME}'s?${OWN}:?`),
  before(() => String.raw`${FULL_NAME},?\s(?:uses|has|keeps|holds|gets\s\w{2,5})(?:\s${PLACE})?`),
  // "Bo uses …", "Felicity's is …".
  before(
    () => String.raw`${NAME}\s(?:uses|keeps|holds|banks)(?:\s(?:here|with\sus|${PLACE})){0,2}`,
  ),
  before(() => String.raw`${NAME}'s${OWN}(?:[,:]|\sis)`),
  // "She banks here under …", "your sister's is …".
  before(
    () =>
      String.raw`(?:[Ss]he|[Hh]e|[Tt]hey|${SOMEBODY})\s(?:uses?|keeps?|holds?|banks?|has|have)` +
      String.raw`(?:\s(?:here|with\sus|${PLACE})){0,2}`,
  ),
  before(() => String.raw`${SOMEBODY}'s?${OWN}(?:[,:]|\sis)`),
  // "Gloria Funes sends it from …".
  before(() => String.raw`(?:${FULL_NAME}(?:'s?)?|${NAME}'s)(?:,?\s[a-z]{1,14}){0,5}\s${WHERE}`),
  // "Hers is …".
  before(
    () =>
      String.raw`(?:[Hh]is|[Hh]ers|[Tt]heirs|[Hh]er\sown|[Tt]heir\sown)${OWN}` +
      String.raw`(?::|\sis|\sis\sat|\sruns\sto)`,
  ),
];
const NAME_BEFORE = before(() => String.raw`${FULL_NAME}${OWN}(?:[,:]|\s[(\u2013-])`);
const OWNING = oneOf`
  belong(?:s|ing)\sto|held\s(?:by|for)|owned\sby|(?:standing\s)?in\sthe\sname\sof
  under\sthe\sname\sof|holder:?|owner:?
`;
const OWNER_AFTER = linearLater(
  () => String.raw`^,?\s(?:which\s)?(?:is\s)?${OWNING}\s(?:(?:Mr|Mrs|Ms|Dr)\.?\s)?${NAME}`,
);
const NAME_AFTER = linearLater(() => String.raw`^(?:,\s|\s\()(?:${FULL_NAME})`);

/** Returns whether words that end before a number say whose it is: "Bo uses …", "Dale Reese's own: …". */
export function isOwnerBefore(words: string): boolean {
  return OWNER_BEFORE.some((owner) => owner.test(words));
}

/** Returns whether a full name stands before a number, and no more: "Joyce Antwerp, …". */
export function isNameBefore(words: string): boolean {
  return NAME_BEFORE.test(words);
}

/** Returns whether words that follow a number say whose it is: "… in the name of Theresa Quill". */
export function isOwnerAfter(words: string): boolean {
  return OWNER_AFTER.test(words);
}

/** Returns whether a full name follows a number: "…, Gloria Funes". */
export function isNameAfter(words: string): boolean {
  return NAME_AFTER.test(words);
}
