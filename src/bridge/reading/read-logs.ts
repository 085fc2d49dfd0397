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
import type { SpanExchange, SpanMessages, SpanRecord } from "../span-record.ts";
import { createMessage, isUserMessage, type ChatMessage } from "./chat-message.ts";
import { isInTrace, signRecord } from "./place-record.ts";
import { readEvaluations } from "./read-evaluations.ts";
import { readFailure } from "./read-failure.ts";
import { NO_MESSAGES, toContent } from "./read-messages.ts";
import { readSettings } from "./read-settings.ts";

/** Messages that one span's log records may bring. */
const MAX_MESSAGES = 2000;

/** What the log records of one call say. */
type Logged = Pick<SpanRecord, "input" | "output" | "identity" | "failure">;

/** Stands for no log records. */
export const NOTHING_LOGGED: Logged = {
  input: NO_MESSAGES,
  output: NO_MESSAGES,
  identity: {},
  failure: undefined,
};

/** Puts together what a span's log records say. */
export function readLogs(records: readonly BridgeRecord[]): Logged {
  const input: ChatMessage[] = [];
  const output: ChatMessage[] = [];
  let isPartial = false;
  let { identity, failure } = NOTHING_LOGGED;
  for (const record of records) {
    const { attributes } = record;
    identity = fill(identity, readGenAiIdentity(attributes));
    if (toEventName(record).endsWith("exception")) {
      const events = [{ attributes, name: "exception" }];
      failure ??= readFailure({ name: "", attributes: {}, events });
      continue;
    }
    // How a call failed may stand beside its details.
    failure ??= readFailure({ name: "", attributes });
    const read = readRecordMessages(record);
    isPartial ||= read.input.isPartial || read.output.isPartial;
    if (input.length < MAX_MESSAGES) input.push(...read.input.messages);
    if (output.length < MAX_MESSAGES) output.push(...read.output.messages);
  }
  return {
    input: { messages: input, isPartial },
    output: { messages: output, isPartial },
    identity,
    failure,
  };
}

const NO_RECORD: BridgeRecord = { attributes: {} };

/**
 * Makes the record of a model call of which only log records are known.
 *
 * @param now - Milliseconds since the Unix epoch, for a log record that has no time.
 */
export function readLoggedRecord(
  logs: readonly BridgeRecord[],
  place: Pick<SpanRecord, "traceId" | "spanId" | "order">,
  now: number,
): SpanRecord {
  const logged = readLogs(logs);
  const { output, failure } = logged;
  const [first = NO_RECORD] = logs;
  const last = logs.at(-1) ?? first;
  const times = logs.map(({ hrTime }) => toMillis(hrTime) ?? now);
  return {
    role: "call",
    name: "",
    scope: first.instrumentationScope?.name ?? "",
    serviceName: toServiceName(first),
    ownId: signRecord(first),
    ...place,
    ...logged,
    parentSpanId: undefined,
    start: Math.min(...times),
    end: Math.max(...times),
    started: undefined,
    usage: otelGenAi.toUsage({ name: "", attributes: last.attributes }),
    settings: readSettings({ name: "", attributes: first.attributes }, {}),
    tool: undefined,
    evaluations: readEvaluations(logs),
    // A question alone: whatever it came to, its span was lost.
    isAbandoned: output.messages.length === 0 && failure === undefined && !logs.some(isOutput),
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
