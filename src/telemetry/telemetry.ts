import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type HrTime,
  type Span,
  type Tracer,
} from "@opentelemetry/api";
import { millisToHrTime } from "@opentelemetry/core";
import type { AgentInfo, RegisteredAgent } from "../events/agent.ts";
import type { DetailedEvent } from "../events/detailed-event.ts";
import * as semconv from "../semconv.ts";
import { toPublicEvent, type PublicScore } from "./compliance-assessment.ts";
import {
  type AssessedAnswer,
  type CleanJudgement,
  type TelemetryOptions,
  createFindingWriter,
  emitRecords,
  toCleanRecord,
} from "./finding-record.ts";
import type { Conversation, OpenTurn } from "./conversations.ts";
import { createEventWriter, toRecordContext } from "./event-writer.ts";
import { toIdentityAttributes, type AgentOfTheMoment } from "./frequent-attributes.ts";

/** Writes events to the application's telemetry: conversation and turn spans, span events, log records. */
export interface Telemetry {
  /** @param publicScore - Of an answer of which a confidential finding is left out. */
  record(
    event: DetailedEvent,
    conversation: Conversation,
    agent: AgentInfo | undefined,
    publicScore?: PublicScore,
  ): void;
  /**
   * Starts a turn without tracked events, inside the active span if that is recording; `undefined` without a tracer.
   */
  startTurn(conversation: Conversation, agent: RegisteredAgent | undefined): OpenTurn | undefined;
  /**
   * Starts the record of an answer whose findings come later: its turn stays open for it, and later events are recorded
   * without that turn.
   *
   * @returns A function that records the final answer in its own turn and context.
   */
  recordLater(
    event: DetailedEvent,
    conversation: Conversation,
    agent: AgentInfo | undefined,
  ): (event: DetailedEvent, publicScore?: PublicScore) => void;
  /**
   * Writes an event about an earlier answer: on the span of its conversation if that is open, and as log records.
   * Starts and ends no span.
   */
  recordApart(event: DetailedEvent, conversation: Conversation): void;
  /**
   * Records that a judge has found nothing in an earlier answer. @param timestamp - Milliseconds since the Unix epoch.
   */
  recordClean(judgement: CleanJudgement, answer: AssessedAnswer, timestamp: number): void;
  /** Ends the spans of an abandoned conversation, marked as incomplete. */
  abandon(conversation: Conversation): void;
}

function startConversationSpan(
  tracer: Tracer,
  conversation: Conversation,
  agent: AgentInfo | undefined,
  moment: AgentOfTheMoment,
): Span {
  return tracer.startSpan(
    `conversation ${agent?.name ?? conversation.identity.agentId}`,
    {
      kind: SpanKind.INTERNAL,
      root: true,
      startTime: millisToHrTime(conversation.startedAt),
      attributes: toIdentityAttributes(conversation, agent, moment),
    },
    ROOT_CONTEXT,
  );
}

/** Starts a turn, in the trace of the active request if that is recorded. */
function startTurn(
  tracer: Tracer,
  conversation: Conversation,
  conversationSpan: Span,
  agent: AgentInfo | undefined,
  moment: AgentOfTheMoment,
  startTime?: HrTime,
): OpenTurn {
  const active = context.active();
  const around = trace.getSpan(active);
  const isRecorded = around?.isRecording() === true;
  const span = tracer.startSpan(
    `${semconv.GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT} ${agent?.name ?? conversation.identity.agentId}`,
    {
      kind: SpanKind.INTERNAL,
      ...(startTime && { startTime }),
      attributes: {
        [semconv.ATTR_GEN_AI_OPERATION_NAME]: semconv.GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT,
        ...toIdentityAttributes(conversation, agent, moment),
      },
      links: [{ context: conversationSpan.spanContext() }],
    },
    isRecorded ? active : trace.setSpan(ROOT_CONTEXT, conversationSpan),
  );
  return { span, around: isRecorded ? around : undefined };
}

// The reference is dropped before the span ends: the application's processors run in `end` and may throw.
function endTurn(conversation: Conversation, endTime?: HrTime): void {
  const { turn } = conversation;
  conversation.turn = undefined;
  turn?.span.end(endTime);
}

function endConversation(conversation: Conversation, endTime?: HrTime): void {
  const span = conversation.span;
  conversation.span = undefined;
  try {
    endTurn(conversation, endTime);
  } finally {
    span?.end(endTime);
  }
}

function abandonConversation(conversation: Conversation): void {
  conversation.turn?.span?.setAttribute(semconv.ATTR_CONVERSATION_INCOMPLETE, true);
  conversation.span?.setAttribute(semconv.ATTR_CONVERSATION_INCOMPLETE, true);
  endRunTurns(conversation);
  endConversation(conversation);
}

/** Ends the turns of runs that still have open spans: nothing else would end them. */
function endRunTurns(conversation: Conversation): void {
  const turns = [...(conversation.runTurns?.values() ?? [])];
  conversation.runTurns = undefined;
  for (const span of turns) {
    span.setAttribute(semconv.ATTR_CONVERSATION_INCOMPLETE, true);
    span.end();
  }
}

/** Starts the spans that an event belongs to. */
function openSpans(
  tracer: Tracer,
  event: DetailedEvent,
  conversation: Conversation,
  agent: AgentInfo | undefined,
): void {
  conversation.span ??= startConversationSpan(tracer, conversation, agent, event);
  if (event.interactionType !== "user_message") return;
  const time = millisToHrTime(event.timestamp);
  endTurn(conversation, time);
  conversation.turn = startTurn(tracer, conversation, conversation.span, agent, event, time);
}

/** Ends the spans whose last event this is. */
function closeSpans(event: DetailedEvent, conversation: Conversation): void {
  const { span, turn } = conversation;
  if (event.interactionType === "agent_response") {
    if (turn) endTurn(conversation, millisToHrTime(event.timestamp));
    return;
  }
  if (event.interactionType !== "conversation_end") return;
  if (event.metadata?.endReason === "error") span?.setStatus({ code: SpanStatusCode.ERROR });
  endConversation(conversation, millisToHrTime(event.timestamp));
}

/**
 * Creates the telemetry path.
 *
 * An application's processor that throws fails the call, but the log record is still written and spans still end.
 */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const { signals } = options;
  const write = createEventWriter(options);
  const writeFindings = createFindingWriter(options);

  const record: Telemetry["record"] = (given, conversation, agent, publicScore) => {
    const event = toPublicEvent(given, publicScore);
    if (!event) return;
    try {
      const tracer = signals.tracer();
      if (tracer) openSpans(tracer, event, conversation, agent);
    } finally {
      try {
        write(event, conversation);
        writeFindings(event, conversation, () =>
          toRecordContext(conversation, conversation.turn?.span ?? conversation.span),
        );
      } finally {
        closeSpans(event, conversation);
      }
    }
  };

  return {
    record,
    recordLater(given, conversation, agent) {
      const tracer = signals.tracer();
      if (tracer) openSpans(tracer, given, conversation, agent);
      const open = { ...conversation };
      // The conversation itself goes on without the turn.
      conversation.turn = undefined;
      const active = context.active();
      return (event, publicScore) =>
        context.with(active, () => record(event, open, agent, publicScore));
    },
    recordApart(given, { turn: _turn, ...conversation }) {
      const event = toPublicEvent(given, undefined);
      if (!event) return;
      try {
        write(event, conversation);
      } finally {
        writeFindings(event, conversation, () => toRecordContext(conversation, conversation.span));
      }
    },
    recordClean(judgement, answer, timestamp) {
      const logger = signals.logger();
      const records = [toCleanRecord(judgement, answer)];
      if (logger) emitRecords(logger, records, ROOT_CONTEXT, millisToHrTime(timestamp));
    },
    startTurn(conversation, agent) {
      const tracer = signals.tracer();
      if (!tracer) return undefined;
      const moment = {
        agentVersion: agent?.facts.version,
        agentCategory: agent?.facts.category,
        agentSpecialty: agent?.facts.specialty,
      };
      conversation.span ??= startConversationSpan(tracer, conversation, agent, moment);
      return startTurn(tracer, conversation, conversation.span, agent, moment);
    },
    abandon: abandonConversation,
  };
}
