import { toAnswerText } from "../reading/chat-message.ts";
import type { SpanRecord } from "../span-record.ts";
import {
  areApart,
  beganIn,
  contains,
  fromInner,
  isOpenEnded,
  isSameModel,
  mayBeginAlike,
} from "./same-call.ts";
import { signQuestion, textDigest } from "./text-digest.ts";

/** The records of one trace. */
export interface TraceRecords {
  readonly records: SpanRecord[];
  /** Parents of spans that are no GenAI spans, by span id. */
  readonly links: ReadonlyMap<string, string>;
}

const isFailed = ({ failure, settings }: SpanRecord): boolean =>
  failure !== undefined || settings.finishReason === "error";

/** Returns a text for what came of a call; empty when nothing is known of it. */
function signOutput({ output }: SpanRecord): string {
  const calls = output.messages.flatMap(({ toolCalls }) =>
    toolCalls.map(({ name, parameters }) => [name, parameters]),
  );
  const answer = toAnswerText(output);
  if (calls.length === 0 && answer === undefined) return "";
  return textDigest(JSON.stringify([answer?.trim(), calls]));
}

interface Placed {
  readonly record: SpanRecord;
  readonly trace: TraceRecords;
}

function isLone({ record, trace }: Placed, spanIds: ReadonlySet<string>): boolean {
  const { parentSpanId } = record;
  if (parentSpanId === undefined) return true;
  return !spanIds.has(parentSpanId) && !trace.links.has(parentSpanId);
}

/** Groups the model calls by what they were asked. */
function groupByQuestion(traces: readonly TraceRecords[]): Map<string, Placed[]> {
  const groups = new Map<string, Placed[]>();
  for (const trace of traces) {
    for (const record of trace.records) {
      if (record.role !== "call") continue;
      const question = signQuestion(record);
      const same = groups.get(question) ?? [];
      same.push({ record, trace });
      groups.set(question, same);
    }
  }
  return groups;
}

function move({ record, trace }: Placed, target: Placed): void {
  trace.records.splice(trace.records.indexOf(record), 1);
  target.trace.records.push({
    ...record,
    traceId: target.record.traceId,
    parentSpanId: target.record.spanId,
  });
}

/** Calls of one content that are compared with each other. */
const MAX_SAME = 50;

/** Returns whether a call may be what another one did, by time and outcome; one that was left has none. */
function mayHold(outer: SpanRecord, inner: SpanRecord): boolean {
  if (outer.scope === inner.scope || areApart(outer, inner)) return false;
  if (!isOpenEnded(outer) && !isOpenEnded(inner)) {
    return contains(outer, inner) && isFailed(outer) === isFailed(inner);
  }
  // Without an outcome to compare the model counts, and when the two began.
  return beganIn(outer, inner) && isSameModel(outer, inner);
}

/** Finds the call around another that says the same, else one that says less of it; the nearest in time. */
function findOuter(inner: Placed, candidates: readonly Placed[]): Placed | undefined {
  const output = signOutput(inner.record);
  const toDistance = ({ record }: Placed): number => Math.abs(inner.record.start - record.start);
  const around = candidates
    .filter(({ record }) => mayHold(record, inner.record))
    .toSorted((one, other) => toDistance(one) - toDistance(other));
  return (
    around.find(({ record }) => signOutput(record) === output) ??
    around.find(({ record }) => signOutput(record) === "" || output === "") ??
    around.find(({ record }) => mayBeginAlike(record, inner.record))
  );
}

/** Joins calls of one question, inner ones first, and failed ones with those whose question is unknown. */
function joinSame(
  same: readonly Placed[],
  unknown: readonly Placed[],
  ids: ReadonlySet<string>,
): void {
  const taken = new Set<Placed>();
  const isFree = (placed: Placed): boolean => !taken.has(placed);
  const mayBeFailed = (placed: Placed): boolean => isFree(placed) && isFailed(placed.record);
  for (const inner of same.slice(0, MAX_SAME)) {
    if (taken.has(inner) || !isLone(inner, ids)) continue;
    const others = same.filter((other) => other !== inner && isFree(other)).slice(0, MAX_SAME);
    // Wrappers leave the span of a call open that has failed: one that failed meanwhile says how.
    const mayHaveFailed = isFailed(inner.record) || inner.record.isAbandoned;
    const nameless = mayHaveFailed ? unknown.filter(mayBeFailed).slice(0, MAX_SAME) : [];
    const outer = findOuter(inner, others) ?? findOuter(inner, nameless);
    if (!outer) continue;
    taken.add(inner).add(outer);
    move(inner, outer);
  }
}

/**
 * Puts spans of one model call together that two instrumentations have made without knowing of each other: the one of
 * the client begins a trace of its own, or stands beside the framework's, during the framework's span, and says the
 * same.
 */
export function joinTraces(traces: readonly TraceRecords[]): void {
  const scopes = new Set<string>();
  for (const { records } of traces) for (const { scope } of records) scopes.add(scope);
  if (scopes.size < 2) return;
  const spanIds = new Set(traces.flatMap(({ records }) => records.map(({ spanId }) => spanId)));
  const groups = groupByQuestion(traces);
  const unknown = groups.get("") ?? [];
  for (const [question, same] of groups) {
    if (question !== "") {
      const ordered = same.toSorted((one, other) => fromInner(one.record, other.record));
      joinSame(ordered, unknown, spanIds);
    }
  }
}
