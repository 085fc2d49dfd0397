import * as semconv from "../../semconv.ts";
import { BoundedMap } from "../../util/bounded-map.ts";
import { cutString } from "../../util/cut-string.ts";
import {
  toEventName,
  toMillis,
  toServiceName,
  type BridgeRecord,
  type RecordLike,
} from "../bridge-span.ts";
import { fill } from "../dialects/index.ts";
import {
  otelGenAi,
  readGenAiIdentity,
  readGenAiMessages,
  readMessageEvent,
} from "../dialects/otel-gen-ai.ts";
import type {
  ExchangeIdentity,
  Failure,
  SpanExchange,
  SpanMessages,
  SpanRecord,
} from "../span-record.ts";
import { createMessage, isUserMessage, type ChatMessage } from "./chat-message.ts";
import { isInTrace, signRecord } from "./place-record.ts";
import { readEvaluations } from "./read-evaluations.ts";
import { readFailure } from "./read-failure.ts";
import { toContent } from "./read-messages.ts";
import { readSettings } from "./read-settings.ts";

/** Messages that one span's log records may bring. */
const MAX_MESSAGES = 2000;

/** What the log records of one call say. */
interface LoggedMessages {
  readonly input: ChatMessage[];
  readonly output: ChatMessage[];
  isPartial: boolean;
  identity: ExchangeIdentity;
  failure: Failure | undefined;
}

export const NOTHING_LOGGED: Readonly<LoggedMessages> = {
  input: [],
  output: [],
  isPartial: false,
  identity: {},
  failure: undefined,
};

/** Puts the messages together that a span's log records carry. */
export function readLogs(records: readonly BridgeRecord[]): LoggedMessages {
  const logged: LoggedMessages = {
    input: [],
    output: [],
    isPartial: false,
    identity: {},
    failure: undefined,
  };
  for (const record of records) {
    logged.identity = fill(logged.identity, readGenAiIdentity(record.attributes));
    if (toEventName(record).endsWith("exception")) {
      logged.failure ??= readFailure({
        name: "",
        attributes: {},
        events: [{ ...record, name: "exception" }],
      });
      continue;
    }
    // How a call failed may stand beside its details.
    logged.failure ??= readFailure({ name: "", attributes: record.attributes });
    const { input, output } = readRecordMessages(record);
    logged.isPartial ||= input.isPartial || output.isPartial;
    if (logged.input.length < MAX_MESSAGES) logged.input.push(...input.messages);
    if (logged.output.length < MAX_MESSAGES) logged.output.push(...output.messages);
  }
  return logged;
}

/** Reads who wrote a record, and what it is known by. */
function readProducer(
  record: BridgeRecord | undefined,
): Pick<SpanRecord, "scope" | "serviceName" | "ownId"> {
  if (!record) return { scope: "", serviceName: undefined };
  return {
    scope: record.instrumentationScope?.name ?? "",
    serviceName: toServiceName(record),
    ownId: signRecord(record),
  };
}

/** What the record of a call without a span is made of. */
interface LoggedSource {
  readonly logs: readonly BridgeRecord[];
  /** Counts what came. */
  readonly order: number;
  /** Milliseconds since the Unix epoch, for a record that has no time. */
  readonly now: number;
}

/** Makes the record of a model call of which only log records are known. */
export function readLoggedRecord(
  traceId: string,
  spanId: string,
  { logs, order, now }: LoggedSource,
): SpanRecord {
  const { input, output, isPartial, identity, failure } = readLogs(logs);
  const times = logs.map(({ hrTime }) => toMillis(hrTime) ?? now);
  const start = Math.min(...times);
  return {
    role: "call",
    name: "",
    ...readProducer(logs[0]),
    spanId,
    traceId,
    parentSpanId: undefined,
    start,
    end: Math.max(...times),
    order,
    identity,
    started: undefined,
    input,
    output,
    isInputPartial: isPartial,
    isOutputPartial: isPartial,
    usage: otelGenAi.toUsage?.({ name: "", attributes: logs.at(-1)?.attributes ?? {} }),
    settings: readSettings({ name: "", attributes: logs[0]?.attributes ?? {} }, {}),
    tool: undefined,
    failure,
    evaluations: readEvaluations(logs),
    // A question alone: whatever it came to, its span was lost.
    isAbandoned: output.length === 0 && failure === undefined && !logs.some(isOutput),
    isUntraced: !logs.some(isInTrace),
  };
}

/** Written when a call is over. */
const OUTPUT_EVENTS: ReadonlySet<string> = new Set([
  semconv.EVENT_GEN_AI_CHOICE,
  semconv.EVENT_GEN_AI_CLIENT_INFERENCE_OPERATION_DETAILS,
]);

const isOutput = (record: BridgeRecord): boolean =>
  OUTPUT_EVENTS.has(toEventName(record)) ||
  record.attributes[semconv.ATTR_GEN_AI_OUTPUT_MESSAGES] !== undefined ||
  record.attributes[semconv.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS] !== undefined;

const MAX_SPANS = 2000;
const MAX_KEPT_MESSAGES = 500;
/** UTF-16 units of a question that are kept after the end of its span. */
const MAX_KEPT_LENGTH = 8192;

/** Reads the messages of a record: one of them, or whole lists. */
function readRecordMessages(record: RecordLike): SpanMessages {
  const event = readMessageEvent(toEventName(record), record.body);
  return event ?? readGenAiMessages(record.attributes);
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
    const read = readRecordMessages(record);
    input.push(...read.input.messages);
    const content = toContent({ ...read, input: { ...read.input, messages: input } });
    // What the model asked tools for belongs to the answer that comes after.
    input.push(...read.output.messages);
    if (spanId !== undefined) this.#messages.set(spanId, input.slice(-MAX_KEPT_MESSAGES));
    if (content.agentResponse === undefined) return undefined;
    return { role: "call", ...readGenAiIdentity(record.attributes), ...content };
  }

  /** Forgets the messages of a span that has ended, but for the question: an answer may still come. */
  close(spanId: string): void {
    const asked = this.#messages.get(spanId)?.findLast(isUserMessage)?.text;
    if (asked === undefined) this.#messages.delete(spanId);
    else this.#messages.set(spanId, [createMessage("user", cutString(asked, MAX_KEPT_LENGTH))]);
  }

  clear(): void {
    this.#messages.clear();
  }
}
