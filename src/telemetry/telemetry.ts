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
import type { DetailedEvent } from "../events/detailed-event.ts";
import type { Redactor } from "../redaction/redactor.ts";
import * as semconv from "../semconv.ts";
import { toPublicEvent, type PublicScore } from "./compliance-assessment.ts";
import {
  type AssessedAnswer,
  type CleanJudgement,
  type TelemetryOptions,
  emitRecords,
  toCleanRecord,
  toTextFilter,
  writeFindings,
} from "./finding-record.ts";
import type { Conversation, OpenTurn, Subject } from "./conversations.ts";
import { writeEvent } from "./event-writer.ts";
import { toIdentityAttributes, type AgentOfTheMoment } from "./frequent-attributes.ts";

const toName = ({ agent, conversation }: Subject): string =>
  agent?.name ?? conversation.identity.agentId;

/** Returns the span of a conversation, which is started if it is not open. */
function openConversation(tracer: Tracer, subject: Subject, moment: AgentOfTheMoment): Span {
  const { conversation } = subject;
  conversation.span ??= tracer.startSpan(
    `conversation ${toName(subject)}`,
    {
      kind: SpanKind.INTERNAL,
      root: true,
      startTime: millisToHrTime(conversation.startedAt),
      attributes: toIdentityAttributes(subject, moment),
    },
    ROOT_CONTEXT,
  );
  return conversation.span;
}

/** Starts a turn, in the trace of the active request if that is recorded. */
function startTurn(
  tracer: Tracer,
  subject: Subject,
  moment: AgentOfTheMoment,
  startTime?: HrTime,
): OpenTurn {
  const conversationSpan = openConversation(tracer, subject, moment);
  const active = context.active();
  const around = trace.getSpan(active);
  const isRecorded = around?.isRecording() === true;
  const span = tracer.startSpan(
    `${semconv.GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT} ${toName(subject)}`,
    {
      kind: SpanKind.INTERNAL,
      ...(startTime && { startTime }),
      attributes: {
        [semconv.ATTR_GEN_AI_OPERATION_NAME]: semconv.GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT,
        ...toIdentityAttributes(subject, moment),
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

/** Ends the spans of an abandoned conversation, marked as incomplete. */
export function abandonConversation(conversation: Conversation): void {
  conversation.turn?.span?.setAttribute(semconv.ATTR_CONVERSATION_INCOMPLETE, true);
  conversation.span?.setAttribute(semconv.ATTR_CONVERSATION_INCOMPLETE, true);
  // Nothing else would end the turns of runs that still have open spans.
  const runTurns = [...(conversation.runTurns?.values() ?? [])];
  conversation.runTurns = undefined;
  for (const span of runTurns) {
    span.setAttribute(semconv.ATTR_CONVERSATION_INCOMPLETE, true);
    span.end();
  }
  endConversation(conversation);
}

/** Starts the spans that an event belongs to. */
function openSpans(tracer: Tracer, event: DetailedEvent, subject: Subject): void {
  const { conversation } = subject;
  openConversation(tracer, subject, event);
  if (event.interactionType !== "user_message") return;
  const time = millisToHrTime(event.timestamp);
  endTurn(conversation, time);
  conversation.turn = startTurn(tracer, subject, event, time);
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

/** Writes events to the application's telemetry: conversation and turn spans, span events, log records. */
export type Telemetry = ReturnType<typeof createTelemetry>;

/**
 * Creates the telemetry path.
 *
 * An application's processor that throws fails the call, but the log record is still written and spans still end.
 */
export function createTelemetry(options: TelemetryOptions) {
  const { signals } = options;
  const filter = toTextFilter(options.content, options.redact);

  /** @param publicScore - Of an answer of which a confidential finding is left out. */
  const record = (given: DetailedEvent, subject: Subject, publicScore?: PublicScore): void => {
    const event = toPublicEvent(given, publicScore);
    if (!event) return;
    const { conversation } = subject;
    try {
      const tracer = signals.tracer();
      if (tracer) openSpans(tracer, event, subject);
    } finally {
      try {
        writeEvent(event, conversation, options);
        writeFindings(event, conversation, signals, filter);
      } finally {
        closeSpans(event, conversation);
      }
    }
  };

  return {
    record,
    /**
     * Starts the record of an answer whose findings come later: its turn stays open for it, and later events are recorded
     * without that turn.
     *
     * @returns A function that records the final answer in its own turn and context.
     */
    recordLater(given: DetailedEvent, subject: Subject) {
      const { conversation, agent } = subject;
      const tracer = signals.tracer();
      if (tracer) openSpans(tracer, given, subject);
      const open = { conversation: { ...conversation }, agent };
      // The conversation itself goes on without the turn.
      conversation.turn = undefined;
      const active = context.active();
      return (event: DetailedEvent, publicScore?: PublicScore): void =>
        context.with(active, () => record(event, open, publicScore));
    },
    /**
     * Writes an event about an earlier answer: on the span of its conversation if that is open, and as log records.
     * Starts and ends no span.
     */
    recordApart(given: DetailedEvent, { turn: _turn, ...conversation }: Conversation): void {
      const event = toPublicEvent(given, undefined);
      if (!event) return;
      try {
        writeEvent(event, conversation, options);
      } finally {
        writeFindings(event, conversation, signals, filter);
      }
    },
    /**
     * Records that a judge has found nothing in an earlier answer.
     *
     * @param timestamp - Milliseconds since the Unix epoch.
     * @param redactor - Redacts whom the record is about.
     */
    recordClean(
      judgement: CleanJudgement,
      answer: AssessedAnswer,
      timestamp: number,
      redactor: Redactor | undefined,
    ): void {
      const records = [toCleanRecord(judgement, answer, redactor)];
      emitRecords(signals, records, ROOT_CONTEXT, millisToHrTime(timestamp));
    },
    /**
     * Starts a turn without tracked events, inside the active span if that is recording; `undefined` without a tracer.
     */
    startTurn(subject: Subject): OpenTurn | undefined {
      const tracer = signals.tracer();
      const { version, category, specialty } = subject.agent?.facts ?? {};
      const moment = { agentVersion: version, agentCategory: category, agentSpecialty: specialty };
      return tracer && startTurn(tracer, subject, moment);
    },
  };
}
