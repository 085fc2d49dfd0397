import { isDefinedRule } from "../compliance/is-defined-rule.ts";
import { toOrigin } from "../compliance/rule-origin.ts";
import type { ResolvedJudgeOptions } from "../config/judge-options.ts";
import type { ComplianceFlag, ComplianceRule, ViolationContext } from "../events/compliance.ts";
import type { JudgeResult } from "../events/judge-result.ts";
import type { FoundAnswer } from "../events/late-finding.ts";
import { maskText, toExcerpt } from "../identifiers/mask.ts";
import type { CheckedClaim } from "../judge/judge-reply.ts";
import { isSampled } from "../judge/judge-task.ts";
import type { Evaluator, Judgement } from "../judge/judgement.ts";
import { cutString } from "../util/cut-string.ts";
import { toNamedUuid } from "../util/ids.ts";
import {
  demandsReview,
  type JudgedTexts,
  type Opinion,
  toClaimPassage,
  weighJudgement,
} from "./judge-opinion.ts";

/** Name of the pattern that findings of the judge's own have. */
const JUDGE_PATTERN = "judge";

/** UTF-16 units of what the model wrote: one sentence is asked for. */
const MAX_REASON = 500;
const MAX_QUOTE = 1000;
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
const SPACES_AND_CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g;

/** Returns what a model wrote as one bounded line, without the numbers of people. */
function toReason(text: string): string {
  return maskText(cutString(text.replaceAll(SPACES_AND_CONTROLS, " ").trim(), MAX_REASON));
}

/** Returns a passage as the model got it, bounded, without the numbers of people. */
function toQuote({ passage }: CheckedClaim): string {
  return maskText(cutString(passage, MAX_QUOTE));
}

function toEvidence(claim: CheckedClaim, texts: JudgedTexts): ViolationContext {
  const passage = toClaimPassage(claim, texts);
  if (!passage) return { detectedContent: toQuote(claim) };
  const original = texts.whole[passage.source] ?? "";
  return { detectedContent: toExcerpt({ original }, passage), spans: [passage] };
}

/**
 * Makes a finding of a claim, as the rules make theirs. It is a warning at most: people decide what is a violation.
 *
 * @param now - Milliseconds since the Unix epoch.
 */
function toJudgeFlag(
  claim: CheckedClaim,
  rule: ComplianceRule,
  texts: JudgedTexts,
  now: number,
): ComplianceFlag {
  const found = { pattern: JUDGE_PATTERN, confidence: 0 };
  const { recommendation, context } = isDefinedRule(rule) ? rule.describe(found) : {};
  return {
    rule: rule.id,
    category: rule.category,
    severity: rule.severity === "info" ? "info" : "warning",
    description: toReason(claim.reason),
    ...(recommendation !== undefined && { recommendation }),
    confidence: claim.confidence,
    timestamp: now,
    context: {
      ...context,
      ...toEvidence(claim, texts),
      detectedPattern: JUDGE_PATTERN,
      ...toOrigin(rule),
    },
  };
}

/** One thing that the judge says of an answer: an event of its own. Quote and reason are those of its own finding. */
export interface JudgeFinding extends Pick<JudgeResult, "finding" | "tier" | "quote" | "reason"> {
  /** The same for the same thing, however often the answer is judged. */
  readonly eventId: string;
  readonly evaluator: Evaluator;
  /** Absent where the mode is `observe`: then what the first stage said stands. */
  readonly requiresReview?: boolean;
  /** There for an opinion alone; empty where the model says nothing of the finding. */
  readonly opinion?: Pick<JudgeResult, "quote" | "reason" | "confidence">;
}

export type ResultOptions = Pick<
  ResolvedJudgeOptions,
  "mode" | "contradictedReviewRate" | "sampleSeed"
>;

/** An answer that was judged. */
export interface JudgedExchange {
  readonly answer: FoundAnswer;
  readonly judgement: Judgement;
  readonly texts: JudgedTexts;
}

/** Returns the id of what is said: of the answer, who says it, and of what. */
function toEventId(
  { answer, judgement }: JudgedExchange,
  kind: "finding" | "opinion",
  rule: string,
  place: string,
): string {
  const { family, evaluator } = judgement;
  return toNamedUuid(answer.eventId, family, evaluator.version, rule, kind, place);
}

/** Numbers the claims of a rule in the order of their places. */
function toNumber(claim: CheckedClaim, claims: readonly CheckedClaim[]): string {
  const before = claims.filter(
    ({ ruleId, source, start }) =>
      ruleId === claim.ruleId &&
      (source < claim.source || (source === claim.source && start < claim.start)),
  );
  return String(before.length);
}

function toOpinionFinding(
  judged: JudgedExchange,
  opinion: Opinion,
  { mode, contradictedReviewRate, sampleSeed }: ResultOptions,
): JudgeFinding[] {
  const { finding, tier, claim } = opinion;
  if (tier === "unjudged") return [];
  const { eventId } = judged.answer;
  const { detectedPattern, spans, detectedContent } = finding.context ?? {};
  // Of one rule there may be several, on different passages.
  const place = JSON.stringify([detectedPattern, spans ?? detectedContent]);
  return [
    {
      eventId: toEventId(judged, "opinion", finding.rule, place),
      finding,
      tier,
      evaluator: judged.judgement.evaluator,
      opinion: claim
        ? { quote: toQuote(claim), reason: toReason(claim.reason), confidence: claim.confidence }
        : {},
      ...(mode === "review" && {
        requiresReview:
          demandsReview(opinion) || isSampled(sampleSeed, eventId, contradictedReviewRate),
      }),
    },
  ];
}

/**
 * Returns what a judgement says of an answer: findings of its own, and opinions on those of the first stage, which stay as they
 * are.
 *
 * @param rules - By id; what is said of a rule that is no longer there is left out.
 * @param now - Milliseconds since the Unix epoch.
 */
export function toJudgeFindings(
  judged: JudgedExchange,
  rules: ReadonlyMap<string, ComplianceRule>,
  options: ResultOptions,
  now: number,
): JudgeFinding[] {
  const { answer, judgement, texts } = judged;
  const { complianceFlags = [] } = answer;
  const { opinions, added } = weighJudgement(judgement, complianceFlags, rules, texts);
  const own = added.flatMap((claim): JudgeFinding[] => {
    const rule = rules.get(claim.ruleId);
    if (!rule) return [];
    const finding = toJudgeFlag(claim, rule, texts, now);
    return [
      {
        // By its number: another judgement of the same answer may quote a word more.
        eventId: toEventId(judged, "finding", rule.id, toNumber(claim, added)),
        finding,
        tier: "confirmed",
        evaluator: judgement.evaluator,
        quote: toQuote(claim),
        reason: finding.description,
        ...(options.mode === "review" && { requiresReview: true }),
      },
    ];
  });
  return [...own, ...opinions.flatMap((opinion) => toOpinionFinding(judged, opinion, options))];
}
