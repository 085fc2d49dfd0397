import type { SpanContext } from "@opentelemetry/api";
import { BoundedMap } from "../../util/bounded-map.ts";
import type { Clock } from "../../util/clock.ts";
import type { BridgeCounts } from "../bridge-counts.ts";
import { areOfSeveralScopes, TraceGroup, type OpenSpan, type OpenStarts } from "./trace-group.ts";

/** Bounds and times of gathering. */
export const DEFAULT_GATHER_LIMITS = {
  /** Time in ms after the last span of a trace that log records have to come in. */
  settleMillis: 250,
  /** Time in ms that spans wait whose parents are missing. */
  orphanMillis: 2000,
  /** Time in ms that log records wait for their span. */
  recordMillis: 60_000,
  /** Time in ms after which a span that has not ended is given up. */
  maxOpenMillis: 600_000,
  /** Traces at a time. */
  maxTraces: 2000,
  /** Spans of one trace at a time. */
  maxSpans: 2000,
  /** Bytes, about, of all that waits. */
  maxBytes: 64 * 1024 * 1024,
};

/** Bounds and times of gathering. */
export type GatherLimits = Readonly<typeof DEFAULT_GATHER_LIMITS>;

/** What a TraceGroups works with. */
export interface TraceGroupsOptions {
  readonly clock: Clock;
  readonly limits: GatherLimits;
  readonly counts: BridgeCounts;
  /** Gets traces of which all is there, or as much as there will be, those together that may be of one request. */
  readonly onReady: (groups: readonly TraceGroup[]) => void;
}

/** So many spans are handed on at a time, where traces stand for themselves; others wait for the next turn. */
const SPANS_PER_TURN = 50;

/** Returns the first traces that make a turn's work. */
function takeTurn(groups: readonly TraceGroup[]): readonly TraceGroup[] {
  let spans = 0;
  const end = groups.findIndex((group) => (spans += group.size) >= SPANS_PER_TURN);
  return end === -1 ? groups : groups.slice(0, end + 1);
}

/** Gathers spans and log records by trace until all that belongs together is there; bounded in every way. */
export class TraceGroups {
  readonly #options: TraceGroupsOptions;
  readonly #groups: BoundedMap<string, TraceGroup>;
  #bytes = 0;
  #cancelSweep: (() => void) | undefined;

  constructor(options: TraceGroupsOptions) {
    this.#options = options;
    this.#groups = new BoundedMap(options.limits.maxTraces, (group) => this.#hand([group]));
  }

  get size(): number {
    return this.#groups.size;
  }

  /** Returns the trace if something of it waits. */
  find(traceId: string): TraceGroup | undefined {
    return this.#groups.size === 0 ? undefined : this.#groups.get(traceId);
  }

  /** Returns the trace, and begins it if need be. */
  touch(traceId: string): TraceGroup {
    let group = this.#groups.get(traceId);
    if (!group) {
      group = new TraceGroup(traceId);
      this.#groups.set(traceId, group);
    }
    group.lastActivity = this.#options.clock.monotonic();
    this.#scheduleSweep();
    return group;
  }

  /** Enters what a trace has got more, and hands on what is too much to wait. */
  grow(group: TraceGroup, bytes: number): void {
    const { maxSpans, maxBytes } = this.#options.limits;
    this.#bytes += bytes;
    if (group.size > maxSpans) this.#release([group]);
    while (this.#bytes > maxBytes) {
      const oldest = this.#groups.oldest();
      if (!oldest) return;
      this.#release([oldest[1]]);
    }
  }

  /** Returns up a span that is open. */
  abandon({ traceId, spanId }: Pick<SpanContext, "traceId" | "spanId">): void {
    const isOpen = this.find(traceId)?.open.has(spanId) === true;
    if (isOpen)
      this.#abandon(this.touch(traceId), ({ span }) => span.spanContext().spanId === spanId);
  }

  /** Hands on every trace in which no span is open; with `isLast` the others as well, whose spans are given up. */
  flush(isLast = false): void {
    const ready: TraceGroup[] = [];
    const starts = this.#findOpen();
    for (const group of this.#groups.values()) {
      if (isLast) this.#abandon(group, () => true);
      const isOver = group.open.size === 0 && (group.ended.length > 0 || group.isComplete);
      const isWhole = isOver && !group.mayShare(starts);
      if (isLast || isWhole) ready.push(group);
    }
    this.#release(ready);
  }

  /** Hands some traces on, as much of them as has come. */
  release(traceIds: readonly string[]): void {
    this.#release(traceIds.flatMap((traceId) => this.#groups.get(traceId) ?? []));
  }

  close(): void {
    this.#cancelSweep?.();
    this.#cancelSweep = undefined;
    this.flush(true);
  }

  #abandon(group: TraceGroup, isOld: (open: OpenSpan) => boolean): void {
    const { clock, counts } = this.#options;
    counts.abandoned += group.abandon(clock.now(), isOld);
  }

  #release(groups: readonly TraceGroup[]): void {
    if (groups.length === 0) return;
    for (const { traceId } of groups) this.#groups.delete(traceId);
    this.#hand(groups);
    for (const group of groups) {
      if (group.open.size === 0) continue;
      // The spans that are still open go on waiting.
      const rest = this.touch(group.traceId);
      for (const open of group.open.values()) rest.start(open);
    }
  }

  #hand(groups: readonly TraceGroup[]): void {
    for (const { bytes } of groups) this.#bytes -= bytes;
    this.#options.onReady(groups);
  }

  #isDue(group: TraceGroup, now: number, starts: OpenStarts): boolean {
    const { settleMillis, orphanMillis, recordMillis } = this.#options.limits;
    if (group.open.size > 0) return false;
    const { isRooted, isComplete } = group;
    const isWaiting = group.ended.length === 0 && !isComplete;
    const whole = isRooted || isComplete ? settleMillis : orphanMillis;
    const wait = isWaiting ? recordMillis : whole;
    const idle = now - group.lastActivity;
    if (idle < wait) return false;
    group.isShared = group.mayShare(starts);
    return !group.isShared || idle >= recordMillis;
  }

  /**
   * Finds the spans that are open: one of another trace and another instrumentation, there at the same time, may be of
   * the same model call, which is worth waiting for.
   */
  #findOpen(): OpenStarts {
    const starts: OpenStarts = new Map();
    for (const group of this.#groups.values()) group.noteOpen(starts);
    return starts;
  }

  #scheduleSweep(millis = this.#options.limits.settleMillis): void {
    this.#cancelSweep ??= this.#options.clock.schedule(() => {
      this.#cancelSweep = undefined;
      const isDone = this.#sweep();
      if (this.#groups.size > 0) this.#scheduleSweep(isDone ? undefined : 0);
    }, millis);
  }

  /** Hands on what is due, or a turn's work of it; returns whether that was all. */
  #sweep(): boolean {
    const { clock, limits } = this.#options;
    const now = clock.monotonic();
    const oldest = now - limits.maxOpenMillis;
    for (const group of this.#groups.values()) {
      if (group.open.size > 0) this.#abandon(group, ({ since }) => since <= oldest);
    }
    const starts = this.#findOpen();
    const due = [...this.#groups.values()].filter((group) => this.#isDue(group, now, starts));
    // Traces that may be of one request are handed on together.
    const turn = areOfSeveralScopes(due) ? due : takeTurn(due);
    this.#release(turn);
    return turn.length === due.length;
  }
}
