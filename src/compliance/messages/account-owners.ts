import { CALENDAR, KIN, NAME_AFTER } from "../../identifiers/owned-accounts.ts";
import { linear, linearLater, type Range } from "../../text/pattern.ts";
import { oneOf } from "../../text/word-patterns.ts";

/** How far from an account number its owner is looked for, in UTF-16 units. */
const REACH = 100;

const ACCOUNT =
  String.raw`(?:(?:bank|checking|savings|current|deposit|personal|joint|business|payroll)\s){0,2}` +
  String.raw`(?:account|acct|a/c|details|numbers?|checking|savings|bank\s(?:details|info))`;
const LETTER = String.raw`[a-z\u00c0-\u024f]`;
const NAME = `[A-Z]${LETTER}{1,20}`;

// "Tom's account", but not "the bank's" or "it's".
const NO_OWNER = oneOf`
  it|that|this|what|who|where|how|here|there|let|he|she|today|tomorrow|yesterday
  one|everyone|anybody|anyone|customer|client|member|user
  banks?|company|business|branch|institution|union|app
`;
const POSSESSIVE = linear(
  new RegExp(String.raw`(?<![\w\u00c0-\u024f])(?!${NO_OWNER}'s)(${LETTER}{2,24})(?:'s|s')\s`, "gi"),
);
const ACCOUNT_NEXT = linearLater(() => String.raw`^(?:\w{1,16}\s){0,2}?${ACCOUNT}\b`, "i");
const OF_KIN = linearLater(
  () => String.raw`\b(?:your|his|her|their|the|my|our)\s${KIN}(?:'s|s'|\b)`,
  "i",
);
const THEIR_ACCOUNT = linearLater(() => String.raw`\b(?:his|her|their)\s${ACCOUNT}\b`, "i");
const OWNING = oneOf`
  of|belong(?:s|ing)\sto|held\sby|owned\sby|in\sthe\sname\sof|registered\sto|under
  name:?|holder:?|payee:?|beneficiary:?|treasurer:?|from|to|by|was
`;
const NO_OWNER_NAME = oneOf`
  Our|The|Your|My|This|That|Main|First|Bank|Savings|Checking|Account|Direct|Routing|ABA|RTN
  ${CALENDAR}
`;
const OWNED_BY = linearLater(
  () => String.raw`\b${OWNING}\s(?!${NO_OWNER_NAME}\b)${NAME}(?:\s[A-Z][a-z\u00c0-\u024f.]{0,20})?`,
);
const NO_PAYEE = "(?:Bill|Bills|Pal|The|Your|It|Them|Now|By|To|For|Off|Us|Me|With|In|From)";
const PAY_NAME = linearLater(() => String.raw`\b[Pp]ay\s(?!${NO_PAYEE}\b)${NAME}\b`);
// "Hal Nguyen. Acct no.", "Rosa Diaz, account".
const NO_FIRST_NAME = oneOf`
  Your|The|Our|Please|Here|Thank|Thanks|Sure|Dear|Hi|Hello
  Bank|Savings|Checking|Account|Routing|Direct|Wire|First|National|Federal|Credit
`;
const NO_LAST_NAME = oneOf`
  Bank|Union|Trust|Savings|Account|Checking|Number|Routing|Deposit|Wire|Transfer|Credit|Federal
`;
const NAME_BEFORE = linearLater(
  () =>
    String.raw`(?:^|[\s:(|])(?!${NO_FIRST_NAME}\s)${NAME}\s(?!${NO_LAST_NAME}\b)${NAME}` +
    String.raw`\s{0,1}[:,.;|(-]\s{0,2}[^A-Z]{0,12}\b(?:account|acct|a/c|Account|Acct|ACCT|A/C)\b`,
);
// "Lena Okafor, who keeps savings": whose account it is follows the name.
const NAME_WHO = linearLater(
  () =>
    String.raw`\b${NAME}\s${NAME},?\s(?:who\s(?:has|holds|keeps|owns|uses|banks)|has|holds|keeps|owns|uses)\s[^.?!\n]{0,60}$`,
);
// "account 5571103948 for Gloria Funes".
const NAMING = oneOf`
  for|titled(?:\sto)?|opened\sby|signer:?|owner:?|client:?|payer:?|originator:?|depositor:?
`;
const OWNER_NAMED = linearLater(
  () =>
    String.raw`\b${NAMING}\s(?!${NO_OWNER_NAME}\b)${NAME}\s(?!(?:${NO_LAST_NAME}|Plus|Card)\b)${NAME}\b`,
);
const OWN_BEFORE = linear(
  /\b(?:our|the\sbank's|the\scredit\sunion's)\s(?:\w{1,16}\s){0,3}(?:account|acct)\b/i,
);
/** Asked by the user, each means somebody else: "my wife's", "where does Tom bank", "the account of Tom". */
const ABOUT_OTHER = [
  linearLater(() => String.raw`\b(?:my|our|his|her|their|the)\s${KIN}(?:'s|s')`, "i"),
  linear(/\b(?:does|where\sdo|did)\s[A-Z][a-z]{1,16}\s(?:\w{1,12}\s)?bank\b/i),
  linear(/\bwho(?:ever)?\s(?:sent|paid|wired|deposited|transferred)\b/i),
  linearLater(
    () => String.raw`\b(?:account|acct|details)\s(?:of|for)\s(?:my\s${KIN}|[A-Z][a-z]{1,20})\b`,
    "i",
  ),
];
/** Longest message that says no more than to go on, in UTF-16 units. */
const MAX_ASSENT = 60;
const OWN = linear(/\b(?:my|mine|our|ours|own|me)\b/i);
const INTRODUCTION = linear(
  /\b(?:I'm|I\sam|my\sname\sis|this\sis|name's)\s([A-Za-z\u00c0-\u024f]{2,20})/i,
);

function around(text: string, { start, end }: Range): { before: string; all: string } {
  const before = text.slice(Math.max(0, start - REACH), start);
  return { before, all: before + text.slice(end, end + REACH) };
}

/** Returns whether an account is named as the bank's own, whose number is for everybody. */
export function isBanksOwn(text: string, range: Range): boolean {
  return OWN_BEFORE.test(around(text, range).before);
}

/** Returns the first name in a text whose account is spoken of. */
function findOwner(text: string): string | undefined {
  for (const match of text.matchAll(POSSESSIVE))
    if (ACCOUNT_NEXT.test(text.slice(match.index + match[0].length)))
      return match[1]?.toLowerCase();
  return undefined;
}

/** What a user's message says about whose accounts are spoken of. */
export interface AccountTalk {
  /** The name that the user gives as the own. */
  readonly customer: string | undefined;
  readonly isAboutOther: boolean;
}

const isAboutOther = (message: string): boolean => ABOUT_OTHER.some((words) => words.test(message));

/**
 * Reads whose accounts the user speaks of.
 *
 * @param before - The message before: "yes, the whole number" goes on with what it asked.
 */
export function readAccountTalk(userMessage = "", before = ""): AccountTalk {
  const goesOn = userMessage.length <= MAX_ASSENT && !OWN.test(userMessage);
  return {
    customer: INTRODUCTION.exec(userMessage)?.[1]?.toLowerCase(),
    isAboutOther: isAboutOther(userMessage) || (goesOn && isAboutOther(before)),
  };
}

/**
 * Returns whether an account number is said to be that of somebody other than the customer.
 *
 * @param isOwned - Whether somebody's name shows that it is an account number.
 */
export function isThirdParty(
  text: string,
  range: Range,
  talk: AccountTalk,
  isOwned = false,
): boolean {
  const { before, all } = around(text, range);
  if (isOwned) return talk.customer === undefined || !all.toLowerCase().includes(talk.customer);
  const owner = findOwner(all);
  if (owner !== undefined && owner === talk.customer) return false;
  const isNamed =
    owner !== undefined ||
    [THEIR_ACCOUNT, OF_KIN, OWNED_BY, OWNER_NAMED].some((words) => words.test(all));
  return (
    isNamed ||
    PAY_NAME.test(before) ||
    NAME_BEFORE.test(before) ||
    NAME_AFTER.test(text.slice(range.end, range.end + REACH)) ||
    NAME_WHO.test(before) ||
    talk.isAboutOther
  );
}
