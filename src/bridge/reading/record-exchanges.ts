import { BoundedMap } from "../../util/bounded-map.ts";
import { cutString } from "../../util/cut-string.ts";
import { toExchangeContent, type ChatMessage, type ReadMessages } from "./chat-message.ts";
import { readGenAiIdentity, readGenAiMessages, readMessageEvent } from "../dialects/otel-gen-ai.ts";
import { toContent } from "./read-messages.ts";
import type { SpanExchange } from "../span-exchange.ts";
import { toEventName, type RecordLike } from "./record-name.ts";

const MAX_SPANS = 2000;
const MAX_MESSAGES = 500;
/** UTF-16 units of a question that are kept after the end of its span. */
const MAX_KEPT_LENGTH = 8192;

/** Messages on one side of a call. */
export interface Side extends ReadMessages {
  readonly isOutput: boolean;
}

/** Reads the messages of a record: one of them, or whole lists. */
export function readSides(record: RecordLike): Side[] {
  const event = readMessageEvent(toEventName(record), record.body);
  if (event) return [{ ...event.messages, isOutput: event.isOutput }];
  const { input, output } = readGenAiMessages(record.attributes);
  return [
    { ...input, isOutput: false },
    { ...output, isOutput: true },
  ];
}

/**
 * Puts exchanges together whose messages come as log records, one by one, before the span of their call ends.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-events/
 */
export class RecordExchanges {
  readonly #messages = new BoundedMap<string, ChatMessage[]>(MAX_SPANS);

  /** Reads a record, and gives the exchange when it brings an answer. */
  read(record: RecordLike): SpanExchange | undefined {
    const spanId = record.spanContext?.spanId;
    const input = (spanId === undefined ? undefined : this.#messages.get(spanId)) ?? [];
    const output: ChatMessage[] = [];
    let isPartial = false;
    for (const side of readSides(record)) {
      (side.isOutput ? output : input).push(...side.messages);
      isPartial ||= side.isPartial;
    }
    const content = toContent({ messages: input, isPartial }, { messages: output, isPartial });
    // What the model asked tools for belongs to the answer that comes after.
    input.push(...output);
    if (spanId !== undefined) this.#messages.set(spanId, input.slice(-MAX_MESSAGES));
    if (content.agentResponse === undefined) return undefined;
    return { role: "call", ...readGenAiIdentity(record.attributes), ...content };
  }

  /** Forgets the messages of a span that has ended, but for the question: an answer may still come. */
  close(spanId: string): void {
    const messages = this.#messages.get(spanId);
    if (!messages) return;
    const { userMessage } = toExchangeContent(messages, []);
    if (userMessage === undefined) {
      this.#messages.delete(spanId);
      return;
    }
    const text = cutString(userMessage, MAX_KEPT_LENGTH);
    this.#messages.set(spanId, [{ role: "user", text, toolCalls: [], toolResults: [] }]);
  }

  clear(): void {
    this.#messages.clear();
  }
}
