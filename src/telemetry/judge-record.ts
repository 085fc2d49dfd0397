import { SeverityNumber, type AnyValueMap, type LogRecord } from "@opentelemetry/api-logs";
import type { DetailedEvent } from "../events/detailed-event.ts";
import type { JudgeResult } from "../events/judge-result.ts";
import * as semconv from "../semconv.ts";
import { toIdentity, type AssessedAnswer, type TextFilter } from "./finding-record.ts";
import { toEvaluatorAttributes, toJudgeAttributes } from "./log-record.ts";

/** Name of the evaluations that the judge makes. */
const EVALUATION_NAME = "agent_monitor.judge";

/** A judgement by one family of rules in which nobody has found anything. */
export interface CleanJudgement {
  readonly family: string;
  readonly evaluator: object;
}

/** How sure the judge is that there is something; it does not say it of what it has not found itself. */
function toScore({ tier, confidence }: JudgeResult): AnyValueMap {
  const score = tier === "contradicted" ? 0 : confidence;
  return score === undefined ? {} : { [semconv.ATTR_GEN_AI_EVALUATION_SCORE_VALUE]: score };
}

/**
 * Writes what the judge says as the result of an evaluation.
 *
 * @param filter - Of `toTextFilter`: the reason is what a model wrote about the conversation.
 */
export function toJudgeRecord(
  event: DetailedEvent,
  result: JudgeResult,
  filter: TextFilter | undefined,
): LogRecord {
  const { eventId, finding, reason, isOpinion, tier } = result;
  return {
    eventName: semconv.EVENT_GEN_AI_EVALUATION_RESULT,
    severityNumber: SeverityNumber.INFO,
    attributes: {
      ...toIdentity({ ...event, eventId }),
      ...toJudgeAttributes(event),
      [semconv.ATTR_COMPLIANCE_RULE_ID]: finding.rule,
      [semconv.ATTR_COMPLIANCE_RULE_CATEGORY]: finding.category,
      [semconv.ATTR_GEN_AI_EVALUATION_NAME]: EVALUATION_NAME,
      [semconv.ATTR_GEN_AI_EVALUATION_SCORE_LABEL]: isOpinion ? tier : "finding",
      ...toScore(result),
      ...(filter &&
        reason !== undefined && {
          [semconv.ATTR_GEN_AI_EVALUATION_EXPLANATION]: filter(reason),
        }),
    },
  };
}

/** Writes that nothing was found by a family. */
export function toCleanRecord(judgement: CleanJudgement, answer: AssessedAnswer): LogRecord {
  return {
    eventName: semconv.EVENT_GEN_AI_EVALUATION_RESULT,
    severityNumber: SeverityNumber.INFO,
    attributes: {
      ...toIdentity(answer),
      ...toEvaluatorAttributes(judgement.evaluator),
      [semconv.ATTR_COMPLIANCE_RULE_CATEGORY]: judgement.family,
      [semconv.ATTR_GEN_AI_EVALUATION_NAME]: EVALUATION_NAME,
      [semconv.ATTR_GEN_AI_EVALUATION_SCORE_LABEL]: "no_findings",
      [semconv.ATTR_GEN_AI_EVALUATION_SCORE_VALUE]: 0,
    },
  };
}
