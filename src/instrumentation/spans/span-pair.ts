import {
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type HrTime,
  type Span,
} from "@opentelemetry/api";
import { beginInTurn } from "../../scope/turn-scope.ts";
import {
  ATTR_ERROR_TYPE,
  ATTR_EXCEPTION_MESSAGE,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
} from "../../semconv.ts";
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

/** Longest answer, in UTF-16 units, that is judged while the application waits for it: it takes about a millisecond. */
const MAX_AWAITED_LENGTH = 8192;
/** Attributes that hold an answer: of the conventions, and of the AI SDK's own spans. */
const ANSWERS = [ATTR_GEN_AI_OUTPUT_MESSAGES, "ai.response.text", "ai.response.object"];

/** About the length of the answer that attributes hold. */
function toAnswerLength(attributes: Attributes): number {
  const lengths = ANSWERS.map((name) => {
    const value = attributes[name];
    return typeof value === "string" ? value.length : 0;
  });
  return Math.max(...lengths);
}

/**
 * Ends a span that is judged first: at once, or, with a long answer, as soon as the application has gone on, which waits here for
 * it.
 */
function endInTime({ defer }: FetchObserverHost, answerLength: number, end: () => void): void {
  if (defer && answerLength > MAX_AWAITED_LENGTH) defer(end, true);
  else end();
}

/** What a pair is made with. */
export interface SpanPairOptions extends SpanStart {
  /** Attributes that carry content: whole for the bridge, by the policy in public. */
  readonly content?: Attributes | undefined;
  /** Leaves the public span out: another one stands for the same. */
  readonly isPrivate: boolean;
  readonly time: SpanTime;
  /** Has the pair given up when nobody will tell of it any more. @defaultValue somebody ends it in any case */
  readonly keepOpen?: FetchObserverHost["keepOpen"];
  /** Runs what may fail. @defaultValue what fails is for the caller to catch */
  readonly guard?: ((action: () => void) => void) | undefined;
  /** Is told that the pair was ended or given up. */
  readonly onOver?: (() => void) | undefined;
}

/** What is told of a call at its end only. */
interface SpanEnding {
  readonly attributes: Attributes;
  readonly failure: CallFailure | undefined;
  /** About the length of the answer, in UTF-16 units. */
  readonly answerLength: number;
  /** Reads what was said. */
  readonly toContent: () => Attributes;
}

const ABANDONED = "span_abandoned";

/** The spans of one call or run: one with all content for the bridge, and one in public, by the policy. */
export class SpanPair {
  /** The public span, if there is one. */
  readonly shown: SdkSpan | undefined;
  readonly #host: FetchObserverHost;
  readonly #options: SpanPairOptions;
  readonly #content: Attributes;
  readonly #leaveTurn: (isGivenUp?: boolean) => void;
  readonly #forget: (() => void) | undefined;
  #bridged: ObservedSpan | undefined;
  #failure: CallFailure | undefined;
  #isOver = false;

  constructor(host: FetchObserverHost, options: SpanPairOptions) {
    this.#host = host;
    this.#options = options;
    this.#content = assign({}, options.content);
    if (!options.isPrivate) this.shown = startPublicSpan(host, options);
    this.#leaveTurn = beginInTurn(options.parent);
    this.#forget = options.keepOpen?.(this);
  }

  /** The bridge's span, made when somebody asks for it: the application may have gone on by then. */
  get bridged(): ObservedSpan {
    return (this.#bridged ??= makeObservedSpan(this.#options, this.#content, this.shown));
  }

  /** The context of what runs inside: parent of its spans, for the bridge also where no public one is made. */
  get context(): Context {
    const { shown } = this;
    const ids = this.bridged.spanContext();
    const isShown = shown?.spanContext().spanId === ids.spanId;
    return trace.setSpan(this.#options.parent, isShown ? shown : trace.wrapSpanContext(ids));
  }

  /** Whether the pair was ended or given up. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Adds to what was given at the start. */
  set(attributes: Attributes, content?: Attributes): void {
    if (!this.#isOver) this.#guard(() => this.#add(attributes, content));
  }

  /** Marks both as failed; the first failure counts. */
  fail(error: unknown): void {
    if (this.#isOver || this.#failure) return;
    this.#guard(() => {
      const failure = toThrownFailure(error);
      this.#setFailure(failure);
      this.#add({ [ATTR_ERROR_TYPE]: failure.type });
    });
  }

  /**
   * Ends both, once; the public one at once, because the application waits here for its answer. It does not wait for a
   * long one to be judged: then both end as soon as it has gone on.
   *
   * @param time - Milliseconds since the Unix epoch, or as OpenTelemetry writes it.
   * @param ending - What was not told before; what was said is read later if the public span needn't have it.
   */
  end(time?: HrTime | number, ending?: SpanEnding): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const endTime = time === undefined ? this.#options.time.at() : toHrTime(time);
    const { toPublicContent, annotate, defer } = this.#host;
    const isNeeded = this.#recording && (toPublicContent ?? annotate);
    if (ending && defer && !isNeeded) this.#endEarly(endTime, ending, defer);
    else this.#endTogether(endTime, ending);
    this.#options.onOver?.();
  }

  /** Gives both up: the public one ends as failed, and the bridge tells what was seen, and that nobody knows how it went. */
  abandon(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const tell = (shown: Span | undefined): void => {
      this.#host.onAbandon(this.bridged);
      if (!shown) return;
      this.#show(shown);
      shown.setAttribute(ATTR_ERROR_TYPE, ABANDONED);
      shown.setStatus({ code: SpanStatusCode.ERROR });
    };
    this.#endPublic(this.#options.time.at(), tell, true);
    this.#options.onOver?.();
  }

  #endTogether(endTime: HrTime, ending: SpanEnding | undefined): void {
    const end = (): void =>
      this.#endPublic(endTime, (shown) => {
        this.#endBridged(endTime, ending);
        if (shown) this.#show(shown);
        this.#host.onEnd(this.bridged);
      });
    if (!this.#isCall || !this.#recording) end();
    else {
      const length = ending?.answerLength ?? toAnswerLength(this.bridged.attributes);
      endInTime(this.#host, length, end);
    }
  }

  /** Ends the public one now and the other one later. */
  #endEarly(
    endTime: HrTime,
    ending: SpanEnding,
    defer: NonNullable<FetchObserverHost["defer"]>,
  ): void {
    try {
      this.#endPublic(endTime, (shown) => {
        shown?.setAttributes(ending.attributes);
        if (ending.failure) shown?.setStatus({ code: SpanStatusCode.ERROR });
      });
    } finally {
      defer(() => {
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

  /** Ends the public one, whatever the rest does. */
  #endPublic(endTime: HrTime, tell: (shown: Span | undefined) => void, isGivenUp = false): void {
    try {
      this.#guard(() => tell(this.#recording));
    } finally {
      try {
        this.#guard(() => this.shown?.end(endTime));
      } finally {
        this.#leaveTurn(isGivenUp);
        this.#forget?.();
      }
    }
  }

  /** Writes on the public one what the policy allows, and what is found. */
  #show(shown: Span): void {
    const { toPublicContent, annotate } = this.#host;
    // What is said of a failure may repeat what was asked.
    const failure = this.#failure && { [ATTR_EXCEPTION_MESSAGE]: this.#failure.message };
    const given = toPublicContent?.({ ...this.#content, ...failure }) ?? {};
    const { [ATTR_EXCEPTION_MESSAGE]: message, ...rest } = given;
    shown.setAttributes(rest);
    if (failure) {
      const told = message !== undefined && { message: String(message) };
      shown.setStatus({ code: SpanStatusCode.ERROR, ...told });
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

  /** The public one, as long as it takes anything. */
  get #recording(): Span | undefined {
    return this.shown?.isRecording() === true ? this.shown : undefined;
  }

  #guard(action: () => void): void {
    const { guard } = this.#options;
    if (guard) guard(action);
    else action();
  }
}
