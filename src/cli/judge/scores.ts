import type { CaseLabel } from "../check/finding.ts";
import type { TieredFinding } from "./tiered-findings.ts";

/** A case, one line of a file, and the findings of all its exchanges. */
export interface JudgedCase {
  readonly label?: CaseLabel;
  readonly findings: readonly TieredFinding[];
}

/** Tiers of findings that count. */
export type Tiers = "confirmed" | "both";

/** Agreement of findings with labels; shares are `null` where the denominator is 0. */
export interface TierScore {
  /** Violations with a finding of the expected category. */
  readonly truePositives: number;
  readonly falseNegatives: number;
  /** Lawful cases with any finding. */
  readonly falsePositives: number;
  readonly trueNegatives: number;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
  /** Agreement beyond chance, Cohen's kappa: 1 is full agreement. */
  readonly kappa: number | null;
}

/** Returns whether a finding counts: both tiers hold everything for review, found by rules or judge. */
export const isCounted = ({ tier, isReviewed }: TieredFinding, tiers: Tiers): boolean =>
  isReviewed && (tiers === "both" || tier === "confirmed");

/** Lists the findings that the label names: in a violation those of its category, in a lawful case all. */
export function listFound({ label, findings }: JudgedCase, tiers: Tiers): TieredFinding[] {
  const expected = label?.isViolation === true ? label.expectedCategory : undefined;
  return findings.filter(
    (finding) =>
      isCounted(finding, tiers) && (expected === undefined || finding.category === expected),
  );
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000;
const divide = (part: number, whole: number): number | null =>
  whole === 0 ? null : round(part / whole);

function toKappa(tp: number, fp: number, fn: number, tn: number): number | null {
  const all = tp + fp + fn + tn;
  const byChance = (tp + fp) * (tp + fn) + (fn + tn) * (fp + tn);
  // Findings and labels each put all cases into one class: that agreement is chance.
  return divide((tp + tn) * all - byChance, all * all - byChance);
}

/** Whether something was found in a labelled case, by tiers. */
export interface CaseVerdict {
  readonly isViolation: boolean;
  readonly isFound: Readonly<Record<Tiers, boolean>>;
}

/** Returns the input of scores for a case; `undefined` for one without a label. */
export function toVerdict(one: JudgedCase): CaseVerdict | undefined {
  if (!one.label) return undefined;
  const { isViolation } = one.label;
  const isFound = (tiers: Tiers): boolean => listFound(one, tiers).length > 0;
  return { isViolation, isFound: { confirmed: isFound("confirmed"), both: isFound("both") } };
}

/** Scores labelled cases. */
export function scoreCases(cases: readonly CaseVerdict[], tiers: Tiers): TierScore {
  const count = (isViolation: boolean, isFound: boolean): number =>
    cases.filter((one) => one.isViolation === isViolation && one.isFound[tiers] === isFound).length;
  const [tp, fn] = [count(true, true), count(true, false)];
  const [fp, tn] = [count(false, true), count(false, false)];
  return {
    truePositives: tp,
    falseNegatives: fn,
    falsePositives: fp,
    trueNegatives: tn,
    precision: divide(tp, tp + fp),
    recall: divide(tp, tp + fn),
    f1: divide(2 * tp, 2 * tp + fp + fn),
    kappa: toKappa(tp, fp, fn, tn),
  };
}
