import type { InteractionContext } from "../../events/compliance.ts";
import { defineRule, type Finding } from "../define-rule.ts";
import { readExchange, type Sentence, type SourceText } from "../text/exchange.ts";
import { condemns, isDefinition, isLawQuotedToStaff, isNegated, isQuoted, isRefusal } from "../text/guards.ts";
import { findFirst, linear, type Range } from "../text/pattern.ts";

const SAME_SENTENCE_CONFIDENCE = 0.8;
const NEXT_SENTENCE_CONFIDENCE = 0.65;

// Words without which no pattern below can match: most answers end here.
const REPORTING_CUE = linear(
  /report|\bctrs?\b|\bforms?\b|paperwork|filing|\bfil(?:e|es|ed)\b|flag|radar|notif|\birs\b|\bfeds?\b|government|fincen|treasury|regulator|authorit|threshold|alert|alarm|red\sflags|eyebrow|notice|questions|\b10[,.]?000\b|\b10\s?k\b|\bten\s(?:thousand|grand)\b/i,
);

/** Ways to say that the report is escaped. */
const EVASIONS: readonly RegExp[] = [
  // "avoid the report", "stay below the reporting threshold", "slip past the IRS"
  linear(
    /\b(?:avoid|evad|dodg|skip|bypass|sidestep|side-step|duck|escap|elud|circumvent|get(?:s|ting)?\s(?:around|past)|work(?:s|ing)?\saround|slip(?:s|ping)?\s(?:past|by|under)|fl(?:y|ies|ying)\sunder|stay(?:s|ing)?\s(?:off|clear)|(?:stay|keep|remain|go|come|fall|be)(?:s|ing)?\s(?:\w{1,12}\s){0,3}(?:under|below|beneath)|under|below|beneath)\w{0,4}\b[^.?!;:\n]{0,40}\b(?:report\w{0,8}|ctrs?|currency\stransaction|(?:the|that|any)\s(?:\w{1,12}\s)?(?:form|paperwork|filing)|radar|irs|feds?|government|fincen|treasury|regulators?|authorities|red\sflags)\b/i,
  ),
  // "so no report is filed", "nobody tells the government", "without a CTR", "it doesn't get flagged"
  linear(
    /(?:n't|\b(?:not|no|never|nobody|none|nothing|without|neither|nor))\b[^.?!;:\n]{0,40}\b(?:report(?:s|ed|ing|able)?|ctrs?|currency\stransaction|(?:the|that|a|any|no)\s(?:\w{1,12}\s)?(?:form|filing)|fil(?:e|es|ed)\s(?:a|any|the|that|it)|flag(?:s|ged|ging)?|notif(?:y|ies|ied)|irs|feds|government|fincen|treasury|regulators?|authorities|alerts?|alarms?|eyebrows|red\sflags)\b/i,
  ),
  // "no form", "no paperwork" as the purpose
  linear(
    /\b(?:so|then|that\sway|meaning|which\smeans|and)\b[^.?!;:\n]{0,25}\bno\s(?:\w{1,12}\s)?(?:form|paperwork|filing|questions)\b/i,
  ),
  // "keeps the form out of it", "leaves the IRS in the dark"
  linear(
    /\b(?:keep|leav)(?:s|ing|e|es)?\b[^.?!;:\n]{0,20}\b(?:report|reporting|ctr|form|paperwork|irs|feds?|government|regulators?|treasury|authorities|uncle\ssam|washington)\b[^.?!;:\n]{0,15}\b(?:out|away|off|in\sthe\sdark|uninvolved)\b/i,
  ),
  // "keeps it off the report", "goes unreported", "under the radar"
  linear(
    /\b(?:unreported|unnoticed|(?:under|below|off)\s(?:the|their|our|anyone's)\sradar|off\s(?:the|any)\s(?:report|books|form|record))\b/i,
  ),
  // "stay under ten thousand", the amount standing for the report
  linear(
    /\b(?:under|below|beneath|less\sthan|short\sof|shy\sof|smaller\sthan|lower\sthan|not\s(?:over|above|exceed))\b\s(?:\w{1,12}\s){0,2}(?:\$\s?)?(?:10[,.]?000|10\s?k\b|ten\s(?:thousand|grand)|(?:reporting|ctr|federal|government)\s(?:limit|threshold|line|trigger|mark|amount))[^.?!\n]{0,80}\b(?:report\w{0,8}|ctr|form|paperwork|trigger\w{0,3}|flag\w{0,4}|notice[ds]?|fil(?:e|ed|ing)|irs|fine|okay|safe)\b/i,
  ),
];

const NUMBER_WORD = String.raw`(?:two|three|four|five|six|seven|eight|nine|ten|several|multiple|a\sfew|a\scouple\sof|different|separate|smaller|various|[2-9])`;
const LATER = String.raw`(?:tomorrow|later|next|after|another|different|(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend|following)`;
const RELATIVE = String.raw`(?:wife|husband|spouse|partner|son|daughter|kids?|children|brother|sister|mother|father|mom|dad|cousin|uncle|aunt|friends?|relatives?|family|roommate|neighbou?r|employees?|someone\selse|somebody\selse|co-?workers?)`;

/** Ways to split money, by the pattern's name; the first that matches names the finding. */
const SPLITS: readonly (readonly [pattern: string, regex: RegExp])[] = [
  [
    "split-by-person",
    linear(
      new RegExp(
        String.raw`\b(?:have|ask|let|get|send|through|use|give)\s(?:\w{1,12}\s){0,3}${RELATIVE}\b|\b(?:your|a|the)\s${RELATIVE}\s(?:\w{1,12}\s)?(?:bring|deposit|take|pay|make|carry|drop)`,
        "i",
      ),
    ),
  ],
  [
    "split-by-place",
    linear(
      new RegExp(
        String.raw`\b(?:${NUMBER_WORD}|other|another|each|both|every)\s(?:\w{1,12}\s)?(?:branch(?:es)?|locations?|tellers?|atms?|banks?|accounts?|counters?|machines?|drive-throughs?)\b`,
        "i",
      ),
    ),
  ],
  [
    "split-by-time",
    linear(
      new RegExp(
        String.raw`\b(?:half|part|some|portion|third|bit|rest|remainder|remaining|balance|leftover|other|others|again)\b[^.?!\n]{0,60}\b${LATER}\b|\b${NUMBER_WORD}\s(?:\w{1,12}\s)?(?:days?|weeks?|dates|mornings|afternoons|occasions)\b|\b(?:every|each|per|a|consecutive|alternate)\s(?:\w{1,12}\s)?(?:day|week|time|visit|trip|deposit|occasion)\b|\b(?:at\sa\stime|stagger\w{0,3}|spac(?:e|ing)\s(?:\w{1,12}\s){0,3}out|over\sthe\s(?:week|month|next))\b`,
        "i",
      ),
    ),
  ],
  [
    "split-in-parts",
    linear(
      new RegExp(
        String.raw`\b(?:split|break|divid|spread|separat|chop|carv|slic|portion)\w{0,4}\b[^.?!\n]{0,60}\b(?:into|over|across|between|among|up|apart|in\stwo|in\shalf)\b|\b${NUMBER_WORD}\s(?:\w{1,12}\s){0,2}(?:deposits?|amounts?|transactions?|chunks?|pieces?|parts?|portions?|batches|bundles|installments?|withdrawals?|lots|ones)\b|\bin\s(?:pieces|parts|chunks|batches|stages|thirds|halves|portions)\b|\b(?:split|break)\s(?:it|them|that|this|the|your)\b`,
        "i",
      ),
    ),
  ],
  [
    "below-threshold",
    linear(
      /\b(?:keep|stay|remain|stick|hold|bring|deposit|make|go|withdraw|take|limit|come|aim)\w{0,3}\b[^.?!\n]{0,40}\b(?:under|below|beneath|less\sthan|short\sof|shy\sof|smaller\sthan|lower\sthan|no\smore\sthan)\b[^.?!\n]{0,25}(?:10[,.]?000|10\s?k\b|9[,.]?\d{3}|ten\s(?:thousand|grand)|nine\s(?:thousand|grand)|threshold|reporting|limit|mark|line)/i,
    ),
  ],
];

const MONEY = linear(
  /\b(?:cash|deposit\w{0,3}|withdraw\w{0,4}|tellers?|drive-through|banknotes|bills|money|currency)\b|\$|\b\d{1,3}\s?k\b|\bgrand\b|\bthousand\b/i,
);
const CASH = linear(/\b(?:cash|banknotes|currency)\b/i);
// Splitting these is ordinary, and what is avoided is another report, form or limit.
const OTHER_MATTER = linear(
  /\b(?:zelle|venmo|paypal|ach|wires?|cards?|che(?:ck|que)s|rent|payroll|invoices?|bills?\s(?:pay|split)|credit\s(?:bureaus?|report\w{0,3}|score|history|file)|experian|equifax|transunion|late|past\sdue|delinquen\w{2,4}|gift|tax\sreturn|1099|w-2|fdic|insur\w{2,5}|coverage|daily\slimit|transfer\slimit|mobile|overdraft|minimum\sbalance|fees?|cds?|ladder)\b/i,
);
// "Splitting it does not stop the report", "we will still file", "they are added together"
const FUTILITY = linear(
  /(?:n't|\b(?:not|never|cannot))\s(?:\w{1,12}\s)?(?:avoid|prevent|stop|change|evade|affect|remove|eliminate|exempt|excuse|make\sa\sdifference|get\saround|matter|bypass)|\bstill\s(?:\w{1,12}\s){0,3}(?:report|file|reported|filed|apply|applies|required|aggregat)|\b(?:aggregated|(?:added|counted|combined)\stogether|add\sthem\sup|regardless)\b/i,
);
const OTHERS_WORDS = linear(
  /\byou(?:'ve|\shave)?\s(?:asked|mentioned|said|described|told)\b|\b(?:sounds|looks)\slike\b|\bare\syou\s(?:asking|trying|planning|splitting|looking)\b|\b(?:people|customers|anyone|someone|those)\swho\b|\b(?:criminals|launderers|structuring|smurfing)\b/i,
);
const CONDEMNS_LAST = linear(/^\W{0,3}(?:that|this|it|which|doing\sso|such)\b/i);
const REFERS_BACK = linear(
  /^\W{0,3}(?:that|this|so|then|it|they|each|none|nobody|nothing|no\sone|and|we|the\sbank|you)\b/i,
);

interface Evidence {
  readonly pattern: string;
  readonly range: Range;
  readonly confidence: number;
}

function findEvasion(sentence: string): Range | undefined {
  for (const evasion of EVASIONS) {
    const found = findFirst(evasion, sentence);
    if (found) return found;
  }
  return undefined;
}

/** Tells whether a sentence speaks about splitting without proposing it. */
function isInnocent(sentence: string, context: InteractionContext): boolean {
  return (
    isRefusal(sentence) ||
    isDefinition(sentence) ||
    condemns(sentence) ||
    FUTILITY.test(sentence) ||
    OTHERS_WORDS.test(sentence) ||
    isLawQuotedToStaff(context, sentence)
  );
}

function findSplit(sentence: string): { pattern: string; range: Range } | undefined {
  for (const [pattern, regex] of SPLITS) {
    const range = findFirst(regex, sentence);
    if (range && !isNegated(sentence, range.start) && !isQuoted(sentence, range.start)) return { pattern, range };
  }
  return undefined;
}

/** Tells whether it is about money paid in or out over the counter. */
function isAboutCash(sentences: string, context: InteractionContext): boolean {
  if (CASH.test(sentences)) return true;
  if (OTHER_MATTER.test(sentences)) return false;
  const isCashTransaction = context.transactionContext?.transactionType?.startsWith("cash") === true;
  return isCashTransaction || MONEY.test(sentences) || MONEY.test(context.userMessage ?? "");
}

function judge(sentences: readonly Sentence[], index: number, context: InteractionContext): Evidence | undefined {
  const sentence = sentences[index];
  const evasion = sentence && findEvasion(sentence.text);
  if (!evasion || isInnocent(sentence.text, context)) return undefined;
  const following = sentences[index + 1]?.text ?? "";
  if (CONDEMNS_LAST.test(following) && condemns(following)) return undefined;
  const end = sentence.start + evasion.end;
  const split = findSplit(sentence.text);
  if (split) {
    if (!isAboutCash(sentence.text, context)) return undefined;
    const start = sentence.start + Math.min(split.range.start, evasion.start);
    const splitEnd = sentence.start + split.range.end;
    return {
      pattern: split.pattern,
      range: { start, end: Math.max(end, splitEnd) },
      confidence: SAME_SENTENCE_CONFIDENCE,
    };
  }
  const previous = sentences[index - 1];
  if (!previous || !REFERS_BACK.test(sentence.text) || isInnocent(previous.text, context)) return undefined;
  const earlier = findSplit(previous.text);
  if (!earlier || !isAboutCash(previous.text + sentence.text, context)) return undefined;
  return {
    pattern: earlier.pattern,
    range: { start: previous.start + earlier.range.start, end },
    confidence: NEXT_SENTENCE_CONFIDENCE,
  };
}

function* check(text: SourceText, context: InteractionContext): Iterable<Finding> {
  const sentences = text.sentences();
  for (let index = 0; index < sentences.length; index++) {
    const evidence = judge(sentences, index, context);
    if (!evidence) continue;
    yield {
      ...evidence,
      text,
      description: "The agent proposes to split cash so that no report is filed.",
    };
  }
}

/**
 * Flags advice to split cash so that the bank does not report it.
 *
 * The advice must link the split to a report, form, authority or the reporting threshold: an amount near $10,000 is
 * ordinary banking, and so is splitting a payment.
 *
 * @see 31 U.S.C. § 5324(a)(3); 31 CFR § 1010.314
 */
export const bsaAmlStructuringAdvice = defineRule({
  id: "bsa-aml-structuring-advice",
  name: "Structuring advice",
  description: "Advice to split cash transactions so that the bank does not report them.",
  category: "bsa_aml",
  severity: "violation",
  law: { citation: "31 U.S.C. § 5324(a)(3); 31 CFR § 1010.314", asOf: "2026-11-21", status: "in force" },
  recommendation:
    "Withdraw the advice, tell the customer that reporting is routine, and send the conversation to the BSA officer.",
  impact: { customer: "high", business: "high" },
  alwaysReview: true,
  patterns: SPLITS.map(([pattern]) => pattern),
  *check(context) {
    const { agentResponse } = readExchange(context);
    if (agentResponse && REPORTING_CUE.test(agentResponse.folded)) yield* check(agentResponse, context);
  },
});
