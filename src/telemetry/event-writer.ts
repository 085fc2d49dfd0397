import { context, ROOT_CONTEXT, trace, type Context, type Span } from "@opentelemetry/api";
import type { Logger } from "@opentelemetry/api-logs";
import type { ContentPolicy } from "../config/config.ts";
import { addContentHash } from "../events/content-hash.ts";
import type { DetailedEvent } from "../events/detailed-event.ts";
import type { Conversation } from "./conversations.ts";
import { encodeLogRecord, type EncodedEvent } from "./log-record.ts";
import type { SignalSource } from "./providers.ts";
import { writeError } from "./span-error.ts";
import { toSpanAttributes } from "./span-event.ts";
import { writeAnswer } from "./turn-answer.ts";

/** Writes an event on a span, and what it means for the span. @param policy - Of an answer that ends its turn. */
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

/** The context of the open span, made once for all its records. */
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

/** Creates what writes an event on the open turn, else on its conversation, and as a log record. */
export function createEventWriter({
  signals,
  content,
}: {
  readonly signals: SignalSource;
  readonly content: ContentPolicy;
}): (event: DetailedEvent, conversation: Conversation) => void {
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
