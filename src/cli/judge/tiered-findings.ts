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
import type { CheckedClaim } from "../../judge/judge-reply.ts";
import type { Judgement } from "../../judge/judgement.ts";
import type { Redactor } from "../../redaction/redactor.ts";
import { renumberTokens } from "../../redaction/token.ts";
import type { ComplianceEvaluation } from "../../testing.ts";
import { cutString } from "../../util/cut-string.ts";
import { sourceOf, type CheckFinding, type Place } from "../check/finding.ts";

/** A finding of an exchange, by the rules or by the judge alone, and its tier. */
export interface TieredFinding {
  readonly rule: string;
  readonly category: string;
  readonly tier: FindingTier;
  /** Of the first stage; absent: the judge's own. */
  readonly flag?: ComplianceFlag;
  /** Of the judge; absent where it found nothing. */
  readonly claim?: CheckedClaim | undefined;
  /** Whether a person must look at it. */
  readonly isReviewed: boolean;
  /** Place of the judge's own finding; absent for tools, and where it is not known. */
  readonly passage?: Passage | undefined;
}

/**
 * Returns the findings of an exchange after the judge has read it: nothing that the rules found is removed.
 *
 * @param judgements - Each with the texts that it is about.
 */
export function toTieredFindings(
  { violations, requiresReview }: ComplianceEvaluation,
  judgements: readonly { readonly judgement: Judgement; readonly texts: JudgedTexts }[],
  rules: ReadonlyMap<string, ComplianceRule>,
): readonly TieredFinding[] {
  const judged = judgements.flatMap(({ judgement, texts }): TieredFinding[] => {
    const { opinions, added } = weighJudgement(judgement, violations, rules, texts);
    return [
      ...opinions.map((opinion) => {
        const { finding: flag, tier, claim } = opinion;
        const isReviewed = requiresReview || demandsReview(opinion);
        return { rule: flag.rule, category: flag.category, tier, flag, claim, isReviewed };
      }),
      ...added.map((claim): TieredFinding => {
        const passage = toClaimPassage(claim, texts);
        const of = { rule: claim.ruleId, category: judgement.family };
        return { ...of, tier: "confirmed", claim, isReviewed: true, passage };
      }),
    ];
  });
  const asked = new Set<string>(judgements.map(({ judgement }) => judgement.family));
  const others = violations.flatMap((flag): TieredFinding[] => {
    const { rule, category } = flag;
    if (asked.has(category)) return [];
    const tier = isProven(flag, rules.get(rule)) ? "confirmed" : "unjudged";
    return [{ rule, category, tier, flag, isReviewed: requiresReview }];
  });
  return [...judged, ...others];
}

/** Longest excerpt and reason that are shown, in UTF-16 units. */
const MAX_EXCERPT = 160;
const MAX_REASON = 300;

/**
 * Reported finding of a case: a disagreement with the label, or, without one, any finding. Texts only as masked excerpts.
 */
export interface ReportedFinding extends Pick<
  CheckFinding,
  "file" | "line" | "conversation" | "turn"
> {
  /**
   * `missed`: a violation without a confirmed finding of its category; `alarm`: a finding in a lawful case, and `cleared`: one that
   * the judge contradicts; `finding`: anything else that was found.
   */
  readonly kind: "missed" | "alarm" | "cleared" | "finding";
  readonly label: "violation" | "ok" | null;
  readonly expectedCategory: string | null;
  readonly rule: string | null;
  readonly category: string | null;
  readonly tier: FindingTier | null;
  /** Source of the finding: the rules, the judge, or both. */
  readonly by: "rules" | "judge" | "both" | null;
  /** The judge's, if it has one. */
  readonly confidence: number | null;
  readonly excerpt: string | null;
  /** The judge's. */
  readonly reason: string | null;
}

/** Shortens and masks a text; tokens are numbered, so that every run writes the same. */
function toShown(text: string, redactor: Redactor, length: number): string {
  const masked = renumberTokens(redactor.text(text));
  return cutString(masked.replaceAll(/\s+/g, " ").trim(), length);
}

function toWhere({ file, line, conversation, label }: Place) {
  const name = label?.isViolation === true ? ("violation" as const) : ("ok" as const);
  const expectedCategory = label?.expectedCategory ?? null;
  return { file, line, conversation, label: label ? name : null, expectedCategory };
}

/** Returns the judge's words if it has found it, else those of the rules. */
function toWords({ flag, claim }: TieredFinding, redactor: Redactor) {
  const excerpt = flag?.context?.detectedContent ?? claim?.passage;
  return {
    confidence: claim?.confidence ?? flag?.confidence ?? null,
    excerpt: excerpt === undefined ? null : toShown(excerpt, redactor, MAX_EXCERPT),
    reason: claim ? toShown(claim.reason, redactor, MAX_REASON) : null,
  };
}

/** Converts a finding of an exchange for the report. */
export function toReported(
  kind: ReportedFinding["kind"],
  finding: TieredFinding,
  place: Place,
  redactor: Redactor,
): ReportedFinding {
  const { rule, category, tier, flag, claim } = finding;
  const { userTurn, agentTurn = userTurn } = place;
  // By its first span, or the place of the judge's quote.
  const source = (flag && sourceOf(flag)) ?? claim?.source;
  const turn = source === "userMessage" ? userTurn : agentTurn;
  const finder = flag ? "rules" : "judge";
  return {
    kind,
    ...toWhere(place),
    turn: turn ?? null,
    rule,
    category,
    tier,
    by: flag && claim ? "both" : finder,
    ...toWords(finding, redactor),
  };
}

/** Reports a violation without a finding, by the beginning of its last answer. */
export function toMissed(place: Place, answer: string, redactor: Redactor): ReportedFinding {
  const turn = place.agentTurn ?? place.userTurn ?? null;
  const unknown = { rule: null, category: null, tier: null, by: null, confidence: null };
  const excerpt = toShown(answer, redactor, MAX_EXCERPT);
  return { kind: "missed", ...toWhere(place), turn, ...unknown, excerpt, reason: null };
}
