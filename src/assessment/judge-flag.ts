import { isDefinedRule } from "../compliance/is-defined-rule.ts";
import type { Passage } from "../compliance/passages.ts";
import { toOrigin } from "../compliance/rule-origin.ts";
import type { ComplianceFlag, ComplianceRule, ViolationContext } from "../events/compliance.ts";
import { maskText, toExcerpt } from "../identifiers/mask.ts";
import type { CheckedClaim } from "../judge/check-claims.ts";
import { cutString } from "../util/cut-string.ts";

/** Name of the pattern that findings of the judge's own have. */
const JUDGE_PATTERN = "judge";

/** UTF-16 units of what the model wrote: one sentence is asked for. */
const MAX_REASON = 500;
const MAX_QUOTE = 1000;
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
const SPACES_AND_CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g;

/** Gives what a model wrote as one bounded line, without the numbers of people. */
export function toReason(text: string): string {
  return maskText(cutString(text.replaceAll(SPACES_AND_CONTROLS, " ").trim(), MAX_REASON));
}

/** Gives a passage as the model got it, bounded, without the numbers of people. */
export function toQuote({ passage }: CheckedClaim): string {
  return maskText(cutString(passage, MAX_QUOTE));
}

/** Where a claim stands in the exchange as it is. */
export interface ClaimPlace {
  /** Absent for tools and facts, and where it can't be told. */
  readonly passage: Passage | undefined;
  /** The message that it stands in, as it is. */
  readonly text: string;
}

function toEvidence(claim: CheckedClaim, { passage, text }: ClaimPlace): ViolationContext {
  if (!passage) return { detectedContent: toQuote(claim) };
  return { detectedContent: toExcerpt({ original: text }, passage), spans: [passage] };
}

/** Gives what a rule says of its findings. */
function toRuleContext(rule: ComplianceRule): Partial<ComplianceFlag> {
  if (!isDefinedRule(rule)) return {};
  const { recommendation, context } = rule.describe({ pattern: JUDGE_PATTERN, confidence: 0 });
  return { ...(recommendation !== undefined && { recommendation }), ...(context && { context }) };
}

/**
 * Makes a finding of a claim, as the rules make theirs. It is a warning at most: people decide what is a violation.
 *
 * @param now - Milliseconds since the Unix epoch.
 */
export function toJudgeFlag(
  claim: CheckedClaim,
  rule: ComplianceRule,
  place: ClaimPlace,
  now: number,
): ComplianceFlag {
  const { context, ...ofRule } = toRuleContext(rule);
  return {
    rule: rule.id,
    category: rule.category,
    severity: rule.severity === "info" ? "info" : "warning",
    description: toReason(claim.reason),
    ...ofRule,
    confidence: claim.confidence,
    timestamp: now,
    context: {
      ...context,
      ...toEvidence(claim, place),
      detectedPattern: JUDGE_PATTERN,
      ...toOrigin(rule),
    },
  };
}
