import { isDefinedRule } from "../compliance/is-defined-rule.ts";
import { overlaps, passageOf, type Passage } from "../compliance/passages.ts";
import type { ComplianceFlag, ComplianceRule } from "../events/compliance.ts";
import type { CheckedClaim } from "../judge/check-claims.ts";
import type { Judgement } from "../judge/judgement.ts";
import { toOriginalRange } from "./original-range.ts";

/**
 * How sure a finding is. `confirmed`: proven by digits or tools, always reviewed, or shared by the judge; `contradicted`: the
 * judge has read the exchange and does not share it; `unjudged`: nothing is known beside the finding itself.
 */
export type FindingTier = "confirmed" | "contradicted" | "unjudged";

/** What the judge thinks of a finding of the first stage. */
export interface Opinion {
  readonly finding: ComplianceFlag;
  readonly tier: FindingTier;
  /** What the judge found of the same; absent where it found nothing. */
  readonly claim?: CheckedClaim | undefined;
}

/** A judgement, as it stands to what the first stage found. */
export interface WeighedJudgement {
  /** One for each finding of the first stage in the family. */
  readonly opinions: readonly Opinion[];
  /** What the first stage has not found: findings of the judge's own, always `confirmed`. */
  readonly added: readonly CheckedClaim[];
}

/** Confidence from which what a check finds is a proof; below it the check itself has doubts. */
const PROOF = 0.85;

/**
 * Tells whether a finding needs no opinion: digits or a tool prove it, or its rule has everything reviewed.
 *
 * What the second look has weighed is a matter of words, and no proof.
 */
export function isProven(
  { context, confidence = 1 }: ComplianceFlag,
  rule: ComplianceRule | undefined,
): boolean {
  if (!rule || !isDefinedRule(rule)) return false;
  const isByCheck =
    context?.secondLookVersion === undefined &&
    confidence >= PROOF &&
    rule.checkedPatterns.some((name) => context?.detectedPattern === `${rule.id}/${name}`);
  return isByCheck || rule.alwaysReview;
}

/** The texts that a judgement is about. */
export interface JudgedTexts {
  /** As the model got them. */
  readonly sent: { readonly agentResponse: string; readonly userMessage?: string | undefined };
  /** As they are. */
  readonly whole: { readonly agentResponse: string; readonly userMessage?: string | undefined };
}

/** Gives where a claim stands in the message as it is; `undefined` for tools, and where it can't be told. */
export function toClaimPassage({ source, start, end }: CheckedClaim, { sent, whole }: JudgedTexts) {
  if (source === "tools" || source === "facts") return undefined;
  const range = toOriginalRange(sent[source] ?? "", whole[source] ?? "", { start, end });
  return range && { source, ...range };
}

interface LocatedClaim {
  readonly claim: CheckedClaim;
  readonly passage: Passage | undefined;
}

/** Finds the claim that shares a finding best: of its rule and on its passage, else of its rule, else on its passage. */
function findShared(
  located: readonly LocatedClaim[],
  finding: ComplianceFlag,
): CheckedClaim | undefined {
  const place = passageOf(finding);
  const rank = ({ claim, passage }: LocatedClaim): number =>
    (claim.ruleId === finding.rule ? 2 : 0) +
    (place && passage && overlaps(place, passage) ? 1 : 0);
  const [best] = located.toSorted((one, other) => rank(other) - rank(one));
  return best && rank(best) > 0 ? best.claim : undefined;
}

/**
 * Tells whether what a judgement does not say means anything: it did not fail, has seen the whole exchange, and nothing that it
 * claimed was dropped.
 */
export function isConclusive({ failure, isCut, dropped }: Judgement): boolean {
  const isDropped = Object.values(dropped).some((count) => count > 0);
  return failure === undefined && !isCut && !isDropped;
}

/**
 * Weighs a judgement against what the first stage found in the family.
 *
 * A finding is shared by a claim of the same rule, or by one on the same passage. Nothing is contradicted by a judgement that
 * is not conclusive.
 */
export function weighJudgement(
  judgement: Judgement,
  findings: readonly ComplianceFlag[],
  rules: ReadonlyMap<string, ComplianceRule>,
  texts: JudgedTexts,
): WeighedJudgement {
  const { claims, family } = judgement;
  const located = claims.map((claim) => ({ claim, passage: toClaimPassage(claim, texts) }));
  const shared = new Set<CheckedClaim>();
  const opinions = findings
    .filter(({ category }) => category === family)
    .map((finding): Opinion => {
      const claim = findShared(located, finding);
      if (claim) shared.add(claim);
      if (claim) return { finding, tier: "confirmed", claim };
      if (isProven(finding, rules.get(finding.rule))) return { finding, tier: "confirmed" };
      return { finding, tier: isConclusive(judgement) ? "contradicted" : "unjudged" };
    });
  return { opinions, added: claims.filter((claim) => !shared.has(claim)) };
}

/** Tells whether somebody must look at a finding of the first stage because of what the judge says of it. */
export const demandsReview = ({ tier }: Pick<Opinion, "tier">): boolean => tier === "confirmed";
