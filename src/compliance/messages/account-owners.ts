import { linear, type Range } from "../../text/pattern.ts";

/** How far from an account number its owner is looked for, in UTF-16 units. */
const REACH = 100;

const KIN = String.raw`(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[e\u00e9]e?|ex|mother|mom|mum|father|dad|parents?|son|daughter|kid|child|children|brother|sister|sibling|aunt|uncle|cousin|nephew|niece|grand(?:mother|father|ma|pa|parents?|son|daughter|child)|in-laws?|friend|neighbou?r|room-?mate|flat-?mate|landlord|landlady|tenant|boss|manager|colleague|coworker|co-worker|employee|employer|nanny|sitter|contractor|plumber|doctor|lawyer|accountant|treasurer|payee|sender|beneficiary|recipient|other\s(?:customer|client|member|person|party))`;
const ACCOUNT = String.raw`(?:(?:bank|checking|savings|current|deposit|personal|joint|business|payroll)\s){0,2}(?:account|acct|a\/c|details|number|numbers|checking|savings|bank\s(?:details|info))`;

// "Tom's account", but not "the bank's" or "it's".
const POSSESSIVE = linear(
  /(?<![\w\u00c0-\u024f])(?!(?:it|that|what|here|there|who|where|how|let|he|she|today|tomorrow|yesterday|one|banks?|customer|client|member|user|company|business|branch|institution|union|app|everyone|anybody|anyone|this)'s)([a-z\u00c0-\u024f]{2,24})(?:'s|s')\s/gi,
);
const ACCOUNT_NEXT = linear(new RegExp(String.raw`^(?:\w{1,16}\s){0,2}?${ACCOUNT}\b`, "i"));
const OF_KIN = linear(
  new RegExp(String.raw`\b(?:your|his|her|their|the|my|our)\s${KIN}(?:'s|s'|\b)`, "i"),
);
const THEIR_ACCOUNT = linear(new RegExp(String.raw`\b(?:his|her|their)\s${ACCOUNT}\b`, "i"));
const OWNED_BY = linear(
  /\b(?:of|belong(?:s|ing)\sto|held\sby|owned\sby|in\sthe\sname\sof|registered\sto|under|name:?|holder:?|payee:?|beneficiary:?|treasurer:?|from|to|by|was)\s(?!(?:Our|The|Your|My|This|That|Main|First|Bank|Savings|Checking|Account|Direct|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|Routing|ABA|RTN)\b)[A-Z][a-z\u00c0-\u024f]{1,20}(?:\s[A-Z][a-z\u00c0-\u024f.]{0,20})?/,
);
const PAY_NAME = linear(
  /\b[Pp]ay\s(?!(?:Bill|Bills|Pal|The|Your|It|Them|Now|By|To|For|Off|Us|Me|With|In|From)\b)[A-Z][a-z\u00c0-\u024f]{1,20}\b/,
);
// "Hal Nguyen. Acct no.", "Rosa Diaz, account".
const NAME_BEFORE = linear(
  /(?:^|[\s:(|])(?!(?:Your|The|Our|Bank|Savings|Checking|Account|Routing|Direct|Wire|Please|Here|First|National|Federal|Credit|Thank|Thanks|Sure|Dear|Hi|Hello)\s)[A-Z][a-z\u00c0-\u024f]{1,20}\s(?!(?:Bank|Union|Trust|Savings|Account|Checking|Number|Routing|Deposit|Wire|Transfer|Credit|Federal)\b)[A-Z][a-z\u00c0-\u024f]{1,20}\s{0,1}[:,.;|(-]\s{0,2}[^A-Z]{0,12}\b(?:account|acct|a\/c|Account|Acct|ACCT|A\/C)\b/,
);
// "Lena Okafor, who keeps savings": whose account it is follows the name.
const NAME_WHO = linear(
  /\b[A-Z][a-z\u00c0-\u024f]{1,20}\s[A-Z][a-z\u00c0-\u024f]{1,20},?\s(?:who\s(?:has|holds|keeps|owns|uses|banks)|has|holds|keeps|owns|uses)\s[^.?!\n]{0,60}$/,
);
const OWN_BEFORE = linear(
  /\b(?:our|the\sbank's|the\scredit\sunion's)\s(?:\w{1,16}\s){0,3}(?:account|acct)\b/i,
);
/** Asked by the user, each means somebody else: "my wife's", "where does Tom bank", "the account of Tom". */
const ABOUT_OTHER = [
  linear(new RegExp(String.raw`\b(?:my|our|his|her|their|the)\s${KIN}(?:'s|s')`, "i")),
  linear(/\b(?:does|where\sdo|did)\s[A-Z][a-z]{1,16}\s(?:\w{1,12}\s)?bank\b/i),
  linear(
    new RegExp(
      String.raw`\b(?:account|acct|details)\s(?:of|for)\s(?:my\s${KIN}|[A-Z][a-z]{1,20})\b`,
      "i",
    ),
  ),
];
const INTRODUCTION = linear(
  /\b(?:I'm|I\sam|my\sname\sis|this\sis|name's)\s([A-Za-z\u00c0-\u024f]{2,20})/i,
);

function around(text: string, { start, end }: Range): { before: string; all: string } {
  const before = text.slice(Math.max(0, start - REACH), start);
  return { before, all: before + text.slice(end, end + REACH) };
}

/** Tells whether an account is named as the bank's own, whose number is for everybody. */
export function isBanksOwn(text: string, range: Range): boolean {
  return OWN_BEFORE.test(around(text, range).before);
}

/** Gives the first name in a text whose account is spoken of. */
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

/** Reads whose accounts the user speaks of. */
export function readAccountTalk(userMessage = ""): AccountTalk {
  return {
    customer: INTRODUCTION.exec(userMessage)?.[1]?.toLowerCase(),
    isAboutOther: ABOUT_OTHER.some((words) => words.test(userMessage)),
  };
}

/** Tells whether an account number is said to be that of somebody other than the customer. */
export function isThirdParty(text: string, range: Range, talk: AccountTalk): boolean {
  const { before, all } = around(text, range);
  const owner = findOwner(all);
  if (owner !== undefined && owner === talk.customer) return false;
  const isNamed =
    owner !== undefined || [THEIR_ACCOUNT, OF_KIN, OWNED_BY].some((words) => words.test(all));
  return (
    isNamed ||
    PAY_NAME.test(before) ||
    NAME_BEFORE.test(before) ||
    NAME_WHO.test(before) ||
    talk.isAboutOther
  );
}
