import type { ComplianceCategory, ComplianceFlag, ComplianceResult } from "../events/compliance.ts";
import type { ContextView } from "./context-view.ts";
import { groupByPassage } from "./passages.ts";
import type { RuleAnswer } from "./rule-answer.ts";
import type { Exchange, RememberedTurn } from "../phrases/exchange.ts";
import { contextExponent, DEFAULT_CONFIDENCE, riskScoreOf } from "./scoring.ts";

/**
 * What became of the second stage: the model has read the draft; it has read it by some families of rules, and what it found by them
 * is known; nothing in it was to be read, by the judge's `gate`; the deadline came first; or calls of the model failed, or were not
 * made because of a bound.
 */
export type SecondStageOutcome = "judged" | "partial" | "not_asked" | "too_late" | "failed";

/** How an evaluation went. */
export interface EvaluationMetadata {
  /** False when there was nothing to judge or no rule could judge it; the answer then is not compliant either. */
  evaluated: boolean;
  /** ms */
  evaluationTime: number;
  /** Rules that gave an answer. */
  rulesEvaluated: number;
  /** Highest confidence of the findings; without any, the share of the rules that gave an answer. */
  confidence: number;
  /** Score from which the answer goes to review: that of the agent's settings, or the default. */
  riskThreshold: number;
  /** Ids of the rules that demand review whatever the score. */
  reviewRules?: string[];
  /** Number of passages that were found with less confidence than their rules ask for; absent without any. */
  candidates?: number;
  /** Ids of the rules that threw or gave no valid result. */
  ruleErrors?: string[];
  /** Ids of the rules that took too long; their findings count. */
  ruleOverruns?: string[];
  /** Ids of the rules left out for a while because they were too slow. */
  rulesSkipped?: string[];
  /**
   * Ids of the rules that were stopped, or not begun, because they, or all together, took more steps than texts of this
   * length may cost. The answer then is not compliant, and goes to review.
   */
  rulesNotEvaluated?: string[];
  /** Ids of the rules whose answer comes later, in `late`. */
  rulesPending?: string[];
  /** Ways of hiding words that were undone to read the messages. */
  evasions?: string[];
  /** Members of the context that could not be read. */
  unreadable?: string[];
  /** Members of the context that are not what they should be, and that the rules therefore did not see. */
  ignored?: string[];
  /** Set when only a part of a long context was read. */
  truncated?: true;
  /** What became of the second stage; there only for `evaluateAsync` with a judge. */
  secondStage?: SecondStageOutcome;
  /** What a later version may add. */
  [key: string]: unknown;
}

/**
 * Outcome of the engine for one interaction.
 *
 * Without content there is no verdict: `metadata.evaluated` is false, and so is `isCompliant`, so that a reader of
 * that member alone never takes an unseen answer for a clean one.
 */
export interface ComplianceEvaluation extends ComplianceResult {
  /** Findings with the category of their rule, the order of the rules kept. */
  violations: ComplianceFlag[];
  /**
   * What rules that answer at once found with less confidence than they ask for; there only for who asked for it. It has
   * no part in the verdict and is on no event.
   */
  candidates?: ComplianceFlag[];
  /**
   * The turns of the session before it; there only for who asked for them.
   *
   * @internal
   */
  turns?: readonly RememberedTurn[];
  /**
   * Categories of the rules that applied; there only for who asked for the turns.
   *
   * @internal
   */
  families?: readonly ComplianceCategory[];
  /** How the evaluation went. */
  metadata: EvaluationMetadata;
  /**
   * The findings of asynchronous rules; there only when a rule gave a promise.
   *
   * Resolves within the deadline of a late rule, 250 ms, and never rejects: a rule that fails or is too late is
   * logged and finds nothing.
   */
  late?: Promise<readonly ComplianceFlag[]>;
  /** What the interaction comes to with the answers of asynchronous rules; there, and resolved, as `late` is. */
  lateVerdict?: Promise<LateVerdict>;
}

/** What an interaction comes to once asynchronous rules have answered, too. */
export interface LateVerdict {
  /** 0 to 100. */
  readonly riskScore: number;
  /** Whether somebody must look at the answer. */
  readonly requiresReview: boolean;
}

/** What running the rules brought to light; the lists of ids are those of the metadata. */
export interface RuleRun {
  readonly answers: RuleAnswer[];
  readonly ruleErrors: string[];
  readonly ruleOverruns: string[];
  readonly rulesSkipped: string[];
  readonly rulesNotEvaluated: string[];
  readonly rulesPending: string[];
  readonly reviewRules: string[];
  /** Set when a rule that must not fail gave no answer. */
  mandatoryMissing: boolean;
}

function confidenceOf(violations: readonly ComplianceFlag[], run: RuleRun): number {
  if (violations.length > 0) {
    return Math.max(...violations.map(({ confidence = DEFAULT_CONFIDENCE }) => confidence));
  }
  const { answers, ruleErrors, rulesSkipped, rulesNotEvaluated } = run;
  const silent = [...ruleErrors, ...rulesSkipped, ...rulesNotEvaluated];
  const asked = answers.length + silent.length;
  return asked === 0 ? 0 : answers.length / asked;
}

/** Lists the ways of hiding words, if some rule has read the messages. */
function evasionsOf({ userMessage, agentResponse }: Exchange, run: RuleRun): string[] {
  // There may be nothing left to read them with.
  if (run.rulesNotEvaluated.length > 0) return [];
  return [...new Set([...(userMessage?.evasions ?? []), ...(agentResponse?.evasions ?? [])])];
}

/** Adds to each finding the other rules that found something. */
function toRelated(violations: readonly ComplianceFlag[]): ComplianceFlag[] {
  const rules = new Set(violations.map(({ rule }) => rule));
  if (rules.size < 2) return [...violations];
  return violations.map((violation) => ({
    ...violation,
    context: {
      ...violation.context,
      relatedViolations: [...rules].filter((rule) => rule !== violation.rule),
    },
  }));
}

function withoutEmpty(lists: Readonly<Record<string, string[]>>): Partial<EvaluationMetadata> {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

/** Sums up the answers of the rules. */
export function toEvaluation(
  run: RuleRun,
  view: ContextView,
  exchange: Exchange,
  riskThreshold: number,
  evaluationTime: number,
): ComplianceEvaluation {
  const { answers, mandatoryMissing, ...lists } = run;
  const violations = groupByPassage(toRelated(answers.flatMap(({ findings }) => findings)));
  const candidates = answers.reduce((sum, answer) => sum + answer.candidates.length, 0);
  const riskScore = riskScoreOf(answers, contextExponent(view.context));
  const evaluated = answers.length > 0;
  const isWhole = lists.rulesNotEvaluated.length === 0;
  return {
    isCompliant:
      evaluated && isWhole && violations.every(({ severity }) => severity !== "violation"),
    violations,
    riskScore,
    requiresReview:
      mandatoryMissing ||
      !isWhole ||
      view.unreadable.length > 0 ||
      lists.reviewRules.length > 0 ||
      ((violations.length > 0 || riskScore > 0) && riskScore >= riskThreshold),
    metadata: {
      evaluated,
      evaluationTime,
      rulesEvaluated: answers.length,
      confidence: confidenceOf(violations, run),
      riskThreshold,
      ...(candidates > 0 && { candidates }),
      ...withoutEmpty({
        ...lists,
        evasions: evasionsOf(exchange, run),
        unreadable: [...view.unreadable],
        ignored: [...view.ignored],
      }),
      ...(view.truncated && { truncated: true }),
    },
  };
}

/** What an evaluation may give beside the verdict. */
interface WantedFacts extends Pick<RuleRun, "answers"> {
  readonly turns: readonly RememberedTurn[];
  readonly families: () => readonly ComplianceCategory[];
}

/** Adds to an evaluation what its caller asked for beside the verdict. */
export function addWanted(
  evaluation: ComplianceEvaluation,
  // Spelt out: one of them is internal, and no name of it stands in the published types.
  wanted: { readonly candidates?: boolean; readonly turns?: boolean },
  { answers, turns, families }: WantedFacts,
): void {
  if (wanted.candidates === true)
    evaluation.candidates = answers.flatMap(({ candidates }) => candidates);
  if (wanted.turns !== true) return;
  evaluation.turns = turns;
  evaluation.families = families();
}
