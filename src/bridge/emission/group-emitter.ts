import { EVENT_GEN_AI_EVALUATION_RESULT } from "../../semconv.ts";
import type { BoundedMap } from "../../util/bounded-map.ts";
import type { Clock } from "../../util/clock.ts";
import type { ConversationMemory } from "../assembly/conversation-memory.ts";
import { type TraceRecords, joinTraces } from "../assembly/join-traces.ts";
import { SharedCalls } from "../assembly/shared-calls.ts";
import { areOfSeveralScopes, type TraceGroup } from "../assembly/trace-group.ts";
import type { BridgeCounts } from "../bridge-counts.ts";
import { type BridgeRecord, type BridgeSpan, toEventName, toMillis } from "../bridge-span.ts";
import type { BridgedEvent } from "../bridged-event.ts";
import type { GenAiSpanFilter } from "../genai-span-filter.ts";
import { readLoggedRecord } from "../reading/read-logs.ts";
import { readRecord } from "../reading/read-record.ts";
import type { AssessedExchange, SpanRecord } from "../span-record.ts";
import { emitTrace } from "./emit-trace.ts";
import type { Turn } from "./turn.ts";

/** What becomes of complete traces. */
export interface EmissionOptions {
  /**
   * Gets every event, in order, an answer with what was assessed of it when its span or log record came; what it throws is
   * logged and costs the rest of the trace.
   */
  readonly onEvent: (event: BridgedEvent, assessed?: AssessedExchange) => void;
  /** Called when all events of some traces, as far as they have come, were handed on. */
  readonly onEmitted?: ((traceIds: readonly string[]) => void) | undefined;
  /**
   * Emits the question in log records before the answer comes: a caller that hands records over in parts can't wait for it.
   *
   * @defaultValue false, a call without an answer is waited for, and then taken for one that was broken off
   */
  readonly emitsQuestions?: boolean | undefined;
}

/** What a GroupEmitter works with. */
interface GroupEmitterOptions extends EmissionOptions {
  readonly clock: Clock;
  readonly memory: ConversationMemory;
  readonly counts: BridgeCounts;
  readonly evidence: GenAiSpanFilter;
  /** Spans that were read, by their keys, so that one that comes again is known. */
  readonly read: BoundedMap<string, true>;
  /** Runs what may fail, for one span, one record or one trace; the rest goes on. */
  readonly guard: (action: () => void) => void;
  /** Counts what came. */
  readonly nextOrder: () => number;
  /** Called with a span that was given up. */
  readonly onGivenUp: (span: BridgeSpan) => void;
}

const beganAt = ({ ended }: TraceGroup): number => toMillis(ended[0]?.span.startTime) ?? 0;

/** Orders traces by their first span: one may go on with what another began. */
const byBeginning = (one: TraceGroup, other: TraceGroup): number => beganAt(one) - beganAt(other);

const NO_LOGS: readonly BridgeRecord[] = [];

/** What was judged is no call: its span is one of somebody else's. */
const isNoEvaluation = (record: BridgeRecord): boolean =>
  toEventName(record) !== EVENT_GEN_AI_EVALUATION_RESULT;

function readSpans(group: TraceGroup, options: GroupEmitterOptions): SpanRecord[] {
  const { read, counts, evidence, guard, onGivenUp } = options;
  const records: SpanRecord[] = [];
  const now = options.clock.now();
  for (const kept of group.ended) {
    const { span, key } = kept;
    const logs = group.takeLogs(span.spanContext().spanId) ?? NO_LOGS;
    if (read.get(key)) {
      counts.repeated++;
      continue;
    }
    // One that was given up may yet end, and then reports the rest.
    if (kept.abandonedAt === undefined) read.set(key, true);
    else onGivenUp(span);
    guard(() => {
      const record = readRecord(kept, logs, now);
      if (record) evidence.learn(record.scope);
      if (record) records.push(record);
      else group.pass(span);
    });
  }
  return records;
}

/** Reads calls of which there are only log records. */
function readLogged(group: TraceGroup, options: GroupEmitterOptions): SpanRecord[] {
  const { read, emitsQuestions, guard, nextOrder } = options;
  const { traceId } = group;
  const records: SpanRecord[] = [];
  const now = options.clock.now();
  for (const [spanId, logs] of group.logs) {
    if (group.open.has(spanId) || !logs.some(isNoEvaluation)) continue;
    guard(() => {
      const record = readLoggedRecord(logs, { traceId, spanId, order: nextOrder() }, now);
      const isUnderWay = record.isAbandoned && emitsQuestions === true;
      // The answer to a question that was waited for in vain may yet come.
      if (!record.isAbandoned) read.set(traceId + spanId, true);
      records.push(isUnderWay ? { ...record, isAbandoned: false, isUnderWay } : record);
    });
  }
  return records;
}

/** Reads what a trace says: spans with their log records, and log records without a span. */
function readGroup(group: TraceGroup, options: GroupEmitterOptions): SpanRecord[] {
  const records = readSpans(group, options);
  if (group.logs.size > 0) records.push(...readLogged(group, options));
  const { counts } = options;
  counts.spans += records.length;
  for (const { input, output } of records) {
    if (input.isPartial || output.isPartial) counts.cut++;
  }
  return records;
}

/** Emits what complete traces say. */
export class GroupEmitter {
  readonly #options: GroupEmitterOptions;
  readonly #shared = new SharedCalls();
  readonly #unnamed: Turn[] = [];

  constructor(options: GroupEmitterOptions) {
    this.#options = options;
  }

  emit(groups: readonly TraceGroup[]): void {
    const { guard, onEmitted, onEvent } = this.#options;
    const byTrace = new Map(groups.map((group) => [group.traceId, group]));
    this.#emitGroups(groups.length > 1 ? groups.toSorted(byBeginning) : groups, (event) =>
      onEvent(event, byTrace.get(event.traceId)?.findAssessed(event)),
    );
    // What nothing has named by now nothing of these traces does.
    for (const turn of this.#unnamed.splice(0)) guard(() => turn.emitUnnamed());
    onEmitted?.(groups.map(({ traceId }) => traceId));
  }

  #emitGroups(groups: readonly TraceGroup[], onEvent: (event: BridgedEvent) => void): void {
    if (!areOfSeveralScopes(groups)) {
      // One after the other: what was read of a trace need not live until the last one is emitted.
      for (const group of groups) {
        const trace = this.#read(group);
        if (group.isShared) this.#shared.note(trace.records);
        this.#emitTrace(trace, onEvent);
      }
      return;
    }
    const traces = groups.map((group) => this.#read(group));
    this.#options.guard(() => {
      joinTraces(traces);
      for (const [index, { isShared }] of groups.entries()) {
        const trace = traces[index];
        if (isShared && trace) this.#shared.note(trace.records);
      }
    });
    for (const trace of traces) this.#emitTrace(trace, onEvent);
  }

  #read(group: TraceGroup): TraceRecords {
    const { guard, memory, counts } = this.#options;
    const { links } = group;
    const records = readGroup(group, this.#options);
    guard(() => (counts.merged += this.#shared.settle(records, memory)));
    return { links, records };
  }

  #emitTrace({ records, links }: TraceRecords, onEvent: (event: BridgedEvent) => void): void {
    if (records.length === 0) return;
    const { memory, counts, guard } = this.#options;
    guard(() => {
      counts.merged += emitTrace(records, links, {
        memory,
        onUnnamed: (turn) => this.#unnamed.push(turn),
        emit: (event) => {
          counts.events++;
          onEvent(event);
        },
      });
    });
  }
}
