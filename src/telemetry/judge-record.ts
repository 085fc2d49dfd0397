import { SeverityNumber, type AnyValueMap, type LogRecord } from "@opentelemetry/api-logs";
import type { DetailedEvent } from "../events/detailed-event.ts";
import type { JudgeResult } from "../events/judge-result.ts";
import * as semconv from "../semconv.ts";
import { toIdentity, type AssessedAnswer, type TextFilter } from "./finding-record.ts";
import { toEvaluatorAttributes, toJudgeAttributes } from "./log-record.ts";

/** Name of the judge's evaluations. */
const EVALUATION_NAME = "agent_monitor.judge";

/** The judge's result for one family of rules without a finding. */
export interface CleanJudgement {
  readonly family: string;
  readonly evaluator: object;
}

/** Returns the judge's confidence, 0 for a contradicted finding; findings of others have none. */
function toScore({ tier, confidence }: JudgeResult): AnyValueMap {
  const score = tier === "contradicted" ? 0 : confidence;
  return score === undefined ? {} : { [semconv.ATTR_GEN_AI_EVALUATION_SCORE_VALUE]: score };
}

/**
 * Writes a result of the judge as an evaluation result.
 *
 * @param filter - Result of `toTextFilter`: the reason is a model's text about the conversation.
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

/** Writes a family's result without a finding. */
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
