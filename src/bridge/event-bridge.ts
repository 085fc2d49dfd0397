import type { Context } from "@opentelemetry/api";
import { SCOPE_NAME } from "../otel/semconv.ts";
import { BoundedMap } from "../util/bounded-map.ts";
import { systemClock, type Clock } from "../util/clock.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";
import { createBridgeCounts, type BridgeStats } from "./bridge-counts.ts";
import type { BridgedEvent } from "./bridged-event.ts";
import { readStartIdentity, type StartIdentity } from "./bridge-identity.ts";
import { keyOf, toMillis, type BridgeRecord, type BridgeSpan } from "./bridge-span.ts";
import { ConversationMemory } from "./conversation-memory.ts";
import { readRole } from "./dialects/index.ts";
import { GenAiEvidence } from "./genai-evidence.ts";
import { joinTraces } from "./join-traces.ts";
import { OpenCalls } from "./open-calls.ts";
import { EVALUATION_EVENT } from "./read-evaluations.ts";
import { readLoggedRecord, readRecord } from "./read-record.ts";
import { toEventName } from "./record-exchanges.ts";
import type { SpanLike } from "./span-exchange.ts";
import type { SpanRecord } from "./span-record.ts";
import { tellTrace } from "./tell-trace.ts";
import { DEFAULT_GATHER_LIMITS, TraceGroups, type GatherLimits } from "./trace-groups.ts";
import type { TraceGroup } from "./trace-group.ts";
import type { Turn } from "./turn.ts";

/** What an EventBridge works with. */
export interface EventBridgeOptions {
  /** Gets every event, in order; what it throws is logged and costs the rest of the trace. */
  readonly onEvent: (event: BridgedEvent) => void;
  /** Is told when all events of some traces, as far as they have come, were handed on. */
  readonly onTold?: ((traceIds: readonly string[]) => void) | undefined;
  /**
   * Tells what is asked in log records before the answer comes: who hands records over in parts can't wait for it.
   *
   * @defaultValue false, a call without an answer is waited for, and then taken for one that was broken off
   */
  readonly tellsQuestions?: boolean | undefined;
  /** @defaultValue the system's */
  readonly clock?: Clock | undefined;
  /** Is told of failures, never of content. */
  readonly log?: BurstLogger | undefined;
  readonly limits?: Partial<GatherLimits> | undefined;
  /** Bridges spans and records of the monitor itself as well. @defaultValue false */
  readonly includeOwn?: boolean | undefined;
}

/** Tells whether spans may be of two instrumentations, which may have seen the same call. */
function areOfSeveralScopes(groups: readonly TraceGroup[]): boolean {
  const first = groups[0]?.ended[0]?.span.instrumentationScope?.name;
  return groups.some(
    ({ ended, logs }) =>
      logs.size > 0 || ended.some(({ span }) => span.instrumentationScope?.name !== first),
  );
}

/** Records that belong to a model call: its messages, how it failed, how it was judged. */
const CALL_RECORDS =
  /^gen_ai\.(?:(?:system|user|assistant|tool)\.message$|choice$|content\.|client\.|evaluation\.)/;

/** Tells whether a record is one of a model call; most records of an application are none. */
const isOfCall = (name: string): boolean => name.startsWith("gen_ai.") && CALL_RECORDS.test(name);

/** What was judged is no call: its span is one of somebody else's. */
const isNoEvaluation = (record: BridgeRecord): boolean => toEventName(record) !== EVALUATION_EVENT;

/** Orders traces by their first span: one may go on with what another began. */
function byBeginning(one: TraceGroup, other: TraceGroup): number {
  const [first = 0, second = 0] = [one, other].map(({ ended }) =>
    toMillis(ended[0]?.span.startTime),
  );
  return first - second;
}

/** Spans that were read, by their ids, so that one that comes again is known. */
const MAX_READ_SPANS = 20_000;
const NO_LOGS: readonly BridgeRecord[] = [];

/**
 * Makes events of GenAI spans and log records of any instrumentation: what the user said, what the agent answered,
 * tool calls, their results, failures; each once, however many spans tell of it.
 *
 * Takes spans of a running SDK, and decoded ones of which only `onEnd` is called. Never throws.
 */
export class EventBridge {
  readonly #options: EventBridgeOptions;
  readonly #clock: Clock;
  readonly #evidence = new GenAiEvidence();
  readonly #memory = new ConversationMemory();
  readonly #read = new BoundedMap<string, true>(MAX_READ_SPANS);
  readonly #counts = createBridgeCounts();
  readonly #groups: TraceGroups;
  readonly #openCalls = new OpenCalls();
  readonly #unnamed: Turn[] = [];
  #isShutDown = false;
  /** Counts what came. */
  #order = 0;

  constructor(options: EventBridgeOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#groups = new TraceGroups({
      clock: this.#clock,
      limits: { ...DEFAULT_GATHER_LIMITS, ...options.limits },
      counts: this.#counts,
      onReady: (groups) => this.#tell(groups),
      mayBelongTogether: areOfSeveralScopes,
    });
  }

  /** Tells what became of what the bridge saw. */
  stats(): BridgeStats {
    return { ...this.#counts, waiting: this.#groups.size };
  }

  /** Takes note of a span that starts, so that one that never ends is known. */
  onStart(span: BridgeSpan, context?: Context): void {
    if (this.#isShutDown) return;
    const scope = span.instrumentationScope?.name;
    if (!this.#evidence.isLikelyScope(scope) && !this.#evidence.hasAttribute(span)) return;
    if (this.#isOwn(scope)) return;
    this.#guard(() => {
      this.#openCalls.add(span);
      this.onStarted(span, readStartIdentity(context));
    });
  }

  /** Finds the span in which another instrumentation has begun to tell of a model call. */
  findOpenCall(toSpan: () => SpanLike): BridgeSpan | undefined {
    let found: BridgeSpan | undefined;
    this.#guard(() => (found = this.#openCalls.find(toSpan)));
    return found;
  }

  /** Takes note of a GenAI span that has started a moment ago, and of who took part then. */
  onStarted(span: BridgeSpan, started: StartIdentity): void {
    if (this.#isShutDown) return;
    this.#guard(() => {
      const since = this.#clock.monotonic();
      const order = this.#order++;
      this.#groups.touch(span.spanContext().traceId).start({ span, started, since, order });
    });
  }

  /** Takes a span that has ended. */
  onEnd(span: BridgeSpan): void {
    if (this.#isShutDown) return;
    const scope = span.instrumentationScope?.name;
    this.#openCalls.delete(span);
    const hasAttribute = this.#evidence.hasAttribute(span);
    const isLikely = hasAttribute || this.#evidence.isLikelyScope(scope);
    if (isLikely && !this.#isOwn(scope)) {
      this.#guard(() => (hasAttribute ? this.#take(span) : this.#takeOrPass(span)));
    } else this.#groups.find(span.spanContext().traceId)?.pass(span);
  }

  /** Takes a log record; only those of GenAI instrumentations matter. */
  onLogRecord(record: BridgeRecord): void {
    if (this.#isShutDown) return;
    this.#guard(() => {
      if (!isOfCall(toEventName(record))) return;
      if (this.#isOwn(record.instrumentationScope?.name)) return;
      const { traceId, spanId } = record.spanContext ?? {};
      if (traceId === undefined || spanId === undefined) {
        this.#counts.malformed++;
        const message = "a GenAI log record makes no event: it was emitted without a trace context";
        this.#options.log?.log("warn", "bridge:no_trace_context", message);
        return;
      }
      if (this.#read.get(traceId + spanId)) {
        this.#counts.repeated++;
        return;
      }
      const group = this.#groups.touch(traceId);
      const bytes = group.log(record, spanId);
      if (bytes === 0) this.#counts.dropped++;
      this.#groups.grow(group, bytes);
    });
  }

  /** Tells whether something of a trace waits for the rest of it. */
  isWaiting(traceId: string): boolean {
    return this.#groups.find(traceId) !== undefined;
  }

  /** Tells what is complete, without waiting for more log records. */
  flush(): void {
    this.#guard(() => this.#groups.flush());
  }

  /** Tells everything that waits, and gives open spans up. */
  drain(): void {
    this.#guard(() => this.#groups.flush(true));
  }

  /** Tells everything that waits, gives open spans up, and takes nothing more. */
  shutdown(): void {
    if (this.#isShutDown) return;
    this.#guard(() => this.#groups.close());
    this.#isShutDown = true;
    this.#memory.clear();
    this.#read.clear();
  }

  #isOwn(scope: string | undefined): boolean {
    return scope === SCOPE_NAME && this.#options.includeOwn !== true;
  }

  /** Spans start and end in the application's calls, which must not fail because of us. */
  #guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#counts.malformed++;
      this.#options.log?.log("warn", "bridge", "a span or a log record could not be read", {
        error: toErrorName(error),
      });
    }
  }

  #takeOrPass(span: BridgeSpan): void {
    if (readRole(span) !== undefined) {
      this.#take(span);
      return;
    }
    const { traceId, spanId } = span.spanContext();
    const group = this.#groups.find(traceId);
    // One that looked like a GenAI span at its start is not waited for.
    group?.open.delete(spanId);
    group?.pass(span);
  }

  #take(span: BridgeSpan): void {
    const key = keyOf(span);
    if (this.#read.get(key)) {
      this.#counts.repeated++;
      return;
    }
    const group = this.#groups.touch(span.spanContext().traceId);
    this.#groups.grow(group, group.end(span, key, this.#order++));
  }

  #tell(groups: readonly TraceGroup[]): void {
    this.#tellGroups(groups.length > 1 ? groups.toSorted(byBeginning) : groups);
    // What nothing has named by now nothing of these traces does.
    for (const turn of this.#unnamed.splice(0)) this.#guard(() => turn.tellUnnamed());
    this.#options.onTold?.(groups.map(({ traceId }) => traceId));
  }

  #tellGroups(groups: readonly TraceGroup[]): void {
    if (!areOfSeveralScopes(groups)) {
      // One after the other: what was read of a trace need not live until the last one is told.
      for (const group of groups) this.#tellTrace(this.#readGroup(group), group.links);
      return;
    }
    const traces = groups.map((group) => ({
      traceId: group.traceId,
      links: group.links,
      records: this.#readGroup(group),
    }));
    this.#guard(() => joinTraces(traces));
    for (const { records, links } of traces) this.#tellTrace(records, links);
  }

  #tellTrace(records: readonly SpanRecord[], links: ReadonlyMap<string, string>): void {
    if (records.length === 0) return;
    this.#guard(() => {
      this.#counts.merged += tellTrace(records, links, {
        memory: this.#memory,
        onUnnamed: (turn) => this.#unnamed.push(turn),
        tell: (event) => {
          this.#counts.events++;
          this.#options.onEvent(event);
        },
      });
    });
  }

  #readGroup(group: TraceGroup): SpanRecord[] {
    const records: SpanRecord[] = [];
    const now = this.#clock.now();
    for (const { span, key, order, started, abandonedAt } of group.ended) {
      const logs = group.takeLogs(span.spanContext().spanId) ?? NO_LOGS;
      if (this.#read.get(key)) {
        this.#counts.repeated++;
        continue;
      }
      // One that was given up may yet end, and then tells the rest.
      if (abandonedAt === undefined) this.#read.set(key, true);
      this.#guard(() => {
        const record = readRecord({ span, logs, order, started, abandonedAt, now });
        if (record) this.#evidence.learn(record.scope);
        if (record) records.push(record);
        else group.pass(span);
      });
    }
    for (const [spanId, logs] of group.logs) {
      if (group.open.has(spanId) || !logs.some(isNoEvaluation)) continue;
      this.#guard(() => {
        const source = { logs, order: this.#order++, now };
        const record = readLoggedRecord(group.traceId, spanId, source);
        const isUnderWay = record.isAbandoned && this.#options.tellsQuestions === true;
        if (!isUnderWay) this.#read.set(group.traceId + spanId, true);
        records.push(isUnderWay ? { ...record, isAbandoned: false, isUnderWay } : record);
      });
    }
    this.#counts.spans += records.length;
    for (const { isInputPartial, isOutputPartial } of records) {
      if (isInputPartial || isOutputPartial) this.#counts.cut++;
    }
    return records;
  }
}
