import { hash } from "node:crypto";
import { BoundedMap } from "../../util/bounded-map.ts";
import { toJsonValue } from "../../util/safe-json.ts";
import { type BridgeRecord, toEventName } from "../bridge-span.ts";
import { readGenAiIdentity, readGenAiRole } from "../dialects/otel-gen-ai.ts";
import * as semconv from "../../semconv.ts";

/** Records that belong to a model call: its messages, how it failed, how it was judged. */
const CALL_RECORDS =
  /^gen_ai\.(?:(?:system|user|assistant|tool)\.message$|choice$|content\.|client\.|evaluation\.)/;
/** Records that report a whole call, or how it failed. */
const WHOLE_RECORD = "gen_ai.client.";

/** Conversations whose messages are distinguished at a time. */
const MAX_CONVERSATIONS = 10_000;
/** Records of no span that are known again. */
const MAX_SEEN = 20_000;
/** UTF-16 units of a record, about, that distinguish it from others. */
const MAX_SIGNED_LENGTH = 256 * 1024;
const TRACE_ID_LENGTH = 32;
const SPAN_ID_LENGTH = 16;
const NO_ID = /^0*$/;

/** A log record of a model call, and the span that it is read with. */
export interface PlacedRecord {
  readonly record: BridgeRecord;
  readonly traceId: string;
  readonly spanId: string;
  /** Set when no span is to come: the records are all there is. */
  readonly isComplete?: boolean;
}

/** Returns whether a record is one of a model call; most records of an application are none. */
export function isOfCall(record: BridgeRecord): boolean {
  const name = toEventName(record);
  if (!name.startsWith("gen_ai.") || !CALL_RECORDS.test(name)) return false;
  if (!name.startsWith(WHOLE_RECORD)) return true;
  const { [semconv.ATTR_GEN_AI_OPERATION_NAME]: operation } = record.attributes;
  return operation === undefined || readGenAiRole(record.attributes) !== "other";
}

/** Returns whether a record was emitted inside a span. */
export function isInTrace({ spanContext }: BridgeRecord): boolean {
  const { traceId = "", spanId = "" } = spanContext ?? {};
  return !NO_ID.test(traceId) && !NO_ID.test(spanId);
}

/** Returns what a record is known by: the same for one that is sent again. */
export function signRecord(record: BridgeRecord): string {
  const { hrTime, attributes, body, instrumentationScope, resource } = record;
  const said = [
    hrTime,
    toEventName(record),
    instrumentationScope?.name,
    resource?.attributes[semconv.ATTR_SERVICE_NAME],
    attributes,
    body,
  ];
  const { value } = toJsonValue(said, MAX_SIGNED_LENGTH);
  return hash("sha256", JSON.stringify(value));
}

/** The call of a conversation whose messages come. */
interface RunningCall {
  readonly spanId: string;
  hasAnswer: boolean;
}

/**
 * Returns the span that a log record is read with. One that was emitted outside of any gets ids of its own, which are made of
 * what it says: a record that reports a whole call stands for that call; single messages of a conversation that they name
 * are those of one call up to its answer.
 */
export class RecordPlaces {
  readonly #seen = new BoundedMap<string, true>(MAX_SEEN);
  readonly #calls = new BoundedMap<string, RunningCall>(MAX_CONVERSATIONS);

  /** @returns Why it has no place: it came before, or nobody can know what it belongs to. */
  place(record: BridgeRecord): PlacedRecord | "repeated" | "no_trace_context" {
    if (record.spanContext && isInTrace(record)) {
      const { traceId, spanId } = record.spanContext;
      return { record, traceId, spanId };
    }
    const name = toEventName(record);
    const isWhole = name.startsWith(WHOLE_RECORD);
    const { conversationId, sessionId } = readGenAiIdentity(record.attributes);
    const conversation = conversationId ?? sessionId;
    if (!isWhole && conversation === undefined) return "no_trace_context";
    const key = signRecord(record);
    if (this.#seen.get(key)) return "repeated";
    this.#seen.set(key, true);
    const ownSpanId = key.slice(-SPAN_ID_LENGTH);
    if (isWhole) {
      const traceId = key.slice(0, TRACE_ID_LENGTH);
      return { record, traceId, spanId: ownSpanId, isComplete: true };
    }
    const traceId = hash("sha256", `conversation\n${conversation}`).slice(0, TRACE_ID_LENGTH);
    const { spanId } = this.#findCall(traceId, record, ownSpanId);
    return { record, traceId, spanId, isComplete: name === semconv.EVENT_GEN_AI_CHOICE };
  }

  clear(): void {
    this.#seen.clear();
    this.#calls.clear();
  }

  /** Returns the call that a message is of: what follows an answer is of the next one, but for other choices. */
  #findCall(traceId: string, record: BridgeRecord, spanId: string): RunningCall {
    const isChoice = toEventName(record) === semconv.EVENT_GEN_AI_CHOICE;
    const running = this.#calls.get(traceId);
    const isNext = running?.hasAnswer === true && !(isChoice && toChoiceIndex(record) > 0);
    const call = running && !isNext ? running : { spanId, hasAnswer: false };
    call.hasAnswer ||= isChoice;
    this.#calls.set(traceId, call);
    return call;
  }
}

function toChoiceIndex({ body, attributes }: BridgeRecord): number {
  const { index = attributes["index"] } = (body ?? {}) as { readonly index?: unknown };
  return Number(index ?? 0);
}
