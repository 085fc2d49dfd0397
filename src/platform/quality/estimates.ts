import type { Disposition } from "../review/review-policy.ts";
import { CONFIDENCE, type Interval, toExactInterval } from "./interval.ts";

/** What was decided, by disposition; `undecided` is what nobody has decided about. */
export type DecisionCounts = Readonly<Record<Disposition | "undecided", number>>;

/** Returns counts of nothing. */
export const noDecisions = (): Record<keyof DecisionCounts, number> => ({
  violation: 0,
  false_positive: 0,
  acceptable: 0,
  insufficient_evidence: 0,
  undecided: 0,
});

/** A share of decided cases, with its exact 95 % interval. */
export interface Share extends Interval {
  readonly found: number;
  /** Decided ones; those with insufficient evidence are none. */
  readonly total: number;
  /** 0 to 1 */
  readonly estimate: number;
}

function toShare(found: number, total: number): Share | null {
  if (total === 0) return null;
  return { found, total, estimate: found / total, ...toExactInterval(found, total) };
}

/** Returns the share of violations among what was decided; `null` where nothing was. */
export function toViolationShare(counts: DecisionCounts): Share | null {
  const { violation, false_positive: falsePositive, acceptable } = counts;
  return toShare(violation, violation + falsePositive + acceptable);
}

/** Answers without findings that were sampled at one rate: within it each of them had the same chance. */
export interface Stratum {
  /** 0 to 1 */
  readonly rate: number;
  /** Answers without findings. */
  readonly population: number;
  /** What was decided about those of its sample. */
  readonly decisions: DecisionCounts;
}

/** What the rules have missed. */
export interface Elusion extends Interval {
  /** Share of violations among the answers without findings, 0 to 1. */
  readonly estimate: number;
  /** Sampled answers that were decided, and violations among them. */
  readonly reviewed: number;
  readonly violations: number;
  /** Answers without findings, and how many of them may be violations. */
  readonly population: number;
  readonly missed: Interval & { readonly estimate: number };
}

/**
 * Estimates what was missed among the answers without findings.
 *
 * Where they were sampled at several rates, each rate has an interval of its own, so sure that all of them together hold the
 * truth in 95 of 100 cases (Bonferroni). A rate of which nothing was decided may be anything: nothing is known of it.
 *
 * @returns `null` where nothing was decided at all.
 */
export function estimateElusion(strata: readonly Stratum[]): Elusion | null {
  const filled = strata.filter(({ rate, population }) => rate > 0 && population > 0);
  const confidence = 1 - (1 - CONFIDENCE) / Math.max(1, filled.length);
  const parts = filled.map(({ population, decisions }) => {
    const share = toViolationShare(decisions);
    const { found = 0, total = 0 } = share ?? {};
    const { low, high } =
      total === 0 ? { low: 0, high: 1 } : toExactInterval(found, total, confidence);
    return { population, found, total, low, high, estimate: share?.estimate ?? 0 };
  });
  const sum = (of: (part: (typeof parts)[number]) => number): number =>
    parts.reduce((total, part) => total + of(part), 0);
  const population = sum((part) => part.population);
  const reviewed = sum(({ total }) => total);
  if (reviewed === 0) return null;
  // The estimate stands for the rates of which something is known.
  const known = sum((part) => (part.total === 0 ? 0 : part.population));
  const share = sum((part) => part.estimate * part.population) / known;
  const low = sum((part) => part.low * part.population) / population;
  const high = sum((part) => part.high * part.population) / population;
  return {
    estimate: share,
    low,
    high,
    reviewed,
    violations: sum(({ found }) => found),
    population,
    missed: { estimate: share * population, low: low * population, high: high * population },
  };
}

/** Answers with findings. */
export interface FlaggedCounts {
  /** Of which a finding was decided to be a violation. */
  readonly violations: number;
  /** About which nobody has decided yet. */
  readonly undecided: number;
}

/** How many of all violations the findings have shown. */
export interface Recall extends Interval {
  readonly estimate: number | null;
}

/**
 * Bounds the recall: what was found against what may have been missed. What nobody has decided about yet may be anything, so the lower
 * bound takes none of it as a violation, and the upper one all.
 */
export function boundRecall({ violations, undecided }: FlaggedCounts, { missed }: Elusion): Recall {
  const share = (found: number, lost: number): number =>
    found + lost === 0 ? 1 : found / (found + lost);
  return {
    estimate: violations + missed.estimate === 0 ? null : share(violations, missed.estimate),
    low: violations === 0 ? 0 : share(violations, missed.high),
    high: share(violations + undecided, missed.low),
  };
}
