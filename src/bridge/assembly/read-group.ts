import type { BoundedMap } from "../../util/bounded-map.ts";
import type { Clock } from "../../util/clock.ts";
import type { BridgeCounts } from "../bridge-counts.ts";
import type { BridgeRecord, BridgeSpan } from "../bridge-span.ts";
import type { GenAiSpanFilter } from "../genai-span-filter.ts";
import { EVENT_GEN_AI_EVALUATION_RESULT } from "../../semconv.ts";
import { readLoggedRecord } from "../reading/read-logs.ts";
import { readRecord } from "../reading/read-record.ts";
import { toEventName } from "../reading/record-name.ts";
import type { SpanRecord } from "../span-record.ts";
import type { TraceGroup } from "./trace-group.ts";

/** What reading the spans of traces works with. */
export interface GroupReaderOptions {
  readonly clock: Clock;
  readonly counts: BridgeCounts;
  readonly evidence: GenAiSpanFilter;
  /** Spans that were read, by their keys, so that one that comes again is known. */
  readonly read: BoundedMap<string, true>;
  /** Whether what is asked is emitted before the answer comes. */
  readonly tellsQuestions: boolean;
  /** Runs what may fail, for one span or one record. */
  readonly guard: (action: () => void) => void;
  /** Counts what came. */
  readonly nextOrder: () => number;
  /** Called with a span that was given up. */
  readonly onGivenUp: (span: BridgeSpan) => void;
}

const NO_LOGS: readonly BridgeRecord[] = [];

/** What was judged is no call: its span is one of somebody else's. */
const isNoEvaluation = (record: BridgeRecord): boolean =>
  toEventName(record) !== EVENT_GEN_AI_EVALUATION_RESULT;

function readSpans(group: TraceGroup, options: GroupReaderOptions): SpanRecord[] {
  const { read, counts, evidence, guard, onGivenUp } = options;
  const records: SpanRecord[] = [];
  const now = options.clock.now();
  for (const { span, key, order, started, abandonedAt } of group.ended) {
    const logs = group.takeLogs(span.spanContext().spanId) ?? NO_LOGS;
    if (read.get(key)) {
      counts.repeated++;
      continue;
    }
    // One that was given up may yet end, and then tells the rest.
    if (abandonedAt === undefined) read.set(key, true);
    else onGivenUp(span);
    guard(() => {
      const record = readRecord({ span, logs, order, started, abandonedAt, now });
      if (record) evidence.learn(record.scope);
      if (record) records.push(record);
      else group.pass(span);
    });
  }
  return records;
}

/** Reads calls of which there are only log records. */
function readLogged(group: TraceGroup, options: GroupReaderOptions): SpanRecord[] {
  const { read, tellsQuestions, guard, nextOrder } = options;
  const records: SpanRecord[] = [];
  const now = options.clock.now();
  for (const [spanId, logs] of group.logs) {
    if (group.open.has(spanId) || !logs.some(isNoEvaluation)) continue;
    guard(() => {
      const record = readLoggedRecord(group.traceId, spanId, { logs, order: nextOrder(), now });
      const isUnderWay = record.isAbandoned && tellsQuestions;
      // The answer to a question that was waited for in vain may yet come.
      if (!record.isAbandoned) read.set(group.traceId + spanId, true);
      records.push(isUnderWay ? { ...record, isAbandoned: false, isUnderWay } : record);
    });
  }
  return records;
}

/** Reads what a trace says: spans with their log records, and log records without a span. */
export function readGroup(group: TraceGroup, options: GroupReaderOptions): SpanRecord[] {
  const records = readSpans(group, options);
  if (group.logs.size > 0) records.push(...readLogged(group, options));
  const { counts } = options;
  counts.spans += records.length;
  for (const { isInputPartial, isOutputPartial } of records) {
    if (isInputPartial || isOutputPartial) counts.cut++;
  }
  return records;
}
