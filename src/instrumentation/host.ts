import type { Attributes, Context, Tracer } from "@opentelemetry/api";
import type { BridgeSpan } from "../bridge/bridge-span.ts";
import type { SpanLike } from "../bridge/span-exchange.ts";
import { BoundedMap } from "../util/bounded-map.ts";
import type { Clock } from "../util/clock.ts";
import type { BurstLogger } from "../util/logger.ts";

/** What is known of observed model calls. */
export interface CallStats {
  /** Calls that are not over. */
  readonly open: number;
  /** Calls that nobody observed, because their client was built before the monitor. */
  readonly missed: number;
  /** Whether another monitor of the process observes the global `fetch`, so that this one sees nothing of it. */
  readonly isSecond: boolean;
}

interface Run {
  abandon(): void;
}

/** Runs of all hooks together; the one that began first is given up when there are more. */
const MAX_RUNS = 50_000;

/** Knows the runs that hooks have begun to tell of and that have not ended. */
export class OpenRuns {
  readonly #open = new BoundedMap<Run, Run>(MAX_RUNS, (run) => run.abandon());

  /** Keeps a run. @returns Forgets it. */
  add(run: Run): () => void {
    this.#open.set(run, run);
    return () => void this.#open.delete(run);
  }

  /** Gives every run up, inner ones first. */
  abandon(): void {
    for (const run of [...this.#open.values()].toReversed()) run.abandon();
    this.#open.clear();
  }
}

/** What observed calls are told to. */
export interface FetchObserverHost {
  /** Gives who makes the spans of the telemetry path, looked up at every call; `undefined` while nobody does. */
  readonly tracer: () => Tracer | undefined;
  /** Is told of a model call as it starts, with the context that it runs in; the span is made when it is asked for. */
  readonly onStart: (toSpan: () => BridgeSpan, context: Context) => void;
  /** Gets a model call that has ended, with its whole content, whatever the policy. */
  readonly onEnd: (span: BridgeSpan) => void;
  /** Gets a model call or a run that was given up, with what is known of it; it has not ended. */
  readonly onAbandon: (span: BridgeSpan) => void;
  /**
   * Keeps what is open until it has ended, so that it is given up when nobody will tell of it any more.
   *
   * @returns Forgets it.
   * @defaultValue nobody gives it up
   */
  readonly keepOpen?: ((run: { abandon(): void }) => () => void) | undefined;
  /** Tells whether the span that is active stands for the same model call, so that no other one is made. */
  readonly isModelCall: (span: SpanLike) => boolean;
  /**
   * Finds a span that is open for the same model call and is not active; what is known of the call is read if there is
   * something to compare it with.
   *
   * @defaultValue there is none
   */
  readonly findOpenCall?: ((toSpan: () => SpanLike) => BridgeSpan | undefined) | undefined;
  /**
   * Gives the attributes with content as the span of the telemetry path may carry them.
   *
   * @defaultValue no content
   */
  readonly toPublicContent?: ((content: Attributes) => Attributes) | undefined;
  /** Gives what else the span of the telemetry path is to say, findings for example, just before it ends. */
  readonly annotate?: ((span: BridgeSpan) => Attributes | undefined) | undefined;
  /**
   * Does something once the application has gone on, in order; soon, or together with what else there will be.
   *
   * @defaultValue it is done at once
   */
  readonly defer?: ((task: () => void, isSoon?: boolean) => void) | undefined;
  /** @defaultValue the system's */
  readonly clock?: Clock | undefined;
  /** Is told of failures of the observer, never of content. */
  readonly log?: BurstLogger | undefined;
}
