import { isUserMessage, toAnswerText } from "../reading/chat-message.ts";
import type { ConversationMemory } from "./conversation-memory.ts";
import { areApart, beganIn, isOpenEnded, isSameModel, mayBeginAlike } from "./same-call.ts";
import type { SpanRecord } from "../span-record.ts";
import { textDigest } from "./text-digest.ts";

/** The records of one trace, which settling changes. */
interface Trace {
  readonly records: SpanRecord[];
}

interface SeenToolCall {
  /** Without what it was sent. */
  readonly record: SpanRecord;
  readonly question: string;
}

/** Calls that are remembered at a time; those emitted longest ago make room. */
const MAX_CALLS = 500;
/** UTF-16 units of answers longer than which a call is not remembered. */
const MAX_TEXT_LENGTH = 64 * 1024;

function signQuestion({ input }: SpanRecord): string | undefined {
  const asked = input.findLast(isUserMessage)?.text;
  return asked === undefined ? undefined : textDigest(asked);
}

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
  if (!isAbandoned || output.length > 0 || failure || record.role === "tool") return false;
  return !records.some(({ parentSpanId }) => parentSpanId === spanId);
}

/**
 * Remembers calls that were emitted while another instrumentation had one open that may be the same. It is given up minutes
 * later, or ends at last: what it says again is not emitted again.
 */
export class SharedCalls {
  readonly #told = new Set<SeenToolCall>();

  /** Takes note of what is emitted of a trace. */
  note({ records }: Trace): void {
    for (const record of records) {
      const question = isCall(record) ? signQuestion(record) : undefined;
      if (question === undefined || isJoined(record, records)) continue;
      if (textOf(record).length > MAX_TEXT_LENGTH) continue;
      this.#told.add({ record: { ...record, input: [] }, question });
      const [oldest] = this.#told;
      if (oldest && this.#told.size > MAX_CALLS) this.#told.delete(oldest);
    }
  }

  /** Takes out of a trace what was emitted. @returns How many spans that were. */
  settle(trace: Trace, memory: ConversationMemory): number {
    if (this.#told.size === 0) return 0;
    const before = trace.records.length;
    for (const call of trace.records.filter(isCall)) {
      const told = this.#take(call);
      if (told) settleCall(call, told, trace, memory);
    }
    return before - trace.records.length;
  }

  clear(): void {
    this.#told.clear();
  }

  #take(call: SpanRecord): SpanRecord | undefined {
    const question = signQuestion(call);
    if (question === undefined) return undefined;
    for (const told of this.#told) {
      if (told.question !== question || !maySee(told.record, call)) continue;
      this.#told.delete(told);
      return told.record;
    }
    return undefined;
  }
}

/** Takes a call out that says no more than was emitted, else joins it with what was. */
function settleCall(
  call: SpanRecord,
  told: SpanRecord,
  { records }: Trace,
  memory: ConversationMemory,
): void {
  memory.continue(call.traceId, told.traceId);
  const hasMore = call.failure !== undefined || !textOf(told).startsWith(textOf(call));
  if (hasMore) {
    records.splice(records.indexOf(call), 1, { ...call, isContinued: true });
    return;
  }
  remove(call, records);
}

/** Takes a record out, and what held nothing else. */
function remove(record: SpanRecord, records: SpanRecord[]): void {
  records.splice(records.indexOf(record), 1);
  const above = records.find(({ spanId }) => spanId === record.parentSpanId);
  if (above && isEmpty(above, records)) remove(above, records);
}
