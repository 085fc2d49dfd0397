import type { Context } from "@opentelemetry/api";
import type { LogRecord } from "@opentelemetry/api-logs";
import { millisToHrTime } from "@opentelemetry/core";
import type { ContentPolicy } from "../config/config.ts";
import type { ComplianceViolationEvent, DetailedEvent } from "../events/detailed-event.ts";
import { readJudgeResult } from "../events/judge-result.ts";
import { readToldVerdict } from "../events/late-finding.ts";
import { rollUpOf, toLateFinding, type ComplianceAssessment } from "./compliance-assessment.ts";
import type { Conversation } from "./conversations.ts";
import {
  emitRecords,
  toAssessmentRecords,
  toFindingRecords,
  toTextFilter,
  type TextFilter,
} from "./finding-record.ts";
import { toJudgeRecord } from "./judge-record.ts";
import { toJudgeAttributes } from "./log-record.ts";
import type { SignalSource } from "./providers.ts";

/** Writes what the rules found in a tracked answer; an answer without findings costs nothing. */
export type FindingWriter = (
  event: DetailedEvent,
  conversation: Conversation,
  toContext: () => Context,
) => void;

/** What a FindingWriter works with. */
export interface FindingWriterOptions {
  readonly signals: SignalSource;
  readonly content: ContentPolicy;
  /** Redacts the texts of findings under the policy `redacted`. */
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
  const { riskScore = 0, requiresReview } = readToldVerdict(event);
  const judged = readJudgeResult(event);
  const records = toFindingRecords([finding], { ...event, eventId }, filter);
  if (!judged) return { assessment: { findings: [finding], riskScore, requiresReview }, records };
  const attributes = toJudgeAttributes(event);
  const told = records.map((record) => ({
    ...record,
    attributes: { ...record.attributes, ...attributes },
  }));
  return {
    // An opinion restates a finding that was counted with its answer.
    assessment: { findings: judged.isOpinion ? [] : [finding], riskScore, requiresReview },
    records: [...told, toJudgeRecord(event, judged, filter)],
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
export function createFindingWriter({
  signals,
  content,
  redact,
}: FindingWriterOptions): FindingWriter {
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
