import type { Clock } from "../util/clock.ts";
import { toErrorName } from "../util/logger.ts";
import type { ContextView } from "./context-view.ts";
import type { ComplianceEvaluation } from "./evaluation.ts";
import { groupByPassage } from "./passages.ts";
import { contextExponent, riskScoreOf } from "./scoring.ts";
import { readRuleAnswer, type RuleAnswer } from "./rule-answer.ts";
import type { LateAnswer, RoundTools, RuleRound } from "./rule-round.ts";
import type { RuleSelection } from "./rule-selector.ts";

/** Longest time that an asynchronous rule may take, in milliseconds. */
const MAX_LATE_MILLIS = 250;

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
  { clock, log }: RoundTools,
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

/** Adds what asynchronous rules answer; never rejects. */
export function addLate(
  evaluation: ComplianceEvaluation,
  { late, run, view }: RuleRound,
  { riskThreshold }: RuleSelection,
  tools: RoundTools,
): void {
  const answering = Promise.all(late.map((answer) => readLateAnswer(answer, view, tools))).then(
    (answers) => answers.filter((answer) => answer !== undefined),
  );
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
