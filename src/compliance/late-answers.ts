import type { ComplianceRule } from "../events/compliance.ts";
import type { Clock } from "../util/clock.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";
import type { ContextView } from "./context-view.ts";
import type { ComplianceEvaluation, RuleRun } from "./evaluation.ts";
import { groupByPassage } from "./passages.ts";
import { contextExponent, riskScoreOf } from "./scoring.ts";
import { readRuleAnswer, type RuleAnswer } from "./rule-answer.ts";

/** Longest time that an asynchronous rule may take, in milliseconds. */
const MAX_LATE_MILLIS = 250;

/** The promise of a rule. */
export interface LateAnswer {
  readonly rule: ComplianceRule;
  readonly result: PromiseLike<unknown>;
}

interface Tools {
  readonly clock: Clock;
  readonly log: BurstLogger;
}

/** Rejects when the time is over first. */
async function withinTime(result: PromiseLike<unknown>, clock: Clock): Promise<unknown> {
  let cancel: (() => void) | undefined;
  const timeout = new Promise<never>((_, reject) => {
    cancel = clock.schedule(() => {
      reject(new Error(`took more than ${MAX_LATE_MILLIS} ms`));
    }, MAX_LATE_MILLIS);
  });
  try {
    return await Promise.race([result, timeout]);
  } finally {
    cancel?.();
  }
}

async function readLateAnswer(
  { rule, result }: LateAnswer,
  view: ContextView,
  { clock, log }: Tools,
): Promise<RuleAnswer | undefined> {
  try {
    return readRuleAnswer(rule, await withinTime(result, clock), view, clock.now());
  } catch (error) {
    log.log(
      "error",
      `compliance_rule_late:${rule.id}`,
      `compliance rule "${rule.id}" gave no answer in ${MAX_LATE_MILLIS} ms: ${toErrorName(error)}`,
    );
    return undefined;
  }
}

/** Collects the answers of asynchronous rules; never rejects. */
async function readLateAnswers(
  late: readonly LateAnswer[],
  view: ContextView,
  tools: Tools,
): Promise<readonly RuleAnswer[]> {
  const answers = await Promise.all(late.map((answer) => readLateAnswer(answer, view, tools)));
  return answers.filter((answer) => answer !== undefined);
}

/** What an evaluation has come to by then. */
interface Round {
  readonly late: readonly LateAnswer[];
  readonly run: RuleRun;
  readonly view: ContextView;
}

/** Adds what asynchronous rules answer. */
export function addLate(
  evaluation: ComplianceEvaluation,
  { late, run, view }: Round,
  { riskThreshold }: { readonly riskThreshold: number },
  tools: Tools,
): void {
  const answering = readLateAnswers(late, view, tools);
  const { violations } = evaluation;
  evaluation.late = answering.then((answers) => {
    const found = answers.flatMap(({ findings }) => findings);
    // What has left already can't be grouped under what comes now.
    return groupByPassage([...violations, ...found]).slice(violations.length);
  });
  evaluation.lateVerdict = answering.then((answers) => {
    const riskScore = riskScoreOf([...run.answers, ...answers], contextExponent(view.context));
    const hasNews = answers.some(({ findings, ownScore }) => findings.length > 0 || ownScore);
    const isReviewed = answers.some(({ requiresReview }) => requiresReview);
    const isRisky = hasNews && riskScore >= riskThreshold;
    return { riskScore, requiresReview: evaluation.requiresReview || isRisky || isReviewed };
  });
}
