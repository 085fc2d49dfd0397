import { toAnswerText } from "../reading/chat-message.ts";
import { NO_MESSAGES } from "../reading/read-messages.ts";
import type { SpanRecord } from "../span-record.ts";
import type { ConversationMemory } from "./conversation-memory.ts";
import { areApart, beganIn, isOpenEnded, isSameModel, mayBeginAlike } from "./same-call.ts";
import { signQuestion } from "./text-digest.ts";

/** Calls that are remembered at a time; those emitted longest ago make room. */
const MAX_CALLS = 500;
/** UTF-16 units of answers longer than which a call is not remembered. */
const MAX_TEXT_LENGTH = 64 * 1024;

const textOf = ({ output }: SpanRecord): string => toAnswerText(output)?.trim() ?? "";

const isCall = ({ role }: SpanRecord): boolean => role === "call";

/** Returns whether two instrumentations may have seen the same call, of which at least one does not know the end. */
function maySee(one: SpanRecord, other: SpanRecord): boolean {
  if (one.scope === other.scope || areApart(one, other) || !isSameModel(one, other)) return false;
  if (!isOpenEnded(one) && !isOpenEnded(other)) return false;
  return (beganIn(one, other) || beganIn(other, one)) && mayBeginAlike(one, other);
}

/** Returns whether a call was joined with another one of its trace. */
function isJoined(call: SpanRecord, records: readonly SpanRecord[]): boolean {
  return records.some(
    (other) =>
      isCall(other) && (other.parentSpanId === call.spanId || call.parentSpanId === other.spanId),
  );
}

/** Returns whether a span around a call says nothing, now that the call is gone: nobody knows how it went. */
function isEmpty(record: SpanRecord, records: readonly SpanRecord[]): boolean {
  const { isAbandoned, output, failure, spanId } = record;
  if (!isAbandoned || output.messages.length > 0 || failure || record.role === "tool") return false;
  return !records.some(({ parentSpanId }) => parentSpanId === spanId);
}

/**
 * Remembers calls that were emitted while another instrumentation had one open that may be the same. It is given up minutes
 * later, or ends at last: what it says again is not emitted again.
 */
export class SharedCalls {
  /** Calls without what they were sent, each with a short text for what it was asked. */
  readonly #emitted = new Map<SpanRecord, string>();

  /** Takes note of what is emitted of a trace. */
  note(records: readonly SpanRecord[]): void {
    for (const record of records) {
      const question = isCall(record) ? signQuestion(record) : "";
      if (question === "" || isJoined(record, records)) continue;
      if (textOf(record).length > MAX_TEXT_LENGTH) continue;
      this.#emitted.set({ ...record, input: NO_MESSAGES }, question);
      const [oldest] = this.#emitted.keys();
      if (oldest && this.#emitted.size > MAX_CALLS) this.#emitted.delete(oldest);
    }
  }

  /** Takes out of a trace what was emitted. @returns How many spans that were. */
  settle(records: SpanRecord[], memory: ConversationMemory): number {
    if (this.#emitted.size === 0) return 0;
    const before = records.length;
    for (const call of records.filter(isCall)) {
      const emitted = this.#take(call);
      if (emitted) settleCall(call, emitted, records, memory);
    }
    return before - records.length;
  }

  #take(call: SpanRecord): SpanRecord | undefined {
    const question = signQuestion(call);
    if (question === "") return undefined;
    for (const [emitted, asked] of this.#emitted) {
      if (asked !== question || !maySee(emitted, call)) continue;
      this.#emitted.delete(emitted);
      return emitted;
    }
    return undefined;
  }
}

/** Takes a call out that says no more than was emitted, else joins it with what was. */
function settleCall(
  call: SpanRecord,
  emitted: SpanRecord,
  records: SpanRecord[],
  memory: ConversationMemory,
): void {
  memory.continue(call.traceId, emitted.traceId);
  const hasMore = call.failure !== undefined || !textOf(emitted).startsWith(textOf(call));
  if (hasMore) {
    records.splice(records.indexOf(call), 1, { ...call, isContinued: true });
  } else remove(call, records);
}

/** Takes a record out, and what held nothing else. */
function remove(record: SpanRecord, records: SpanRecord[]): void {
  records.splice(records.indexOf(record), 1);
  const above = records.find(({ spanId }) => spanId === record.parentSpanId);
  if (above && isEmpty(above, records)) remove(above, records);
}
