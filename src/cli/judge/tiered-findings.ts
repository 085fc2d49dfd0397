import {
  demandsReview,
  isProven,
  toClaimPassage,
  weighJudgement,
  type FindingTier,
  type JudgedTexts,
} from "../../assessment/judge-opinion.ts";
import type { Passage } from "../../compliance/passages.ts";
import type { ComplianceFlag, ComplianceRule } from "../../events/compliance.ts";
import type { CheckedClaim } from "../../judge/check-claims.ts";
import type { Judgement } from "../../judge/judgement.ts";
import type { ComplianceEvaluation } from "../../testing.ts";

/** A judgement, and the texts that it is about. */
export interface GivenJudgement {
  readonly judgement: Judgement;
  readonly texts: JudgedTexts;
}

/** Something found in an exchange, by the rules or by the judge alone, and how sure it is. */
export interface TieredFinding {
  readonly rule: string;
  readonly category: string;
  readonly tier: FindingTier;
  /** Of the first stage; absent: the judge's own. */
  readonly flag?: ComplianceFlag;
  /** Of the judge; absent where it found nothing. */
  readonly claim?: CheckedClaim;
  /** Whether somebody must look at it. */
  readonly isReviewed: boolean;
  /** Where the judge's own finding stands; absent for tools, and where it can't be told. */
  readonly passage?: Passage;
}

/** Gives what stands on record of an exchange once the judge has read it: nothing that the rules found is removed. */
export function toTieredFindings(
  { violations, requiresReview }: ComplianceEvaluation,
  judgements: readonly GivenJudgement[],
  rules: ReadonlyMap<string, ComplianceRule>,
): readonly TieredFinding[] {
  const judged = judgements.flatMap(({ judgement, texts }): TieredFinding[] => {
    const { opinions, added } = weighJudgement(judgement, violations, rules, texts);
    return [
      ...opinions.map((opinion) => {
        const { finding, tier, claim } = opinion;
        return {
          rule: finding.rule,
          category: finding.category,
          tier,
          flag: finding,
          ...(claim && { claim }),
          isReviewed: requiresReview || demandsReview(opinion),
        };
      }),
      ...added.map((claim): TieredFinding => {
        const passage = toClaimPassage(claim, texts);
        return {
          rule: claim.ruleId,
          category: judgement.family,
          tier: "confirmed",
          claim,
          isReviewed: true,
          ...(passage && { passage }),
        };
      }),
    ];
  });
  const asked = new Set<string>(judgements.map(({ judgement }) => judgement.family));
  const others = violations
    .filter(({ category }) => !asked.has(category))
    .map((flag): TieredFinding => {
      const { rule, category } = flag;
      const tier = isProven(flag, rules.get(rule)) ? "confirmed" : "unjudged";
      return { rule, category, tier, flag, isReviewed: requiresReview };
    });
  return [...judged, ...others];
}
