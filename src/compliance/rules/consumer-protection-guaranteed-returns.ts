import type { InteractionContext } from "../../events/compliance.ts";
import { defineRule, type Finding } from "../define-rule.ts";
import {
  CERTAINTY_CUE,
  FIXED_BY_CONTRACT,
  HYPOTHESIS,
  INVESTMENT,
  MARKET,
  PROMISES,
  RISK_WARNING,
  TECHNICAL_TERM,
} from "../lexicon/investments.ts";
import { readExchange, type Sentence, type SourceText } from "../text/exchange.ts";
import {
  isDefinition,
  isLawQuotedToStaff,
  isNegated,
  isQuoted,
  isRefusal,
} from "../text/guards.ts";
import type { Range } from "../text/pattern.ts";
import { findPhrase } from "../text/phrase.ts";

/** The sentence itself names the investment. */
const NAMED_CONFIDENCE = 0.85;
/** The investment is the topic of the exchange. */
const TOPIC_CONFIDENCE = 0.8;

function isInnocent(sentence: string, context: InteractionContext): boolean {
  return (
    sentence.trimEnd().endsWith("?") ||
    isRefusal(sentence) ||
    isDefinition(sentence) ||
    TECHNICAL_TERM.test(sentence) ||
    RISK_WARNING.test(sentence) ||
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
  const isHypothesis = HYPOTHESIS.test(sentence);
  return findPhrase(
    PROMISES,
    sentence,
    ({ start }, pattern) =>
      !isNegated(sentence, start) &&
      !isQuoted(sentence, start) &&
      !(isHypothesis && pattern === "certain-growth"),
  );
}

function judge(
  sentence: Sentence,
  text: SourceText,
  context: InteractionContext,
): Finding | undefined {
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
  law: {
    citation: "FINRA Rule 2210(d)(1); 12 U.S.C. § 5531",
    asOf: "2026-11-21",
    status: "in force",
  },
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
