import {
  SpanStatusCode,
  type Attributes,
  type Context,
  type HrTime,
  type Span,
} from "@opentelemetry/api";
import {
  ATTR_ERROR_TYPE,
  ATTR_EXCEPTION_MESSAGE,
  ATTR_GEN_AI_OPERATION_NAME,
} from "../../semconv.ts";
import { activeTurnContext, beginInTurn } from "../../scope/turn-scope.ts";
import { systemClock, type Clock } from "../../util/clock.ts";
import { toErrorName } from "../../util/logger.ts";
import { isUnobserved } from "../../scope/unobserved.ts";
import { endInTime, toAnswerLength } from "../spans/end-in-time.ts";
import type { FetchObserverHost } from "../host.ts";
import { toHookFailure } from "./hook-failure.ts";
import {
  assign,
  makeHookSpans,
  toHrTime,
  type HookSpanOptions,
  type HookSpans,
} from "./hook-span-start.ts";

/** One run that a library tells of, on both paths. No method ever throws. */
export interface HookSpan {
  /** The context of what runs inside: parent of its spans. */
  readonly context: Context;
  /** Adds to what was given at the start. */
  set(attributes: Attributes, content?: Attributes): void;
  /** Marks the run as failed; the first failure counts. */
  fail(error: unknown): void;
  /** Ends both spans, once; with a long answer as soon as the application has gone on. @param time - Milliseconds since the Unix epoch, or as OpenTelemetry writes it. */
  end(time?: HrTime | number): void;
  /** Gives the run up: the public span ends as failed, and the bridge tells what was seen, and that nobody knows how it went. */
  abandon(): void;
}

const ABANDONED = "span_abandoned";

/** Runs what must not fail the library. */
function guard(host: FetchObserverHost, action: () => void): void {
  try {
    action();
  } catch (error) {
    host.log?.log("warn", "hook", "a run that a library told of could not be recorded", {
      error: toErrorName(error),
    });
  }
}

class SpanPair implements HookSpan {
  readonly context: Context;
  readonly #host: FetchObserverHost;
  readonly #spans: HookSpans;
  readonly #content: Attributes = {};
  readonly #clock: Clock;
  readonly #startMillis: number;
  readonly #startMonotonic: number;
  readonly #leaveTurn: (isGivenUp?: boolean) => void;
  readonly #forget: (() => void) | undefined;
  #isOver = false;

  constructor(host: FetchObserverHost, options: HookSpanOptions, parent: Context) {
    this.#host = host;
    this.#clock = host.clock ?? systemClock;
    this.#startMillis = this.#clock.now();
    this.#startMonotonic = this.#clock.monotonic();
    const startTime = toHrTime(options.startTime ?? this.#startMillis);
    this.#spans = makeHookSpans(host, options, parent, startTime);
    this.context = this.#spans.context;
    this.#leaveTurn = beginInTurn(parent);
    this.#forget = host.keepOpen?.(this);
    assign(this.#content, options.content);
    guard(host, () => host.onStart(() => this.#spans.bridged, parent));
  }

  set(attributes: Attributes, content?: Attributes): void {
    if (this.#isOver) return;
    const { bridged, shown } = this.#spans;
    guard(this.#host, () => {
      assign(bridged.attributes, attributes);
      assign(bridged.attributes, content);
      assign(this.#content, content);
      if (shown?.isRecording() === true) shown.setAttributes(attributes);
    });
  }

  fail(error: unknown): void {
    const { bridged } = this.#spans;
    if (this.#isOver || bridged.status.code === SpanStatusCode.ERROR) return;
    guard(this.#host, () => {
      const { type, message } = toHookFailure(error);
      bridged.status = { code: SpanStatusCode.ERROR, message };
      this.set({ [ATTR_ERROR_TYPE]: type });
    });
  }

  end(time?: HrTime | number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const endTime = toHrTime(time ?? this.#now());
    const { bridged } = this.#spans;
    bridged.endTime = endTime;
    const finish = (): void =>
      this.#finish(endTime, (shown) => {
        if (shown) this.#show(shown);
        this.#host.onEnd(bridged);
      });
    if (this.#isJudged) endInTime(this.#host, toAnswerLength(bridged.attributes), finish);
    else finish();
  }

  abandon(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#finish(
      toHrTime(this.#now()),
      (shown) => {
        this.#host.onAbandon(this.#spans.bridged);
        if (shown) this.#show(shown);
        shown?.setAttribute(ATTR_ERROR_TYPE, ABANDONED);
        shown?.setStatus({ code: SpanStatusCode.ERROR });
      },
      true,
    );
  }

  /** Ends the public span, whatever the rest does. */
  #finish(endTime: HrTime, tell: (shown: Span | undefined) => void, isGivenUp = false): void {
    const { shown } = this.#spans;
    guard(this.#host, () => tell(shown?.isRecording() === true ? shown : undefined));
    guard(this.#host, () => shown?.end(endTime));
    this.#leaveTurn(isGivenUp);
    this.#forget?.();
  }

  #show(target: Span): void {
    const { status } = this.#spans.bridged;
    const { toPublicContent, annotate } = this.#host;
    const isFailed = status.code === SpanStatusCode.ERROR;
    // What a library says of a failure may repeat what was asked.
    const message = isFailed ? { [ATTR_EXCEPTION_MESSAGE]: status.message ?? "" } : {};
    const given = toPublicContent?.({ ...this.#content, ...message }) ?? {};
    const { [ATTR_EXCEPTION_MESSAGE]: told, ...rest } = given;
    target.setAttributes(rest);
    if (isFailed) {
      target.setStatus({ code: status.code, ...(told !== undefined && { message: String(told) }) });
    }
    const more = this.#isJudged ? annotate?.(this.#spans.bridged) : undefined;
    if (more) target.setAttributes(more);
  }

  /** Whether its answer is one of a model, which somebody sees. */
  get #isJudged(): boolean {
    const { bridged, shown } = this.#spans;
    const isCall = bridged.attributes[ATTR_GEN_AI_OPERATION_NAME] === "chat";
    return isCall && shown?.isRecording() === true;
  }

  /** The run's own time, which never goes back. */
  #now(): number {
    return this.#startMillis + Math.max(0, this.#clock.monotonic() - this.#startMonotonic);
  }
}

/** What stands for a run that is not recorded. */
function toNothing(context: Context): HookSpan {
  const pass = (): void => undefined;
  return { context, set: pass, fail: pass, end: pass, abandon: pass };
}

/** Starts the spans of a run that a library's hook tells of: one with all content for the bridge, one in public. */
export function startHookSpan(host: FetchObserverHost, options: HookSpanOptions): HookSpan {
  const parent = options.parent ?? activeTurnContext();
  if (isUnobserved()) return toNothing(parent);
  let span: HookSpan | undefined;
  guard(host, () => {
    span = new SpanPair(host, options, parent);
  });
  return span ?? toNothing(parent);
}
