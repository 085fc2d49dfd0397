import type { Context, HrTime } from "@opentelemetry/api";
import { type AnyValueMap, type LogRecord, SeverityNumber } from "@opentelemetry/api-logs";
import { millisToHrTime } from "@opentelemetry/core";
import type { ContentPolicy } from "../config/config.ts";
import type { ComplianceFlag } from "../events/compliance.ts";
import type { ComplianceViolationEvent, DetailedEvent } from "../events/detailed-event.ts";
import { type JudgeResult, readJudgeResult } from "../events/judge-result.ts";
import { readEventVerdict } from "../events/late-finding.ts";
import type { Redactor } from "../redaction/redactor.ts";
import * as semconv from "../semconv.ts";
import { readMember } from "../util/untrusted-values.ts";
import { FINDING_FIELD_ATTRIBUTES } from "./attribute-mapping.ts";
import { type ComplianceAssessment, rollUpOf, toLateFinding } from "./compliance-assessment.ts";
import { type Conversation, toRecordContext } from "./conversations.ts";
import { toTextAttributes } from "./frequent-attributes.ts";
import { EVALUATOR_ATTRIBUTES, SEVERITY_NUMBERS, toJudgeAttributes } from "./log-record.ts";
import type { SignalSource } from "./providers.ts";

/** Names of an answer and of who takes part, and their attributes. */
const NAME_ATTRIBUTES = [
  // The provider's id of the response.
  ["responseId", semconv.ATTR_GEN_AI_RESPONSE_ID],
  ["agentId", semconv.ATTR_GEN_AI_AGENT_ID],
  ["agentName", semconv.ATTR_GEN_AI_AGENT_NAME],
  ["agentVersion", semconv.ATTR_GEN_AI_AGENT_VERSION],
  ["sessionId", semconv.ATTR_SESSION_ID],
  ["conversationId", semconv.ATTR_GEN_AI_CONVERSATION_ID],
  ["userId", semconv.ATTR_USER_ID],
] as const;

/** The answer that findings are about; its `eventId` is that of the tracked answer's event. */
export type AssessedAnswer = {
  readonly [Name in "eventId" | (typeof NAME_ATTRIBUTES)[number][0]]?: string | undefined;
};

/** Filters a text for a destination. */
export type TextFilter = (text: string) => string;

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
  return policy === "full" ? (text) => text : redact;
}

/** Name of the rules' evaluation. */
const EVALUATION_NAME = "agent_monitor.compliance";

/** Returns the names of an answer as attributes. @param redactor - Redacts them, except for the id of the event. */
function toIdentity(answer: AssessedAnswer, redactor?: Redactor): AnyValueMap {
  const { eventId } = answer;
  return {
    ...(eventId !== undefined && { [semconv.ATTR_COMPLIANCE_ANSWER_ID]: eventId }),
    ...toTextAttributes(answer, NAME_ATTRIBUTES, redactor && ((name) => redactor.identifier(name))),
  };
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
    if (isSensitive !== true) attributes[attribute] = value as AnyValueMap[string];
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
 * @param more - Attributes of every record beside those of the finding and the answer.
 */
export function toFindingRecords(
  findings: readonly ComplianceFlag[],
  answer: AssessedAnswer,
  filter: TextFilter | undefined,
  more?: AnyValueMap,
): LogRecord[] {
  const identity = toIdentity(answer);
  return findings.map((finding) => ({
    eventName: semconv.EVENT_COMPLIANCE_FINDING,
    severityNumber: SEVERITY_NUMBERS[finding.severity],
    attributes: { ...identity, ...toFindingAttributes(finding, filter), ...more },
  }));
}

function toEvaluationResult(attributes: AnyValueMap): LogRecord {
  return {
    eventName: semconv.EVENT_GEN_AI_EVALUATION_RESULT,
    severityNumber: SeverityNumber.INFO,
    attributes,
  };
}

/**
 * Writes the rules' result for an answer: each finding, and the risk score as an evaluation result, whose explanation
 * lists rule ids and holds no text.
 */
export function toAssessmentRecords(
  assessment: ComplianceAssessment,
  answer: AssessedAnswer,
  filter: TextFilter | undefined,
): LogRecord[] {
  const ruleIds = [...new Set(assessment.findings.map(({ rule }) => rule))];
  const evaluation = toEvaluationResult({
    ...toIdentity(answer),
    [semconv.ATTR_GEN_AI_EVALUATION_NAME]: EVALUATION_NAME,
    [semconv.ATTR_GEN_AI_EVALUATION_SCORE_VALUE]: assessment.riskScore,
    [semconv.ATTR_GEN_AI_EVALUATION_SCORE_LABEL]: toLabel(assessment),
    ...(ruleIds.length > 0 && {
      [semconv.ATTR_GEN_AI_EVALUATION_EXPLANATION]: ruleIds.join(", "),
    }),
  });
  return [...toFindingRecords(assessment.findings, answer, filter), evaluation];
}

/** Emits records with one context and one time, where there is a logger. */
export function emitRecords(
  signals: SignalSource,
  records: readonly LogRecord[],
  context: Context,
  timestamp?: HrTime,
): void {
  const logger = signals.logger();
  for (const record of records) {
    logger?.emit({ ...record, context, ...(timestamp && { timestamp }) });
  }
}

/** Name of the judge's evaluations. */
const JUDGE_EVALUATION_NAME = "agent_monitor.judge";

/** The judge's result for one family of rules without a finding. */
export interface CleanJudgement {
  readonly family: string;
  readonly evaluator: object;
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
  const { eventId, finding, reason, isOpinion, tier, confidence } = result;
  // Findings of others have no confidence.
  const score = tier === "contradicted" ? 0 : confidence;
  return toEvaluationResult({
    ...toIdentity({ ...event, eventId }),
    ...toJudgeAttributes(event),
    [semconv.ATTR_COMPLIANCE_RULE_ID]: finding.rule,
    [semconv.ATTR_COMPLIANCE_RULE_CATEGORY]: finding.category,
    [semconv.ATTR_GEN_AI_EVALUATION_NAME]: JUDGE_EVALUATION_NAME,
    [semconv.ATTR_GEN_AI_EVALUATION_SCORE_LABEL]: isOpinion ? tier : "finding",
    ...(score !== undefined && { [semconv.ATTR_GEN_AI_EVALUATION_SCORE_VALUE]: score }),
    ...(filter &&
      reason !== undefined && { [semconv.ATTR_GEN_AI_EVALUATION_EXPLANATION]: filter(reason) }),
  });
}

/** Writes a family's result without a finding. @param redactor - Redacts whom the record is about. */
export function toCleanRecord(
  judgement: CleanJudgement,
  answer: AssessedAnswer,
  redactor: Redactor | undefined,
): LogRecord {
  return toEvaluationResult({
    ...toIdentity(answer, redactor),
    ...toTextAttributes(judgement.evaluator, EVALUATOR_ATTRIBUTES),
    [semconv.ATTR_COMPLIANCE_RULE_CATEGORY]: judgement.family,
    [semconv.ATTR_GEN_AI_EVALUATION_NAME]: JUDGE_EVALUATION_NAME,
    [semconv.ATTR_GEN_AI_EVALUATION_SCORE_LABEL]: "no_findings",
    [semconv.ATTR_GEN_AI_EVALUATION_SCORE_VALUE]: 0,
  });
}

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
  const answer = { ...event, eventId };
  const records = toFindingRecords([finding], answer, filter, toJudgeAttributes(event));
  return {
    // An opinion restates a finding that was counted with its answer.
    assessment: { findings: judged?.isOpinion ? [] : [finding], riskScore, requiresReview },
    records: judged ? [...records, toJudgeRecord(event, judged, filter)] : records,
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

/** Writes what was found in a tracked answer as log records, and sums it up on the span of its conversation. */
export function writeFindings(
  event: DetailedEvent,
  conversation: Conversation,
  signals: SignalSource,
  filter: TextFilter | undefined,
): void {
  const found = readFindings(event, filter);
  if (!found) return;
  if (conversation.span) {
    const rollUp = rollUpOf(conversation.span);
    rollUp.add(found.assessment);
    conversation.span.setAttributes(rollUp.toAttributes());
  }
  const time = millisToHrTime(event.timestamp);
  emitRecords(signals, found.records, toRecordContext(conversation), time);
}
