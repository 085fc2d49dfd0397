import {
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type HrTime,
  type Span,
} from "@opentelemetry/api";
import { beginInTurn } from "../../scope/scopes.ts";
import * as semconv from "../../semconv.ts";
import { readString } from "../../util/values.ts";
import { toThrownFailure, type CallFailure } from "../fetch/call-failure.ts";
import type { FetchObserverHost } from "../host.ts";
import {
  assign,
  makeObservedSpan,
  startPublicSpan,
  toHrTime,
  type ObservedSpan,
  type SdkSpan,
  type SpanStart,
  type SpanTime,
} from "./observed-span.ts";

/** Longest answer, in UTF-16 units, that is checked while the application waits: this takes about a millisecond. */
const MAX_AWAITED_LENGTH = 8192;
/** Attributes that hold the answer: those of the conventions and of the AI SDK's own spans. */
const ANSWERS = [semconv.ATTR_GEN_AI_OUTPUT_MESSAGES, "ai.response.text", "ai.response.object"];

/** Returns the approximate length of the answer in the attributes. */
function toAnswerLength(attributes: Attributes): number {
  return Math.max(...ANSWERS.map((name) => readString(attributes[name])?.length ?? 0));
}

/** Options of a pair. */
export interface SpanPairOptions extends SpanStart {
  /** Content attributes: unfiltered for the bridge, filtered by the policy on the public span. */
  readonly content?: Attributes | undefined;
  /** Skips the public span: another span stands for the same call. */
  readonly isPrivate: boolean;
  readonly time: SpanTime;
  /** Abandons the pair when it is never ended. @defaultValue the pair is always ended */
  readonly keepOpen?: FetchObserverHost["keepOpen"];
  /** Runs actions that may throw. @defaultValue the caller catches errors */
  readonly guard?: ((action: () => void) => void) | undefined;
  /** Called when the pair was ended or abandoned. */
  readonly onOver?: (() => void) | undefined;
}

/** Data of a call that are known at its end only. */
interface SpanEnding {
  readonly attributes: Attributes;
  readonly failure: CallFailure | undefined;
  /** Approximate length of the answer, in UTF-16 units. */
  readonly answerLength: number;
  /** Reads the content. */
  readonly toContent: () => Attributes;
}

const ABANDONED = "span_abandoned";

/** The spans of one call or run: one with all content for the bridge, and a public one, filtered by the policy. */
export class SpanPair {
  /** The public span, if there is one. */
  readonly shown: SdkSpan | undefined;
  readonly #host: FetchObserverHost;
  readonly #options: SpanPairOptions;
  readonly #guard: (action: () => void) => void;
  readonly #content: Attributes;
  readonly #leaveTurn: (isGivenUp?: boolean) => void;
  readonly #forget: (() => void) | undefined;
  /** Whether the pair was ended or abandoned. */
  isOver = false;
  #bridged: ObservedSpan | undefined;
  #failure: CallFailure | undefined;

  constructor(host: FetchObserverHost, options: SpanPairOptions) {
    this.#host = host;
    this.#options = options;
    this.#guard = options.guard ?? ((action) => action());
    this.#content = assign({}, options.content);
    if (!options.isPrivate) this.shown = startPublicSpan(host, options);
    this.#leaveTurn = beginInTurn(options.parent);
    this.#forget = options.keepOpen?.(this);
  }

  /** The bridge's span, created on demand: the application may have continued by then. */
  get bridged(): ObservedSpan {
    return (this.#bridged ??= makeObservedSpan(this.#options, this.#content, this.shown));
  }

  /** Context for spans inside: their parent, for the bridge even if there is no public span. */
  get context(): Context {
    const { shown } = this;
    const ids = this.bridged.spanContext();
    const isShown = shown?.spanContext().spanId === ids.spanId;
    return trace.setSpan(this.#options.parent, isShown ? shown : trace.wrapSpanContext(ids));
  }

  /** Adds attributes and content to those of the start. */
  set(attributes: Attributes, content?: Attributes): void {
    if (!this.isOver) this.#guard(() => this.#add(attributes, content));
  }

  /** Marks both spans as failed; the first failure counts. */
  fail(error: unknown): void {
    if (this.isOver || this.#failure) return;
    this.#guard(() => {
      const failure = toThrownFailure(error);
      this.#setFailure(failure);
      this.#add({ [semconv.ATTR_ERROR_TYPE]: failure.type });
    });
  }

  /**
   * Ends both spans, once; the public one at once, because the application waits here for its response. It does not
   * wait for the check of a long answer: then both spans end as soon as the application has continued.
   *
   * @param time - Milliseconds since the Unix epoch, or an `HrTime`.
   * @param ending - Data that are known at the end only; content is read later unless the public span needs it.
   */
  end(time?: HrTime | number, ending?: SpanEnding): void {
    if (this.isOver) return;
    this.isOver = true;
    const endTime = time === undefined ? this.#options.time.at() : toHrTime(time);
    const { toPublicContent, annotate, defer } = this.#host;
    const isNeeded = this.#recording && (toPublicContent ?? annotate);
    if (ending && defer && !isNeeded) this.#endEarly(endTime, ending);
    else this.#endTogether(endTime, ending);
    this.#options.onOver?.();
  }

  /**
   * Abandons both spans: the public one ends as failed, and the bridge emits what is known, with an unknown outcome.
   */
  abandon(): void {
    if (this.isOver) return;
    this.isOver = true;
    const record = (shown: Span | undefined): void => {
      this.#host.onAbandon(this.bridged);
      if (!shown) return;
      this.#show(shown);
      shown.setAttribute(semconv.ATTR_ERROR_TYPE, ABANDONED);
      shown.setStatus({ code: SpanStatusCode.ERROR });
    };
    this.#endPublic(this.#options.time.at(), record, true);
    this.#options.onOver?.();
  }

  #endTogether(endTime: HrTime, ending: SpanEnding | undefined): void {
    const end = (): void =>
      this.#endPublic(endTime, (shown) => {
        this.#endBridged(endTime, ending);
        if (shown) this.#show(shown);
        this.#host.onEnd(this.bridged);
      });
    const { defer } = this.#host;
    const isLong = (): boolean =>
      (ending?.answerLength ?? toAnswerLength(this.bridged.attributes)) > MAX_AWAITED_LENGTH;
    // The application would wait here until a long answer was checked.
    if (defer && this.#isCall && this.#recording && isLong()) defer(end, true);
    else end();
  }

  /** Ends the public span now and the bridge's span later. */
  #endEarly(endTime: HrTime, ending: SpanEnding): void {
    try {
      this.#endPublic(endTime, (shown) => {
        shown?.setAttributes(ending.attributes);
        if (ending.failure) shown?.setStatus({ code: SpanStatusCode.ERROR });
      });
    } finally {
      this.#host.defer?.(() => {
        this.#endBridged(endTime, ending);
        this.#host.onEnd(this.bridged);
      });
    }
  }

  #endBridged(endTime: HrTime, ending: SpanEnding | undefined): void {
    if (ending) this.#add(ending.attributes, ending.toContent());
    if (ending?.failure) this.#setFailure(ending.failure);
    this.bridged.endTime = endTime;
  }

  /** Ends the public span even if `record` throws. */
  #endPublic(endTime: HrTime, record: (shown: Span | undefined) => void, isGivenUp = false): void {
    try {
      this.#guard(() => record(this.#recording));
    } finally {
      try {
        this.#guard(() => this.shown?.end(endTime));
      } finally {
        this.#leaveTurn(isGivenUp);
        this.#forget?.();
      }
    }
  }

  /** Writes the content that the policy allows, and the annotations, to the public span. */
  #show(shown: Span): void {
    const { toPublicContent, annotate } = this.#host;
    // An error message may repeat the prompt.
    const failure = this.#failure && { [semconv.ATTR_EXCEPTION_MESSAGE]: this.#failure.message };
    const given = toPublicContent?.({ ...this.#content, ...failure }) ?? {};
    const { [semconv.ATTR_EXCEPTION_MESSAGE]: message, ...rest } = given;
    shown.setAttributes(rest);
    if (failure) {
      const status = message !== undefined && { message: String(message) };
      shown.setStatus({ code: SpanStatusCode.ERROR, ...status });
    }
    const more = this.#isCall ? annotate?.(this.bridged) : undefined;
    if (more) shown.setAttributes(more);
  }

  #add(attributes: Attributes, content?: Attributes): void {
    assign(this.bridged.attributes, attributes);
    assign(this.bridged.attributes, content);
    assign(this.#content, content);
    this.#recording?.setAttributes(attributes);
  }

  #setFailure(failure: CallFailure): void {
    this.#failure = failure;
    this.bridged.status = { code: SpanStatusCode.ERROR, message: failure.message };
  }

  get #isCall(): boolean {
    return this.#options.kind === SpanKind.CLIENT;
  }

  /** The public span, as long as it is recording. */
  get #recording(): Span | undefined {
    return this.shown?.isRecording() === true ? this.shown : undefined;
  }
}
