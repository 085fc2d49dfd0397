import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from "@opentelemetry/api";
import type { ContentPolicy } from "../config.ts";
import type { AgentInfo } from "../events/agent.ts";
import type { DetailedEvent } from "../events/detailed-event.ts";
import type { Conversation } from "./conversations.ts";
import { encodeLogRecord } from "./log-record.ts";
import type { SignalSource } from "./providers.ts";
import * as semconv from "./semconv.ts";
import { toSpanAttributes } from "./span-event.ts";

/** Writes events to the application's telemetry: conversation and turn spans, span events, log records. */
export interface Telemetry {
  record(event: DetailedEvent, conversation: Conversation, agent: AgentInfo | undefined): void;
  /** Ends the spans of a conversation that is given up, marked as incomplete. */
  abandon(conversation: Conversation): void;
}

export interface TelemetryOptions {
  readonly signals: SignalSource;
  readonly content: ContentPolicy;
}

function toIdentityAttributes({ identity, userId }: Conversation, agent: AgentInfo | undefined): Attributes {
  const { agentId, sessionId, conversationId } = identity;
  return {
    [semconv.ATTR_GEN_AI_AGENT_ID]: agentId,
    [semconv.ATTR_SESSION_ID]: sessionId,
    ...(conversationId !== undefined && { [semconv.ATTR_GEN_AI_CONVERSATION_ID]: conversationId }),
    ...(userId !== undefined && { [semconv.ATTR_USER_ID]: userId }),
    ...(agent && {
      [semconv.ATTR_GEN_AI_AGENT_NAME]: agent.name,
      [semconv.ATTR_GEN_AI_AGENT_VERSION]: agent.version,
      [semconv.ATTR_GEN_AI_PROVIDER_NAME]: agent.llmProvider,
      [semconv.ATTR_GEN_AI_REQUEST_MODEL]: agent.model,
    }),
  };
}

function startConversationSpan(tracer: Tracer, conversation: Conversation, agent: AgentInfo | undefined): Span {
  return tracer.startSpan(
    `conversation ${agent?.name ?? conversation.identity.agentId}`,
    {
      kind: SpanKind.INTERNAL,
      root: true,
      startTime: conversation.startedAt,
      attributes: toIdentityAttributes(conversation, agent),
    },
    ROOT_CONTEXT,
  );
}

/** A turn belongs into the trace of the request that asked for it, if that trace is recorded. */
function toTurnParent(conversationSpan: Span): Context {
  const active = context.active();
  return trace.getSpan(active)?.isRecording() ? active : trace.setSpan(ROOT_CONTEXT, conversationSpan);
}

function startTurnSpan(
  tracer: Tracer,
  conversation: Conversation,
  conversationSpan: Span,
  agent: AgentInfo | undefined,
  startTime: number,
): Span {
  return tracer.startSpan(
    `${semconv.GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT} ${agent?.name ?? conversation.identity.agentId}`,
    {
      kind: SpanKind.INTERNAL,
      startTime,
      attributes: {
        [semconv.ATTR_GEN_AI_OPERATION_NAME]: semconv.GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT,
        ...toIdentityAttributes(conversation, agent),
      },
      links: [{ context: conversationSpan.spanContext() }],
    },
    toTurnParent(conversationSpan),
  );
}

/** Sums an answer up on the span of its turn. */
function setAnswerAttributes(span: Span, attributes: Attributes): void {
  for (const key of [
    semconv.ATTR_GEN_AI_RESPONSE_MODEL,
    semconv.ATTR_GEN_AI_USAGE_INPUT_TOKENS,
    semconv.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
    semconv.ATTR_COMPLIANCE_RISK_SCORE,
    semconv.ATTR_COMPLIANCE_REQUIRES_REVIEW,
    semconv.ATTR_COMPLIANCE_VIOLATIONS,
  ]) {
    const value = attributes[key];
    if (value !== undefined) span.setAttribute(key, value);
  }
}

function endTurn(conversation: Conversation, endTime: number): void {
  conversation.turnSpan?.end(endTime);
  conversation.turnSpan = undefined;
}

/** Creates the telemetry path. */
export function createTelemetry({ signals, content }: TelemetryOptions): Telemetry {
  const openSpans = (event: DetailedEvent, conversation: Conversation, agent: AgentInfo | undefined): void => {
    const tracer = signals.tracer();
    if (!tracer) return;
    conversation.span ??= startConversationSpan(tracer, conversation, agent);
    if (event.interactionType !== "user_message") return;
    endTurn(conversation, event.timestamp);
    conversation.turnSpan = startTurnSpan(tracer, conversation, conversation.span, agent, event.timestamp);
  };

  const closeSpans = (event: DetailedEvent, conversation: Conversation, attributes: Attributes): void => {
    if (event.interactionType === "agent_response" && conversation.turnSpan) {
      setAnswerAttributes(conversation.turnSpan, attributes);
      endTurn(conversation, event.timestamp);
    }
    if (event.interactionType !== "conversation_end") return;
    endTurn(conversation, event.timestamp);
    if (event.metadata?.endReason === "error") {
      conversation.span?.setStatus({ code: SpanStatusCode.ERROR });
    }
    conversation.span?.end(event.timestamp);
    conversation.span = undefined;
  };

  return {
    record(event, conversation, agent) {
      openSpans(event, conversation, agent);
      const logger = signals.logger();
      const span = conversation.turnSpan ?? conversation.span;
      const isSpanRecording = span?.isRecording() ?? false;
      if (!logger && !isSpanRecording) {
        closeSpans(event, conversation, {});
        return;
      }
      const encoded = encodeLogRecord(event, content);
      const attributes = span && isSpanRecording ? toSpanAttributes(encoded) : {};
      if (span && isSpanRecording) span.addEvent(encoded.eventName, attributes, event.timestamp);
      logger?.emit({ ...encoded, context: span ? trace.setSpan(ROOT_CONTEXT, span) : context.active() });
      closeSpans(event, conversation, attributes);
    },
    abandon(conversation) {
      const span = conversation.span;
      conversation.turnSpan?.setAttribute(semconv.ATTR_CONVERSATION_INCOMPLETE, true);
      conversation.turnSpan?.end();
      span?.setAttribute(semconv.ATTR_CONVERSATION_INCOMPLETE, true);
      span?.end();
      conversation.turnSpan = undefined;
      conversation.span = undefined;
    },
  };
}
