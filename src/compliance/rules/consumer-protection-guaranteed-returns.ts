import type { InteractionContext } from "../../events/compliance.ts";
import { defineRule, type Finding } from "../define-rule.ts";
import { readExchange, type Sentence, type SourceText } from "../text/exchange.ts";
import { isDefinition, isLawQuotedToStaff, isNegated, isQuoted, isRefusal } from "../text/guards.ts";
import { findFirst, linear, type Range } from "../text/pattern.ts";

/** The sentence itself names the investment. */
const NAMED_CONFIDENCE = 0.85;
/** The investment is the topic of the exchange. */
const TOPIC_CONFIDENCE = 0.8;

// Words without which no pattern below can match: most answers end here.
const CERTAINTY_CUE = linear(
  /guarant|risk|certain|assur|promis|always|definite|sure|bound\sto|inevitabl|invariabl|\blos[est]|shrink|downside|double|triple|never|can't|cannot|won't|impossible|no\sway|100\s?%|only\sgoes|no\squestion|without\s(?:a\s)?doubt|rock[-\s]solid|foolproof|fail/i,
);

const GAIN = String.raw`(?:returns?|yields?|profits?|gains?|growth|earnings|income|upside|dividends?|pay-?outs?|performance|appreciat\w{1,5}|doubl(?:e|es|ing)|\d{1,3}(?:\.\d{1,2})?\s?(?:%|percent|per\scent))`;
const CERTAIN = String.raw`(?:guarante(?:e|es|ed|eing)|assur(?:e|es|ed)|promis(?:e|es|ed)|certain|sure-?\s?fire|risk-free|without\sfail|100\s?%\s(?:safe|certain|sure|secure)|locked-in|foolproof|can't-miss)`;

/** Ways to promise an outcome, by the pattern's name. */
const PROMISES: readonly (readonly [pattern: string, regex: RegExp])[] = [
  [
    "guaranteed-gain",
    linear(
      new RegExp(
        String.raw`\b${CERTAIN}[^.?!;\n]{0,60}?\b${GAIN}|\b${GAIN}[^.?!;\n]{0,25}\b(?:is|are|was|comes?|be|fully|completely|absolutely|100\s?%)\s(?:\w{1,12}\s)?(?:guaranteed|assured|certain|a\ssure\sthing|locked\sin)\b`,
        "i",
      ),
    ),
  ],
  [
    "no-risk",
    linear(
      /\b(?:risk[-\s]free|riskless|(?:no|zero|without\s(?:any|the|a\sbit\sof)?)[-\s]?(?:\w{1,12}\s)?(?:risk|downside)\b|(?:no|zero)\s(?:chance|possibility|danger|risk)\sof\s(?:a\s)?(?:loss|losing|losses)|nothing\sto\slose|without\s(?:any\s)?(?:risk|downside)|(?:completely|totally|perfectly|absolutely|entirely|100\s?%)\s(?:safe|secure)\s(?:investment|bet|fund|choice))/i,
    ),
  ],
  [
    "no-loss",
    linear(
      /\b(?:can't|cannot|can\snever|can\sonly|won't|never|will\snot|couldn't|impossible\s(?:to|for)|no\sway\s(?:to|for|you|it|this|that)|not\sgoing\sto|simply\scannot)\b[^.?!;,\n]{0,30}\b(?:lose|losing|lost|loses|shrinks?|drops?|falls?|declines?|decreases?|go(?:es)?\s(?:down|wrong|negative|below)|fails?|crash(?:es)?|depreciates?)\b/i,
    ),
  ],
  [
    "certain-growth",
    linear(
      /\b(?:always|only|certain\sto|sure\sto|bound\sto|guaranteed\sto|definitely|certainly|absolutely|surely|inevitably|invariably|undoubtedly|never\sfails\sto|without\s(?:a\s)?doubt|no\squestion)\b[^.?!;\n]{0,25}\b(?:goes?\sup|go\sup|rises?|grows?|doubles?|triples?|increases?|profits?|beats?\sthe\smarket|outperforms?|make\s(?:you\s)?(?:a\s)?(?:money|profit|fortune)|makes\smoney|pays?\soff|appreciates?|gains?)\b|\b(?:will|'ll|going\sto)\s(?:\w{1,12}\s)?(?:double|triple|quadruple)\b/i,
    ),
  ],
];

const INVESTMENT = linear(
  /\b(?:invest\w{0,6}|funds?|stocks?|shares?|etfs?|portfolios?|crypto\w{0,10}|bitcoin|ether(?:eum)?|tokens?|coins?|bonds?|reits?|securit(?:y|ies)|(?:stock\s)?market|index|equit(?:y|ies)|pensions?|401\(?k\)?|iras?|gold|commodit(?:y|ies)|options?|futures|strateg(?:y|ies)|capital|principal|returns?|nest\segg|structured\snotes?|trading)\b/i,
);
// Contracts whose rate or payment is fixed by law or contract, and guarantees of other things.
const FIXED_BY_CONTRACT = linear(
  /\b(?:cds?|certificates?\sof\sdeposit|savings?|checking|apy|deposits?|fixed(?:-|\s)(?:rate|term|interest|annuit\w{1,3})|annuit(?:y|ies)|treasur(?:y|ies)|t-bills?|i\sbonds?|insur\w{2,5}|fdic|insurer|backed\sby|(?:intro\w{0,7}|promotional)\s(?:rate|apr)|rate\slocks?|held\sto\smaturity|loans?|mortgage|credit\s(?:score|report|limit)|cash\sback|rewards?|points|miles|refund|bonus|sba|guarantor|(?:medallion|signature|bank|price|satisfaction|money-back)\sguarantee|trial)\b/i,
);
// Stays fixed by contract only if no market investment is named.
const MARKET = linear(
  /\b(?:stocks?|shares?|etfs?|portfolios?|crypto\w{0,10}|bitcoin|tokens?|coins?|reits?|(?:stock\s)?market|equit(?:y|ies)|(?:mutual|index|hedge|growth|this|our|the)\sfunds?)\b/i,
);
const TECHNICAL_TERM = linear(
  /\brisk[-\s]free\s(?:rate|asset|benchmark|interest|yield|treasur|return\s(?:rate|is\sthe))|\b(?:above|over|minus|exceeds?|relative\sto|than)\sthe\srisk-free|\bpast\s(?:performance|results|returns)\b|\bmore\sthan\s(?:you|the\samount|what|your)/i,
);
const WARNING = linear(
  /\b(?:scams?|scammers?|fraud\w{0,5}|red\sflags?|beware|wary|cautious|careful|suspicious|sceptical|skeptical|warning\ssigns?|too\sgood\sto\sbe\strue|anyone|whoever|claims?|claiming|promises\sof|illegal|prohibited|misleading|unrealistic|no\ssuch\sthing|ponzi|myth|may\slose|could\slose|can\slose|might\slose|as\swell\sas\sfall|may\s(?:fall|decline))\b/i,
);
const HYPOTHESIS = linear(/\b(?:if|assuming|suppose|could|might|may|would|rule\sof\s72|hypothetical\w{0,2})\b/i);

function isInnocent(sentence: string, context: InteractionContext): boolean {
  return (
    sentence.trimEnd().endsWith("?") ||
    isRefusal(sentence) ||
    isDefinition(sentence) ||
    TECHNICAL_TERM.test(sentence) ||
    WARNING.test(sentence) ||
    isLawQuotedToStaff(context, sentence)
  );
}

function isInvestmentTopic(context: InteractionContext, folded: string): boolean {
  const { agentSpecialty, userMessage = "" } = context;
  return (
    agentSpecialty === "wealth_management" ||
    agentSpecialty === "investment_services" ||
    INVESTMENT.test(userMessage) ||
    INVESTMENT.test(folded)
  );
}

function findPromise(sentence: string): { pattern: string; range: Range } | undefined {
  for (const [pattern, regex] of PROMISES) {
    const range = findFirst(regex, sentence);
    if (!range || isNegated(sentence, range.start) || isQuoted(sentence, range.start)) continue;
    if (pattern === "certain-growth" && HYPOTHESIS.test(sentence)) continue;
    return { pattern, range };
  }
  return undefined;
}

function judge(sentence: Sentence, text: SourceText, context: InteractionContext): Finding | undefined {
  const promise = findPromise(sentence.text);
  if (!promise || isInnocent(sentence.text, context)) return undefined;
  if (FIXED_BY_CONTRACT.test(sentence.text) && !MARKET.test(sentence.text)) return undefined;
  const isNamed = INVESTMENT.test(sentence.text);
  if (!isNamed && !isInvestmentTopic(context, text.folded)) return undefined;
  return {
    pattern: promise.pattern,
    description: "The agent promises the outcome of an investment.",
    confidence: isNamed ? NAMED_CONFIDENCE : TOPIC_CONFIDENCE,
    text,
    range: { start: sentence.start + promise.range.start, end: sentence.start + promise.range.end },
  };
}

/**
 * Flags promises of returns or of no loss on an investment.
 *
 * A rate that a contract fixes, such as a CD's for its term, is no promise about a market, and neither is the
 * risk-free rate of the textbooks.
 *
 * @see FINRA Rule 2210(d)(1); 12 U.S.C. § 5531
 */
export const consumerProtectionGuaranteedReturns = defineRule({
  id: "consumer-protection-guaranteed-returns",
  name: "Guaranteed returns",
  description: "A promise of returns, or of no loss, on an investment.",
  category: "consumer_protection",
  severity: "violation",
  law: { citation: "FINRA Rule 2210(d)(1); 12 U.S.C. § 5531", asOf: "2026-11-21", status: "in force" },
  recommendation: "Replace it by a balanced statement of risk: no outcome may be promised.",
  impact: { customer: "high", business: "high" },
  patterns: PROMISES.map(([pattern]) => pattern),
  *check(context) {
    const { agentResponse } = readExchange(context);
    if (!agentResponse || !CERTAINTY_CUE.test(agentResponse.folded)) return;
    for (const sentence of agentResponse.sentences()) {
      const finding = judge(sentence, agentResponse, context);
      if (finding) yield finding;
    }
  },
});
