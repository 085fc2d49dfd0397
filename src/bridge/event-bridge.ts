import type { Context } from "@opentelemetry/api";
import { SCOPE_NAME } from "../semconv.ts";
import { BoundedMap } from "../util/bounded-map.ts";
import { systemClock, type Clock } from "../util/clock.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";
import { ConversationMemory } from "./assembly/conversation-memory.ts";
import { OpenCalls } from "./assembly/open-spans.ts";
import { DEFAULT_GATHER_LIMITS, TraceGroups, type GatherLimits } from "./assembly/trace-groups.ts";
import { createBridgeCounts, type BridgeLoss, type BridgeStats } from "./bridge-counts.ts";
import { readStartIdentity } from "./bridge-identity.ts";
import { keyOf, type BridgeRecord, type BridgeSpan } from "./bridge-span.ts";
import { readRole } from "./dialects/index.ts";
import { GroupEmitter, type EmissionOptions } from "./emission/group-emitter.ts";
import { GenAiSpanFilter } from "./genai-span-filter.ts";
import { isOfCall, RecordPlaces, type PlacedRecord } from "./reading/place-record.ts";
import type { AssessedExchange, SpanLike, StartIdentity } from "./span-record.ts";

/** What an EventBridge works with. */
export interface EventBridgeOptions extends EmissionOptions {
  /** Called for a span or a log record of which no event comes, when it is read; taking one reports it at once. */
  readonly onLost?: ((loss: BridgeLoss) => void) | undefined;
  /** @defaultValue the system's */
  readonly clock?: Clock | undefined;
  /** Logs failures, never content. */
  readonly log?: BurstLogger | undefined;
  readonly limits?: Partial<GatherLimits> | undefined;
  /** Bridges spans and records of the monitor itself as well. @defaultValue false */
  readonly includeOwn?: boolean | undefined;
}

/** Spans that were read, by their ids, so that one that comes again is known. */
const MAX_READ_SPANS = 20_000;
/** Says what must be mended where a log record is emitted. */
const NO_TRACE_CONTEXT =
  "a GenAI log record makes no event: expected a trace context, gen_ai.conversation.id or session.id, got none";

/**
 * Makes events of GenAI spans and log records of any instrumentation: what the user said, what the agent answered,
 * tool calls, their results, failures; each once, however many spans report it.
 *
 * Takes spans of a running SDK, and decoded ones of which only `onEnd` is called. Never throws.
 */
export class EventBridge {
  readonly #options: EventBridgeOptions;
  readonly #clock: Clock;
  readonly #evidence = new GenAiSpanFilter();
  readonly #memory = new ConversationMemory();
  readonly #read = new BoundedMap<string, true>(MAX_READ_SPANS);
  readonly #counts = createBridgeCounts();
  readonly #groups: TraceGroups;
  readonly #places = new RecordPlaces();
  readonly #openCalls = new OpenCalls();
  #isShutDown = false;
  /** Counts what came. */
  #order = 0;

  constructor(options: EventBridgeOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const emitter = new GroupEmitter({
      ...options,
      clock: this.#clock,
      memory: this.#memory,
      counts: this.#counts,
      evidence: this.#evidence,
      read: this.#read,
      guard: (action) => {
        const loss = "invalid_argument";
        if (this.#guard(action) === loss) options.onLost?.(loss);
      },
      nextOrder: () => this.#order++,
      onGivenUp: (span) => this.#openCalls.giveUp(span),
    });
    this.#groups = new TraceGroups({
      clock: this.#clock,
      limits: { ...DEFAULT_GATHER_LIMITS, ...options.limits },
      counts: this.#counts,
      onReady: (groups) => emitter.emit(groups),
    });
  }

  /** Returns the counts of spans and records by outcome. */
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

  /** Finds the span in which another instrumentation has begun to report a model call. */
  findOpenCall(toSpan: () => SpanLike): BridgeSpan | undefined {
    const found = this.#guard(() => this.#openCalls.find(toSpan));
    return typeof found === "object" ? found : undefined;
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

  /** Takes a span that has ended. @returns Why no event comes of it, if none does that should. */
  onEnd(span: BridgeSpan, assessed?: AssessedExchange): BridgeLoss | undefined {
    if (this.#isShutDown) return undefined;
    const scope = span.instrumentationScope?.name;
    this.#openCalls.delete(span);
    const hasAttribute = this.#evidence.hasAttribute(span);
    const isLikely = hasAttribute || this.#evidence.isLikelyScope(scope);
    if (isLikely && !this.#isOwn(scope)) {
      return this.#guard(() =>
        hasAttribute ? this.#take(span, assessed) : this.#takeOrPass(span, assessed),
      );
    }
    this.#groups.find(span.spanContext().traceId)?.pass(span);
    return undefined;
  }

  /** Takes a span that has not ended, and of which nobody will say any more. */
  onAbandoned(span: BridgeSpan): void {
    if (this.#isShutDown) return;
    this.#guard(() => {
      this.#openCalls.delete(span);
      this.#groups.abandon(span.spanContext());
    });
  }

  /** Takes a log record; only those of GenAI instrumentations matter. @returns Why no event comes of it, if none does that should. */
  onLogRecord(record: BridgeRecord, assessed?: AssessedExchange): BridgeLoss | undefined {
    const placed = this.placeRecord(record);
    return typeof placed === "object" ? this.takeRecord(placed, assessed) : placed;
  }

  /** Finds the trace that a log record belongs to. @returns Nothing for one that does not matter, else why it has none. */
  placeRecord(record: BridgeRecord): PlacedRecord | BridgeLoss | undefined {
    if (this.#isShutDown) return undefined;
    return this.#guard(() => {
      const isOurs = isOfCall(record) && !this.#isOwn(record.instrumentationScope?.name);
      return isOurs ? this.#place(record) : undefined;
    });
  }

  /** Takes a log record whose trace is known. @returns Why no event comes of it, if none does that should. */
  takeRecord(placed: PlacedRecord, assessed?: AssessedExchange): BridgeLoss | undefined {
    const { traceId, spanId } = placed;
    if (this.#isShutDown) return undefined;
    if (this.#read.get(traceId + spanId)) {
      this.#counts.repeated++;
      return undefined;
    }
    return this.#guard(() => {
      const group = this.#groups.touch(traceId);
      const bytes = group.log(placed);
      if (assessed) group.noteAssessed(assessed);
      this.#groups.grow(group, bytes);
      if (bytes > 0) return undefined;
      this.#counts.dropped++;
      return "queue_full";
    });
  }

  /** Returns whether something of a trace waits for the rest of it. */
  isWaiting(traceId: string): boolean {
    return this.#groups.find(traceId) !== undefined;
  }

  /** Emits what has come of some traces, without waiting for the rest. */
  release(traceIds: readonly string[]): void {
    this.#guard(() => this.#groups.release(traceIds));
  }

  /** Emits what is complete, without waiting for more log records. */
  flush(): void {
    this.#guard(() => this.#groups.flush());
  }

  /** Emits everything that waits, and abandons open spans. */
  drain(): void {
    this.#guard(() => this.#groups.flush(true));
  }

  /** Emits everything that waits, abandons open spans, and takes nothing more. */
  shutdown(): void {
    if (this.#isShutDown) return;
    this.#guard(() => this.#groups.close());
    this.#isShutDown = true;
    this.#memory.clear();
    this.#read.clear();
    this.#places.clear();
  }

  #isOwn(scope: string | undefined): boolean {
    return scope === SCOPE_NAME && this.#options.includeOwn !== true;
  }

  #place(record: BridgeRecord): PlacedRecord | BridgeLoss | undefined {
    const placed = this.#places.place(record);
    if (placed === "repeated") {
      this.#counts.repeated++;
      return undefined;
    }
    if (placed === "no_trace_context") {
      this.#counts.dropped++;
      this.#options.log?.log("warn", "bridge:no_trace_context", NO_TRACE_CONTEXT);
    }
    return placed;
  }

  /** Spans start and end in the application's calls, which must not fail because of us. @returns What it costs to have failed, else the result. */
  #guard<T>(action: () => T): T | "invalid_argument" {
    try {
      return action();
    } catch (error) {
      this.#counts.malformed++;
      this.#options.log?.log("warn", "bridge", "a span or a log record could not be read", {
        error: toErrorName(error),
      });
      return "invalid_argument";
    }
  }

  #takeOrPass(span: BridgeSpan, assessed: AssessedExchange | undefined): undefined {
    if (readRole(span) !== undefined) {
      this.#take(span, assessed);
      return;
    }
    const { traceId, spanId } = span.spanContext();
    const group = this.#groups.find(traceId);
    // One that looked like a GenAI span at its start is not waited for.
    group?.open.delete(spanId);
    group?.pass(span);
  }

  #take(span: BridgeSpan, assessed: AssessedExchange | undefined): undefined {
    const key = keyOf(span);
    if (this.#read.get(key)) {
      this.#counts.repeated++;
      return;
    }
    const group = this.#groups.touch(span.spanContext().traceId);
    if (assessed) group.noteAssessed(assessed);
    this.#groups.grow(group, group.end(span, key, this.#order++));
  }
}
