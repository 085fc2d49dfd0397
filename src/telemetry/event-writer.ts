import {
  context,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Attributes,
  type AttributeValue,
  type Context,
  type HrTime,
  type Span,
} from "@opentelemetry/api";
import type { AnyValue, AnyValueMap, Logger } from "@opentelemetry/api-logs";
import type { ContentPolicy } from "../config/config.ts";
import type { ErrorSeverity } from "../events/base-event.ts";
import { addContentHash } from "../events/content-hash.ts";
import type { AgentResponseEvent, DetailedEvent, ErrorEvent } from "../events/detailed-event.ts";
import * as semconv from "../semconv.ts";
import { findRollUp, toAssessmentAttributes } from "./compliance-assessment.ts";
import type { Conversation } from "./conversations.ts";
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

function toSpanValue(value: AnyValue): AttributeValue | undefined {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (value === null || value === undefined) return undefined;
  return JSON.stringify(value);
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
  { complianceFlags, riskScore, requiresReview }: AgentResponseEvent,
  policy: ContentPolicy,
): Attributes {
  if (!complianceFlags && riskScore === undefined) {
    return requiresReview === undefined ? {} : { [semconv.ATTR_COMPLIANCE_EVALUATED]: false };
  }
  const assessment = {
    findings: complianceFlags ?? [],
    riskScore: riskScore ?? 0,
    requiresReview: requiresReview === true,
  };
  const rollUp = findRollUp(span);
  // A model call inside the turn may have reported the same answer.
  rollUp?.addOnce(assessment);
  const attributes = {
    ...toAssessmentAttributes(assessment, policy),
    ...rollUp?.toAttributes(),
  };
  // A score that includes a confidential finding is confidential itself.
  if (riskScore === undefined) {
    delete attributes[semconv.ATTR_COMPLIANCE_RISK_SCORE];
    delete attributes[semconv.ATTR_COMPLIANCE_REQUIRES_REVIEW];
  }
  return attributes;
}

/**
 * Writes the summary of an answer on the span of its turn.
 *
 * @param attributes - Attributes of the answer's span event.
 */
function writeAnswer(
  span: Span,
  event: AgentResponseEvent,
  attributes: Attributes,
  policy: ContentPolicy,
): void {
  for (const key of FROM_EVENT) {
    const value = attributes[key];
    if (value !== undefined) span.setAttribute(key, value);
  }
  span.setAttributes(toComplianceAttributes(span, event, policy));
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
  if (policy && event.interactionType === "agent_response") {
    writeAnswer(span, event, attributes, policy);
  }
}

/** Returns the context of the open span, created once for all its records. */
export function toRecordContext(conversation: Conversation, span: Span | undefined): Context {
  if (!span) return context.active();
  if (conversation.recordContext?.span !== span) {
    conversation.recordContext = { span, context: trace.setSpan(ROOT_CONTEXT, span) };
  }
  return conversation.recordContext.context;
}

function emit(logger: Logger, encoded: EncodedEvent, recordContext: Context): void {
  logger.emit({
    eventName: encoded.eventName,
    timestamp: encoded.timestamp,
    severityNumber: encoded.severityNumber,
    attributes: encoded.attributes,
    context: recordContext,
  });
}

/** Creates a function that writes an event on the open turn, else on its conversation, and as a log record. */
export function createEventWriter({
  signals,
  content,
}: TelemetryOptions): (event: DetailedEvent, conversation: Conversation) => void {
  const encode = (event: DetailedEvent): EncodedEvent => {
    if (content === "full") addContentHash(event);
    return encodeLogRecord(event, content);
  };

  return (event, conversation) => {
    const span = conversation.turn?.span ?? conversation.span;
    const encoded = span?.isRecording() ? encode(event) : undefined;
    try {
      if (span && encoded) {
        addToSpan(span, event, encoded, span === conversation.turn?.span ? content : undefined);
      }
    } finally {
      const logger = signals.logger();
      if (logger) emit(logger, encoded ?? encode(event), toRecordContext(conversation, span));
    }
  };
}
