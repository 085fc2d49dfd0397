import type { InteractionContext, ToolUsageInfo } from "../../events/compliance.ts";
import { ownMembers } from "../../util/own-members.ts";
import { defineBuiltInRule, type Finding } from "../define-rule.ts";
import { askedPersonConcepts, thirdPartyConcepts } from "../lexicon/privacy-sharing.ts";
import { findForeignNames, foreignNamePhrases } from "../text/foreign-names.ts";
import { createFinder } from "../phrases/finder.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";
import { readExchange, type Exchange } from "../text/exchange.ts";
import { toolWords } from "../tools/tool-words.ts";

const MAX_MEMBERS = 64;
const TOOL_CONFIDENCE = 0.85;
const NAME_CONFIDENCE = 0.75;
const ANSWER_CONFIDENCE = 0.7;

/** The user asks about somebody's money. */
function personAsked(): PhraseGroup {
  return {
    in: "userMessage",
    match: [
      "{anyone} ..8 {wealth}",
      "{funds} ..6 {anyone}",
      "(previous|last|other|another) (customer|client|caller|member)",
      "{ahead}",
      "(i am|it is|this is) (his|her|their) ..2 {person}",
      "(calling|asking|writing|acting|inquiring) ..3 (for|about|on behalf of) ..3 {anyone}",
    ],
    unless: [
      "(wire|send|transfer|zelle|venmo|move|sending|wiring) ..8 to ..4 {anyone}",
      "^ (pay|send|wire|transfer|zelle) ..3 {anyone}",
      "(cost|how do i|how can i|can i|want to|like to|need to) ..6 (wire|send|transfer|add|pay|give|gift|open)",
      "(i|me) ..2 (and|or) ..2 {anyone}",
      "{anyone} and (i|me)",
      // The user's own doing.
      "my (card|check|account|rent|autopay|money|deposit|direct deposit|number|rent autopay)",
      "(charge|pays|paid|owes|refund|refunded) (me|us)",
      "(stop payment|direct deposit|dd|payroll) ..4 (on|did not|not|late)",
      "(way|ways|safe|best|safer) ..1 to (pay|send|give|transfer)",
      "(charge|fee~) ..3 using",
      "(how|can|could|should|do|may) ..1 (i|we) ..6 (add|remove|open|close|gift|buy|sell|rent|lend|pay|transfer|send|give|name|take|get|set up|stop|dispute)",
      "(i|we) ..2 (paid|sent|bought|sold|transferred|wired|lent|want to (buy|pull|take|pay|sell|send|add))",
    ],
    ignore: ["question", "negation", "refusal", "definition", "condemnation", "others"],
  };
}

function authorisation(): PhraseGroup {
  return {
    match: ["{authorised}"],
    unless: ["{unauthorised}"],
    ignore: ["question", "others", "definition"],
  };
}

function authorisationByUser(): PhraseGroup {
  return { ...authorisation(), in: "userMessage" };
}

function factTold(): PhraseGroup {
  return {
    match: [
      "{them} ..10 {fact}",
      "{subject} ..6 {fact}",
      "(here is|here are|sure|see|looks like|from what|looking at|pulled up|according to) ..8 (his|her|their|{person} 's) ..5 {asset}",
      "(his|her|their|{person} 's) ..3 {asset} ..6 {state}",
      "(he|she|they) ..1 {has} ..3 (#money|loan~|overdraft|debt|bankruptcy|in collections|in savings|in checking)",
      "(he|she|they) ..3 (banks|bank|applied|defaulted|bounced|overdrew|refinanced|owes|earns|gambles|spends|withdrew|deposited|deposits|missed|skips|skipped|moved|paid|pays|transfers|transferred|cashed|maxed|shops)",
    ],
    unless: [
      "{mine}",
      "{toYou}",
      "^ (if|once|when|unless|suppose)",
      "(he|she|they) (can|may|should|must|needs to|need to|will need|will have to|visits|brings)",
      "(would|could|public|published|press|ask (him|her|them)|welcome to|should (call|contact))",
    ],
    ignore: ["condemnation", "others"],
  };
}

const asksAboutPerson = createFinder(
  "third-party/asks-about-person",
  personAsked,
  askedPersonConcepts,
);
const tellsFact = createFinder("third-party/tells-fact", factTold, askedPersonConcepts);
const isAuthorised = [
  createFinder("third-party/authorisation-by-user", authorisationByUser, askedPersonConcepts),
  createFinder("third-party/authorisation", authorisation, askedPersonConcepts),
];

/** Finds what the agent tells about somebody whose money the user asked about. */
function* findAnswer(exchange: Exchange): Iterable<Finding> {
  if (!exchange.userMessage || asksAboutPerson(exchange).length === 0) return;
  const [fact] = tellsFact(exchange);
  if (!fact || isAuthorised.some((find) => find(exchange).length > 0)) return;
  yield { pattern: "asked-person", confidence: ANSWER_CONFIDENCE, ...fact };
}

const READING = new Set(
  "get fetch read lookup look find search query load list show view retrieve check pull".split(" "),
);
const RECORDS = new Set(
  "account accounts balance balances transaction transactions profile statement statements loan loans card cards customer history details payment payments credit record records info data".split(
    " ",
  ),
);
const CUSTOMER_KEYS = new Set("customerid custid clientid memberid cif cifnumber".split(" "));

function readCustomerIds(parameters: unknown): string[] {
  if (typeof parameters !== "object" || parameters === null) return [];
  return [...ownMembers(parameters, MAX_MEMBERS)].flatMap(([key, value]) =>
    CUSTOMER_KEYS.has(toolWords(key).join("")) &&
    (typeof value === "string" || typeof value === "number")
      ? [String(value).trim()]
      : [],
  );
}

/** Tells whether a tool read the records of another customer than the session's. */
function readsAnother({ name, parameters, success }: ToolUsageInfo, customerId: string): boolean {
  const words = toolWords(name);
  return (
    success &&
    words.some((word) => READING.has(word)) &&
    words.some((word) => RECORDS.has(word)) &&
    readCustomerIds(parameters).some((id) => id !== "" && id !== customerId)
  );
}

/**
 * Flags an agent who gives the balance, payments or loans of somebody other than the session's customer.
 *
 * Joint accounts, powers of attorney and payments between the two pass.
 *
 * @see 15 U.S.C. §§ 6802, 6821; 12 CFR part 1016 (Regulation P)
 */
export const privacyThirdParty = defineBuiltInRule({
  id: "privacy-third-party",
  name: "Disclosure to a third party",
  description: "Account data of somebody other than the session's customer.",
  explanation: "The agent gives account data of another person.",
  category: "privacy",
  severity: "violation",
  law: {
    citation: "15 U.S.C. §§ 6802, 6821; 12 CFR part 1016 (Regulation P)",
    asOf: "2026-11-21",
    status: "in force",
  },
  recommendation: "Discuss only accounts that the authenticated customer owns or is authorised on.",
  impact: { customer: "high", business: "high" },
  concepts: thirdPartyConcepts,
  phrases: {
    "their-account"(): PhraseGroup {
      return {
        match: [
          "{owner} 's ..4 {asset} ..8 (is|was|are|were|shows|has|had|stands|sits|comes|came|totals|hit|went|at|of|reads|got|dropped|ended|holds|bounced) ..4 {state}",
          "{owner} 's ..4 {asset} ..2 (#money|#number)",
          "{owner} ..3 {has} ..8 {matter}",
          "{other} ..6 {has} ..8 {matter}",
          "{owner} ..8 (he|she|they) (is|are|has|have|owes|owe|was|makes|earns) ..4 #money",
          "#money ..6 (in|into|on|onto|under|to|from) ..2 {owner} 's ..2 {asset}",
          "{owner} (is|was|has been) ..3 (overdrawn|overdue|past due|delinquent|behind|in collections|in default|in arrears|maxed|over the limit|broke|late|carrying|sitting)",
          "{asset} (of|for|belonging to|under|held by) {owner} ..4 (is|was|shows|has|stands|comes|totals|holds) ..4 {state}",
          "(i|we) ..3 (see|show|have|pulled|looked|found|checked|opened) ..3 {owner} ..6 {asset} ..8 {state}",
          "(i|we) ..3 (see|show|have) ..3 {owner} ..3 {has} ..8 {matter}",
          "(according|looks like|seems|turns out|fyi|heads up|records show|between us) ..6 {owner} ..3 {has} ..8 {matter}",
        ],
        unless: ["{authorised}", "{toYou}", "#percent ..4 (of|for)"],
        unlessAnywhere: ["{authorised}"],
        guards: ["condition"],
      };
    },
    "their-details"(): PhraseGroup {
      return {
        match: [
          "{owner} 's ..3 (phone number|cell number|home address|new address|mailing address|email address|date of birth|birthday|account number|employer|social) ..2 (is|was|shows) ..2 (#number|at)",
          "here (is|are) ..4 {owner} 's ..4 (balance~|statement~|transactions|account~|loan details|payment history|credit report|credit score|address|account number|card number|details|pay stubs|spending)",
          "(i|we) (can|could|will|have) ..2 (see|show|tell|send|email|pull|read|share|give|forward|look) ..4 {owner} 's ..4 (balance~|statement~|transactions|account~|loan details|payment history|credit report|credit score|spending|purchases|deposits)",
          "(listed|shown|pulled up|attached|sent you|emailed you) ..6 {owner} 's ..4 (balance~|statement~|transactions|loan details|payment history|credit report|credit score|spending|purchases|deposits|activity)",
        ],
        unless: ["{authorised}", "{toYou}", "(once|if|after|only|with|ask|asks)"],
        unlessAnywhere: ["{authorised}"],
        guards: ["condition"],
      };
    },
    "where-they-live"(): PhraseGroup {
      return {
        within: 2,
        match: [
          "(his|her|{owner} 's) ..2 {contact} ..5 is ..1 (#number|at)",
          "(his|her|{owner} 's) ..2 {contact} ..1 (on file|on record|in our (records|files|system)|we have) ..1 is",
          "(his|her|their) ..2 {contact} ..5 is & (is|was) ..2 (our|customer of|one of our) ..1 (customer|customers|client|clients|member|members|ours)",
          "(records|record|file|files|system|we|i) ..1 (list|lists|show|shows|have|see) ..8 as (his|her|{owner} 's) ..2 {contact}",
          "(he|she) lives ..2 (at|in|on) & ({known}|phone number|balance|address)",
          "(his|her|their) ..2 {contact} ..4 (on file|in our records|we have|in the system) ..1 is",
        ],
        unless: ["{authorised}", "{toYou}", "(once|if|after|only|ask|asks)"],
        unlessAnywhere: ["{authorised}"],
        guards: ["condition"],
      };
    },
    "asked-for"(): PhraseGroup {
      return {
        match: [
          "(he|she|they) ..2 {has} ..6 (#money|loan~|overdraft|balance|credit card~|payment~|in savings|in checking)",
          "(his|her|their) ..4 {asset} ..6 (is|was|are|were|shows|has|stands|sits|comes|totals|at|of) ..4 {state}",
          "#money ..5 (in|into|on|onto|under|to|from|out of) ..2 (his|her|their) ..3 {asset}",
          "(he|she|they) (is|are|was|were) ..3 (overdrawn|overdue|past due|delinquent|behind|in collections|in default|in arrears|maxed|over the limit|broke|late|carrying)",
        ],
        user: [
          "{owner} 's? ..8 ({asset}|owe~|earn~|make~|pay~|spend~|have|has|paid|broke|behind|get|got|worth|money|afford|house|rich|poor|cash|inherit~|win|wins|won|lost|bought|sold|solvent|gambl*|jobs|credit|owns)",
          "({asset}|owe~|earn~|spend~) ..6 {owner}",
          "(he|she|they) ..2 (owe~|earn~|has|have|make~|spend~|got)",
          "{ahead}",
        ],
        unless: ["{authorised}", "{toYou}", "your ..3 {asset}"],
        unlessAnywhere: ["{authorised}", "your {asset}"],
        guards: ["condition"],
        confidence: 0.75,
      };
    },
  },
  patterns: ["asked-person", "named-person", "another-customer"],
  finders: [asksAboutPerson, tellsFact, ...isAuthorised, foreignNamePhrases],
  *check(context: InteractionContext): Iterable<Finding> {
    const { customerProfile, toolsUsed = [] } = context;
    const exchange = readExchange(context);
    yield* findAnswer(exchange);
    for (const range of findForeignNames(exchange)) {
      yield {
        pattern: "named-person",
        confidence: NAME_CONFIDENCE,
        ...(exchange.agentResponse && { text: exchange.agentResponse }),
        range,
      };
    }
    const customerId = customerProfile?.customerId;
    if (customerId === undefined || customerId === "") return;
    for (const [index, tool] of toolsUsed.entries()) {
      if (!readsAnother(tool, customerId)) continue;
      yield {
        pattern: "another-customer",
        description: "A tool read the records of another customer than the session's.",
        confidence: TOOL_CONFIDENCE,
        evidence: `toolsUsed[${index}] (${tool.name}) reads another customer's records`,
      };
    }
  },
});
