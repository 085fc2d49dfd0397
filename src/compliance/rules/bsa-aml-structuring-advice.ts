import type { InteractionContext } from "../../events/compliance.ts";
import { defineRule, type Finding } from "../define-rule.ts";
import {
  CASH,
  EVASIONS,
  FUTILITY,
  MONEY,
  OTHER_MATTER,
  OTHERS_WORDS,
  REPORTING_CUE,
  SPLITS,
} from "../lexicon/structuring.ts";
import { readExchange, type Sentence, type SourceText } from "../text/exchange.ts";
import {
  condemns,
  isDefinition,
  isLawQuotedToStaff,
  isNegated,
  isQuoted,
  isRefusal,
} from "../text/guards.ts";
import { linear, type Range } from "../text/pattern.ts";
import { findPhrase } from "../text/phrase.ts";

const SAME_SENTENCE_CONFIDENCE = 0.8;
const NEXT_SENTENCE_CONFIDENCE = 0.65;

const CONDEMNS_LAST = linear(/^\W{0,3}(?:that|this|it|which|doing\sso|such)\b/i);
const REFERS_BACK = linear(
  /^\W{0,3}(?:that|this|so|then|it|they|each|none|nobody|nothing|no\sone|and|we|the\sbank|you)\b/i,
);

interface Split {
  readonly pattern: string;
  readonly range: Range;
}

interface Evidence extends Split {
  readonly confidence: number;
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

function findSplit(sentence: string): Split | undefined {
  return findPhrase(
    SPLITS,
    sentence,
    ({ start }) => !isNegated(sentence, start) && !isQuoted(sentence, start),
  );
}

/** Tells whether it is about money paid in or out over the counter. */
function isAboutCash(sentences: string, context: InteractionContext): boolean {
  if (CASH.test(sentences)) return true;
  if (OTHER_MATTER.test(sentences)) return false;
  const isCashTransaction =
    context.transactionContext?.transactionType?.startsWith("cash") === true;
  return isCashTransaction || MONEY.test(sentences) || MONEY.test(context.userMessage ?? "");
}

/** Judges a split and an evasion in one sentence. */
function judgeOne(sentence: Sentence, evasion: Range, split: Split): Evidence {
  const start = sentence.start + Math.min(split.range.start, evasion.start);
  const end = sentence.start + Math.max(split.range.end, evasion.end);
  return { pattern: split.pattern, range: { start, end }, confidence: SAME_SENTENCE_CONFIDENCE };
}

/** Judges an evasion that refers back to a split in the sentence before. */
function judgeTwo(
  previous: Sentence | undefined,
  sentence: Sentence,
  evasion: Range,
  context: InteractionContext,
): Evidence | undefined {
  if (!previous || previous.text.endsWith("?") || !REFERS_BACK.test(sentence.text)) {
    return undefined;
  }
  const split = findSplit(previous.text);
  if (!split || isInnocent(previous.text, context)) return undefined;
  if (!isAboutCash(previous.text + sentence.text, context)) return undefined;
  const range = { start: previous.start + split.range.start, end: sentence.start + evasion.end };
  return { pattern: split.pattern, range, confidence: NEXT_SENTENCE_CONFIDENCE };
}

function isCondemnedBy(following: string): boolean {
  return CONDEMNS_LAST.test(following) && condemns(following);
}

function judge(
  sentences: readonly Sentence[],
  index: number,
  context: InteractionContext,
): Evidence | undefined {
  const sentence = sentences[index];
  if (!sentence) return undefined;
  const evasion = findPhrase(EVASIONS, sentence.text, () => true)?.range;
  if (!evasion || isInnocent(sentence.text, context)) return undefined;
  if (isCondemnedBy(sentences[index + 1]?.text ?? "")) return undefined;
  const split = findSplit(sentence.text);
  if (!split) return judgeTwo(sentences[index - 1], sentence, evasion, context);
  return isAboutCash(sentence.text, context) ? judgeOne(sentence, evasion, split) : undefined;
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
  law: {
    citation: "31 U.S.C. § 5324(a)(3); 31 CFR § 1010.314",
    asOf: "2026-11-21",
    status: "in force",
  },
  recommendation:
    "Withdraw the advice, tell the customer that reporting is routine, and send the conversation to the BSA officer.",
  impact: { customer: "high", business: "high" },
  alwaysReview: true,
  patterns: SPLITS.map(([pattern]) => pattern),
  *check(context) {
    const { agentResponse } = readExchange(context);
    if (agentResponse && REPORTING_CUE.test(agentResponse.folded))
      yield* check(agentResponse, context);
  },
});
