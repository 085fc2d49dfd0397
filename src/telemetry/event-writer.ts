import { SpanStatusCode, type Attributes, type HrTime, type Span } from "@opentelemetry/api";
import type { AnyValue, AnyValueMap } from "@opentelemetry/api-logs";
import type { ContentPolicy } from "../config/config.ts";
import type { ErrorSeverity } from "../events/base-event.ts";
import { addContentHash } from "../events/content-hash.ts";
import type { AgentResponseEvent, DetailedEvent, ErrorEvent } from "../events/detailed-event.ts";
import * as semconv from "../semconv.ts";
import { findRollUp, toAssessmentAttributes } from "./compliance-assessment.ts";
import { type Conversation, toRecordContext } from "./conversations.ts";
import { type EncodedEvent, encodeLogRecord } from "./log-record.ts";
import type { TelemetryOptions } from "./finding-record.ts";

/** Severities at which the operation itself counts as failed. */
const FAILING: ReadonlySet<ErrorSeverity> = new Set(["high", "critical"]);

const EXCEPTION_ATTRIBUTES = [
  semconv.ATTR_EXCEPTION_TYPE,
  semconv.ATTR_EXCEPTION_MESSAGE,
  semconv.ATTR_EXCEPTION_STACKTRACE,
] as const;

/**
 * Writes an error on its span as backends expect it: as an `exception` event, and as the span's status when it is
 * serious.
 *
 * @param attributes - Attributes of the error's span event, which hold texts only as the content policy allows.
 * @see https://opentelemetry.io/docs/specs/semconv/exceptions/exceptions-spans/
 */
function writeError(
  span: Span,
  { severity, errorType }: ErrorEvent,
  attributes: Attributes,
  time: HrTime,
): void {
  const exception: Attributes = {};
  for (const key of EXCEPTION_ATTRIBUTES) {
    const value = attributes[key];
    if (value !== undefined) exception[key] = value;
  }
  span.addEvent(semconv.EVENT_EXCEPTION, exception, time);
  if (!FAILING.has(severity)) return;
  const message = attributes[semconv.ATTR_EXCEPTION_MESSAGE];
  span.setAttribute(semconv.ATTR_ERROR_TYPE, errorType);
  span.setStatus({
    code: SpanStatusCode.ERROR,
    ...(typeof message === "string" && { message }),
  });
}

function toSpanValue(value: AnyValue): Attributes[string] {
  if (value === null || value === undefined) return undefined;
  return typeof value === "object" ? JSON.stringify(value) : value;
}

/** Returns the names of the attributes that hold JSON here, including those of the record. */
function findJsonAttributes(attributes: AnyValueMap): string[] {
  const inRecord = (attributes[semconv.ATTR_EVENT_JSON_ATTRIBUTES] ?? []) as string[];
  const structured = Object.keys(attributes).filter(
    (key) => typeof attributes[key] === "object" && key !== semconv.ATTR_EVENT_JSON_ATTRIBUTES,
  );
  return [...inRecord, ...structured];
}

/** Converts an event's attributes for a span: OTel 2.x silently drops structured values there. */
export function toSpanAttributes({ attributes, isFlat }: EncodedEvent): Attributes {
  if (isFlat) return attributes as Attributes;
  const target: Attributes = {};
  for (const key in attributes) {
    const value = toSpanValue(attributes[key]);
    if (value !== undefined) target[key] = value;
  }
  // The event is complete: its decoder must know which texts are JSON.
  if (attributes[semconv.ATTR_EVENT_LENGTH] !== undefined) {
    target[semconv.ATTR_EVENT_JSON_ATTRIBUTES] = findJsonAttributes(attributes);
  }
  return target;
}

const FROM_EVENT = [
  semconv.ATTR_GEN_AI_RESPONSE_MODEL,
  semconv.ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  semconv.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
] as const;

/** Returns the rules' findings as on the spans of other instrumentations; nothing when no rule ran. */
function toComplianceAttributes(
  span: Span,
  event: AgentResponseEvent,
  policy: ContentPolicy,
): Attributes {
  const { complianceFlags: findings = [], riskScore = 0, requiresReview = false } = event;
  if (!event.complianceFlags && event.riskScore === undefined) {
    return event.requiresReview === undefined ? {} : { [semconv.ATTR_COMPLIANCE_EVALUATED]: false };
  }
  const assessment = { findings, riskScore, requiresReview };
  const rollUp = findRollUp(span);
  // A model call inside the turn may have reported the same answer.
  rollUp?.addOnce(assessment);
  const attributes = { ...toAssessmentAttributes(assessment, policy), ...rollUp?.toAttributes() };
  // A score that includes a confidential finding is confidential itself.
  if (event.riskScore === undefined) {
    delete attributes[semconv.ATTR_COMPLIANCE_RISK_SCORE];
    delete attributes[semconv.ATTR_COMPLIANCE_REQUIRES_REVIEW];
  }
  return attributes;
}

/** Writes an event on a span, and its effect on the span. @param policy - Set for an answer that ends its turn. */
function addToSpan(
  span: Span,
  event: DetailedEvent,
  encoded: EncodedEvent,
  policy: ContentPolicy | undefined,
): void {
  const { eventName, timestamp } = encoded;
  const attributes = toSpanAttributes(encoded);
  span.addEvent(eventName, attributes, timestamp);
  if (event.interactionType === "error") writeError(span, event, attributes, timestamp);
  if (!policy || event.interactionType !== "agent_response") return;
  for (const key of FROM_EVENT) {
    const value = attributes[key];
    if (value !== undefined) span.setAttribute(key, value);
  }
  span.setAttributes(toComplianceAttributes(span, event, policy));
}

function encode(event: DetailedEvent, content: ContentPolicy): EncodedEvent {
  if (content === "full") addContentHash(event);
  return encodeLogRecord(event, content);
}

/** Writes an event on the open turn, else on its conversation, and as a log record. */
export function writeEvent(
  event: DetailedEvent,
  conversation: Conversation,
  { signals, content }: TelemetryOptions,
): void {
  const span = conversation.turn?.span ?? conversation.span;
  const encoded = span?.isRecording() ? encode(event, content) : undefined;
  try {
    if (span && encoded) {
      addToSpan(span, event, encoded, span === conversation.turn?.span ? content : undefined);
    }
  } finally {
    const logger = signals.logger();
    if (logger) {
      const { eventName, timestamp, severityNumber, attributes } =
        encoded ?? encode(event, content);
      const context = toRecordContext(conversation);
      logger.emit({ eventName, timestamp, severityNumber, attributes, context });
    }
  }
}
