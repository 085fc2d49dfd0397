import type {
  ComplianceSeverity,
  InteractionContext,
  ViolationContext,
} from "../events/compliance.ts";
import { passageOf, type Passage } from "./passages.ts";

/** What a finding adds to the score by itself, as a share of it: by confidence 0, and by confidence 1. */
interface Weight {
  readonly least: number;
  readonly most: number;
}

// Whatever counts as a finding reaches 50 by itself, the threshold of agents that state none, and a violation more than
// any warning of the same confidence. Information has no weight.
const WEIGHTS: Readonly<Record<ComplianceSeverity, Weight>> = {
  info: { least: 0, most: 0 },
  warning: { least: 0.5, most: 0.7 },
  violation: { least: 0.6, most: 0.95 },
};

/** Confidence of a finding whose rule states none: its author made no reservation. */
export const DEFAULT_CONFIDENCE = 1;

const RISK_FACTOR = 1.2;
const MAX_EXPONENT = 1.5;

/** What the score needs to know of a finding. */
export interface ScoredFinding {
  readonly severity: ComplianceSeverity;
  readonly confidence?: number | undefined;
  /** Its `spans` say where it stands. */
  readonly context?: ViolationContext | undefined;
}

/** The findings of one rule, and the score that a rule of the caller's own gave itself. */
export interface ScoredFamily {
  readonly findings: readonly ScoredFinding[];
  /** 0 to 100; counts without a finding as well. */
  readonly ownScore?: number | undefined;
}

function clamp(value: number, minimum: number, maximum: number): number {
  return Number.isNaN(value) ? minimum : Math.min(maximum, Math.max(minimum, value));
}

function weightOf({ severity, confidence = DEFAULT_CONFIDENCE }: ScoredFinding): number {
  const { least, most } = WEIGHTS[severity];
  return least + (most - least) * clamp(confidence, 0, 1);
}

/** A passage, and how likely nothing is wrong with it. */
interface Doubt extends Passage {
  readonly innocence: number;
}

/** Combines the passages of one message, no two of which overlap, that together weigh most. */
function innocenceOfMessage(doubts: readonly Doubt[]): number {
  const byEnd = doubts.toSorted((one, other) => one.end - other.end);
  // The innocence of the first so many passages.
  const innocences = [1];
  for (const [index, { start, innocence }] of byEnd.entries()) {
    let before = index;
    while (before > 0 && (byEnd[before - 1]?.end ?? 0) > start) before--;
    const withIt = (innocences[before] ?? 1) * innocence;
    innocences.push(Math.min(innocences[index] ?? 1, withIt));
  }
  return innocences.at(-1) ?? 1;
}

function innocenceOf(doubts: readonly Doubt[]): number {
  const messages = new Map<string, Doubt[]>();
  for (const doubt of doubts) {
    const ofMessage = messages.get(doubt.source);
    if (ofMessage) ofMessage.push(doubt);
    else messages.set(doubt.source, [doubt]);
  }
  return [...messages.values()].reduce((all, each) => all * innocenceOfMessage(each), 1);
}

/**
 * Combines findings into a risk score from 0 to 100, as a noisy-or over facts: they add up and never saturate.
 *
 * Findings whose passages overlap are readings of one fact, whatever their rules, and so are those of one rule that stand
 * in no message: the strongest counts. A rule that gave itself a score is one fact as a whole. Adding a finding never
 * lowers the score, and without a finding or a score of its own a rule adds nothing, whatever the context.
 *
 * @param exponent - Of `contextExponent`.
 */
export function riskScoreOf(families: readonly ScoredFamily[], exponent = 1): number {
  const doubts: Doubt[] = [];
  let innocence = 1;
  for (const { findings, ownScore } of families) {
    if (findings.length === 0 && ownScore === undefined) continue;
    let weight = clamp(ownScore ?? 0, 0, 100) / 100;
    for (const finding of findings) {
      const passage = ownScore === undefined ? passageOf(finding) : undefined;
      if (passage) doubts.push({ ...passage, innocence: (1 - weightOf(finding)) ** exponent });
      else weight = Math.max(weight, weightOf(finding));
    }
    innocence *= (1 - weight) ** exponent;
  }
  return Math.round(100 * (1 - innocence * innocenceOf(doubts)));
}

/** Returns the exponent by which a risky customer or an autonomous agent makes findings weigh more. */
export function contextExponent(context: InteractionContext): number {
  const { customerProfile, agentCategory } = context;
  const isRiskyCustomer =
    customerProfile?.riskRating?.toLowerCase() === "high" ||
    (customerProfile?.previousViolations ?? 0) > 0;
  let exponent = 1;
  if (isRiskyCustomer) exponent *= RISK_FACTOR;
  if (agentCategory === "autonomous") exponent *= RISK_FACTOR;
  return Math.min(MAX_EXPONENT, exponent);
}
