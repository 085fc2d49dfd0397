import type { Context, HrTime } from "@opentelemetry/api";
import {
  type AnyValue,
  type AnyValueMap,
  type LogRecord,
  type Logger,
  SeverityNumber,
} from "@opentelemetry/api-logs";
import { millisToHrTime } from "@opentelemetry/core";
import type { ContentPolicy } from "../config/config.ts";
import type { ComplianceFlag } from "../events/compliance.ts";
import type { ComplianceViolationEvent, DetailedEvent } from "../events/detailed-event.ts";
import { type JudgeResult, readJudgeResult } from "../events/judge-result.ts";
import { readEventVerdict } from "../events/late-finding.ts";
import * as semconv from "../semconv.ts";
import { readMember } from "../util/untrusted-values.ts";
import { FINDING_FIELD_ATTRIBUTES } from "./attribute-mapping.ts";
import { type ComplianceAssessment, rollUpOf, toLateFinding } from "./compliance-assessment.ts";
import type { Conversation } from "./conversations.ts";
import { toEvaluatorAttributes, toFindingSeverityNumber, toJudgeAttributes } from "./log-record.ts";
import type { SignalSource } from "./providers.ts";

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
function toIdentity(answer: AssessedAnswer): AnyValueMap {
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

function toEvaluationResult(attributes: AnyValueMap): LogRecord {
  return {
    eventName: semconv.EVENT_GEN_AI_EVALUATION_RESULT,
    severityNumber: SeverityNumber.INFO,
    attributes,
  };
}

/** Writes the risk score of an answer as an evaluation result; its explanation lists rule ids and holds no text. */
function toEvaluationRecord(assessment: ComplianceAssessment, answer: AssessedAnswer): LogRecord {
  const ruleIds = [...new Set(assessment.findings.map(({ rule }) => rule))];
  return toEvaluationResult({
    ...toIdentity(answer),
    [semconv.ATTR_GEN_AI_EVALUATION_NAME]: EVALUATION_NAME,
    [semconv.ATTR_GEN_AI_EVALUATION_SCORE_VALUE]: assessment.riskScore,
    [semconv.ATTR_GEN_AI_EVALUATION_SCORE_LABEL]: toLabel(assessment),
    ...(ruleIds.length > 0 && {
      [semconv.ATTR_GEN_AI_EVALUATION_EXPLANATION]: ruleIds.join(", "),
    }),
  });
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

/** Name of the judge's evaluations. */
const JUDGE_EVALUATION_NAME = "agent_monitor.judge";

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
function toJudgeRecord(
  event: DetailedEvent,
  result: JudgeResult,
  filter: TextFilter | undefined,
): LogRecord {
  const { eventId, finding, reason, isOpinion, tier } = result;
  return toEvaluationResult({
    ...toIdentity({ ...event, eventId }),
    ...toJudgeAttributes(event),
    [semconv.ATTR_COMPLIANCE_RULE_ID]: finding.rule,
    [semconv.ATTR_COMPLIANCE_RULE_CATEGORY]: finding.category,
    [semconv.ATTR_GEN_AI_EVALUATION_NAME]: JUDGE_EVALUATION_NAME,
    [semconv.ATTR_GEN_AI_EVALUATION_SCORE_LABEL]: isOpinion ? tier : "finding",
    ...toScore(result),
    ...(filter &&
      reason !== undefined && { [semconv.ATTR_GEN_AI_EVALUATION_EXPLANATION]: filter(reason) }),
  });
}

/** Writes a family's result without a finding. */
export function toCleanRecord(judgement: CleanJudgement, answer: AssessedAnswer): LogRecord {
  return toEvaluationResult({
    ...toIdentity(answer),
    ...toEvaluatorAttributes(judgement.evaluator),
    [semconv.ATTR_COMPLIANCE_RULE_CATEGORY]: judgement.family,
    [semconv.ATTR_GEN_AI_EVALUATION_NAME]: JUDGE_EVALUATION_NAME,
    [semconv.ATTR_GEN_AI_EVALUATION_SCORE_LABEL]: "no_findings",
    [semconv.ATTR_GEN_AI_EVALUATION_SCORE_VALUE]: 0,
  });
}

/** Writes what the rules found in a tracked answer; an answer without findings costs nothing. */
type FindingWriter = (
  event: DetailedEvent,
  conversation: Conversation,
  toContext: () => Context,
) => void;

/** Where telemetry goes, and under which content policy. */
export interface TelemetryOptions {
  readonly signals: SignalSource;
  readonly content: ContentPolicy;
  /** Redacts the texts of findings under the policy `redacted`, which leaves them out without it. */
  readonly redact?: TextFilter | undefined;
}

interface FoundInEvent {
  readonly assessment: ComplianceAssessment;
  readonly records: LogRecord[];
}

/** Reads what came behind an answer: a finding of an asynchronous rule, or what the judge says. */
function readLate(
  event: ComplianceViolationEvent,
  filter: TextFilter | undefined,
): FoundInEvent | undefined {
  const finding = toLateFinding(event);
  if (!finding) return undefined;
  const answerId = event.metadata?.["eventId"];
  const eventId = typeof answerId === "string" ? answerId : undefined;
  const { riskScore = 0, requiresReview } = readEventVerdict(event);
  const judged = readJudgeResult(event);
  const records = toFindingRecords([finding], { ...event, eventId }, filter);
  if (!judged) return { assessment: { findings: [finding], riskScore, requiresReview }, records };
  const attributes = toJudgeAttributes(event);
  const ofRules = records.map((record) => ({
    ...record,
    attributes: { ...record.attributes, ...attributes },
  }));
  return {
    // An opinion restates a finding that was counted with its answer.
    assessment: { findings: judged.isOpinion ? [] : [finding], riskScore, requiresReview },
    records: [...ofRules, toJudgeRecord(event, judged, filter)],
  };
}

function readFindings(
  event: DetailedEvent,
  filter: TextFilter | undefined,
): FoundInEvent | undefined {
  if (event.interactionType === "agent_response" && event.complianceFlags?.length) {
    const { complianceFlags: findings, riskScore = 0, requiresReview = false } = event;
    const assessment = { findings, riskScore, requiresReview };
    return { assessment, records: toAssessmentRecords(assessment, event, filter) };
  }
  return event.interactionType === "compliance_violation" ? readLate(event, filter) : undefined;
}

/** Creates what writes findings as log records and sums them up on the span of their conversation. */
export function createFindingWriter({ signals, content, redact }: TelemetryOptions): FindingWriter {
  const filter = toTextFilter(content, redact);
  return (event, conversation, toContext) => {
    const found = readFindings(event, filter);
    if (!found) return;
    if (conversation.span) {
      const rollUp = rollUpOf(conversation.span);
      rollUp.add(found.assessment);
      conversation.span.setAttributes(rollUp.toAttributes());
    }
    const logger = signals.logger();
    if (logger) emitRecords(logger, found.records, toContext(), millisToHrTime(event.timestamp));
  };
}
