import type { Context, HrTime } from "@opentelemetry/api";
import {
  SeverityNumber,
  type AnyValue,
  type AnyValueMap,
  type Logger,
  type LogRecord,
} from "@opentelemetry/api-logs";
import type { ContentPolicy } from "../config/config.ts";
import type { ComplianceFlag } from "../events/compliance.ts";
import { readMember } from "../util/untrusted-values.ts";
import { FINDING_FIELD_ATTRIBUTES } from "./attribute-mapping.ts";
import type { ComplianceAssessment } from "./compliance-assessment.ts";
import * as semconv from "../semconv.ts";
import { toFindingSeverityNumber } from "./severity.ts";

/** The answer that findings are about. */
export interface AssessedAnswer {
  /** Id of the tracked answer's event. */
  readonly eventId?: string | undefined;
  /** The provider's id of the response. */
  readonly responseId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly agentName?: string | undefined;
  readonly agentVersion?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly userId?: string | undefined;
}

/** Filters a text for a destination. */
export type TextFilter = (text: string) => string;

const unchanged: TextFilter = (text) => text;

/**
 * Returns the filter for the texts of findings; `undefined` leaves them out.
 *
 * @param redact - Filter of the policy `redacted`, which leaves texts out without it.
 */
export function toTextFilter(
  policy: ContentPolicy,
  redact: TextFilter | undefined,
): TextFilter | undefined {
  if (policy === "none") return undefined;
  return policy === "full" ? unchanged : redact;
}

/** Name of the rules' evaluation. */
const EVALUATION_NAME = "agent_monitor.compliance";

/** Returns the ids of an answer as attributes. */
export function toIdentity(answer: AssessedAnswer): AnyValueMap {
  const identity: AnyValueMap = {};
  const set = (key: string, value: string | undefined): void => {
    if (value !== undefined) identity[key] = value;
  };
  set(semconv.ATTR_COMPLIANCE_ANSWER_ID, answer.eventId);
  set(semconv.ATTR_GEN_AI_RESPONSE_ID, answer.responseId);
  set(semconv.ATTR_GEN_AI_AGENT_ID, answer.agentId);
  set(semconv.ATTR_GEN_AI_AGENT_NAME, answer.agentName);
  set(semconv.ATTR_GEN_AI_AGENT_VERSION, answer.agentVersion);
  set(semconv.ATTR_SESSION_ID, answer.sessionId);
  set(semconv.ATTR_GEN_AI_CONVERSATION_ID, answer.conversationId);
  set(semconv.ATTR_USER_ID, answer.userId);
  return identity;
}

function readField(finding: ComplianceFlag, field: string): unknown {
  const [member = "", inner] = field.split(".");
  const outer = readMember(finding, member);
  return inner === undefined ? outer : readMember(outer, inner);
}

function toFindingAttributes(finding: ComplianceFlag, filter: TextFilter | undefined): AnyValueMap {
  const attributes: AnyValueMap = {};
  for (const { field, attribute, isSensitive } of FINDING_FIELD_ATTRIBUTES) {
    const value = readField(finding, field);
    if (value === undefined || value === null) continue;
    if (isSensitive !== true) attributes[attribute] = value as AnyValue;
    else if (filter && typeof value === "string") attributes[attribute] = filter(value);
  }
  return attributes;
}

function toLabel({ findings, requiresReview }: ComplianceAssessment): string {
  if (requiresReview) return "requires_review";
  return findings.length > 0 ? "findings" : "no_findings";
}

/**
 * Writes findings as log records, one for each.
 *
 * @param filter - Result of `toTextFilter`.
 */
export function toFindingRecords(
  findings: readonly ComplianceFlag[],
  answer: AssessedAnswer,
  filter: TextFilter | undefined,
): LogRecord[] {
  const identity = toIdentity(answer);
  return findings.map((finding) => ({
    eventName: semconv.EVENT_COMPLIANCE_FINDING,
    severityNumber: toFindingSeverityNumber(finding.severity),
    attributes: { ...identity, ...toFindingAttributes(finding, filter) },
  }));
}

/** Writes the risk score of an answer as an evaluation result; its explanation lists rule ids and holds no text. */
function toEvaluationRecord(assessment: ComplianceAssessment, answer: AssessedAnswer): LogRecord {
  const ruleIds = [...new Set(assessment.findings.map(({ rule }) => rule))];
  return {
    eventName: semconv.EVENT_GEN_AI_EVALUATION_RESULT,
    severityNumber: SeverityNumber.INFO,
    attributes: {
      ...toIdentity(answer),
      [semconv.ATTR_GEN_AI_EVALUATION_NAME]: EVALUATION_NAME,
      [semconv.ATTR_GEN_AI_EVALUATION_SCORE_VALUE]: assessment.riskScore,
      [semconv.ATTR_GEN_AI_EVALUATION_SCORE_LABEL]: toLabel(assessment),
      ...(ruleIds.length > 0 && {
        [semconv.ATTR_GEN_AI_EVALUATION_EXPLANATION]: ruleIds.join(", "),
      }),
    },
  };
}

/** Writes the rules' result for an answer: each finding, and the score. */
export function toAssessmentRecords(
  assessment: ComplianceAssessment,
  answer: AssessedAnswer,
  filter: TextFilter | undefined,
): LogRecord[] {
  return [
    ...toFindingRecords(assessment.findings, answer, filter),
    toEvaluationRecord(assessment, answer),
  ];
}

/** Emits records with one context and one time. */
export function emitRecords(
  logger: Logger,
  records: readonly LogRecord[],
  context: Context,
  timestamp?: HrTime,
): void {
  for (const record of records) {
    logger.emit({ ...record, context, ...(timestamp && { timestamp }) });
  }
}
