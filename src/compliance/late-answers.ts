import type { ComplianceFlag, ComplianceRule } from "../events/compliance.ts";
import type { Clock } from "../util/clock.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";
import type { ContextView } from "./context-view.ts";
import { readRuleAnswer } from "./rule-answer.ts";

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
): Promise<readonly ComplianceFlag[]> {
  try {
    return readRuleAnswer(rule, await withinTime(result, clock), view, clock.now()).findings;
  } catch (error) {
    log.log(
      "error",
      `compliance_rule_late:${rule.id}`,
      `compliance rule "${rule.id}" gave no answer in ${MAX_LATE_MILLIS} ms: ${toErrorName(error)}`,
    );
    return [];
  }
}

/** Collects the findings of asynchronous rules; never rejects. */
export async function readLateAnswers(
  late: readonly LateAnswer[],
  view: ContextView,
  tools: Tools,
): Promise<readonly ComplianceFlag[]> {
  const findings = await Promise.all(late.map((answer) => readLateAnswer(answer, view, tools)));
  return findings.flat();
}
