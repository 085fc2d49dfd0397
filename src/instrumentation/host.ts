import type { Attributes, Context, Tracer } from "@opentelemetry/api";
import type { BridgeSpan } from "../bridge/bridge-span.ts";
import type { SpanLike } from "../bridge/span-record.ts";
import { BoundedMap } from "../util/bounded-map.ts";
import type { Clock } from "../util/clock.ts";
import type { BurstLogger } from "../util/logger.ts";

/** Counts of observed model calls. */
export interface CallStats {
  /** Calls that are not over. */
  readonly open: number;
  /** Calls that were not observed, because their client was built before the monitor. */
  readonly missed: number;
  /** Whether another monitor of the process observes the global `fetch`, so that this one sees none of its calls. */
  readonly isSecond: boolean;
}

interface Run {
  abandon(): void;
}

/** Open runs of all hooks together; above it the oldest run is abandoned. */
const MAX_RUNS = 50_000;

/** Keeps the runs that hooks have started and not ended. */
export class OpenRuns {
  readonly #open = new BoundedMap<Run, Run>(MAX_RUNS, (run) => run.abandon());

  /** Keeps a run. @returns A function that forgets it. */
  add(run: Run): () => void {
    this.#open.set(run, run);
    return () => void this.#open.delete(run);
  }

  /** Abandons every run, inner ones first. */
  abandon(): void {
    for (const run of [...this.#open.values()].toReversed()) run.abandon();
    this.#open.clear();
  }
}

/** Receiver of observed calls. */
export interface FetchObserverHost {
  /** Returns the tracer of the telemetry path, looked up at every call; `undefined` while there is none. */
  readonly tracer: () => Tracer | undefined;
  /** Called as a model call starts, with the context that the call runs in; the span is created on demand. */
  readonly onStart: (toSpan: () => BridgeSpan, context: Context) => void;
  /** Called with a model call that has ended, with its whole content under every policy. */
  readonly onEnd: (span: BridgeSpan) => void;
  /** Called with a model call or a run that was abandoned: it has the attributes known so far and has not ended. */
  readonly onAbandon: (span: BridgeSpan) => void;
  /**
   * Keeps a run until it has ended, so that it is abandoned when its library never ends it.
   *
   * @returns A function that forgets the run.
   * @defaultValue no run is abandoned
   */
  readonly keepOpen?: ((run: { abandon(): void }) => () => void) | undefined;
  /** Returns whether the active span stands for the same model call, so that no second span is made. */
  readonly isModelCall: (span: SpanLike) => boolean;
  /**
   * Finds an open span of the same model call that is not active; `toSpan` is called only if there is a span to compare
   * with.
   *
   * @defaultValue no such span
   */
  readonly findOpenCall?: ((toSpan: () => SpanLike) => BridgeSpan | undefined) | undefined;
  /**
   * Returns the attributes with content as the span of the telemetry path may carry them.
   *
   * @defaultValue no content
   */
  readonly toPublicContent?: ((content: Attributes) => Attributes) | undefined;
  /** Returns further attributes of the telemetry path's span, findings for example, just before it ends. */
  readonly annotate?: ((span: BridgeSpan) => Attributes | undefined) | undefined;
  /**
   * Runs a task after the application has continued, in order; with `isSoon` right then, else in a batch with later
   * tasks.
   *
   * @defaultValue the task runs at once
   */
  readonly defer?: ((task: () => void, isSoon?: boolean) => void) | undefined;
  /** @defaultValue the system's */
  readonly clock?: Clock | undefined;
  /** Logs failures of the observer, never content. */
  readonly log?: BurstLogger | undefined;
}
