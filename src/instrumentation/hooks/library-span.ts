import {
  SpanStatusCode,
  type Attributes,
  type AttributeValue,
  type Context,
  type Exception,
  type HrTime,
  type Span,
  type SpanContext,
  type SpanOptions,
  type SpanStatus,
  type TimeInput,
} from "@opentelemetry/api";
import { ATTR_ERROR_TYPE, ATTR_GEN_AI_OPERATION_NAME } from "../../semconv.ts";
import { beginInTurn } from "../../scope/turn-scope.ts";
import { systemClock } from "../../util/clock.ts";
import { toErrorName } from "../../util/logger.ts";
import { endInTime, toAnswerLength } from "../spans/end-in-time.ts";
import type { FetchObserverHost } from "../host.ts";
import { toHookFailure } from "./hook-failure.ts";
import {
  makeHookSpans,
  toHrTime,
  type HookBridgeSpan,
  type HookOperation,
} from "./hook-span-start.ts";

const ABANDONED = "span_abandoned";

/** How the spans of a library are read. */
export interface SpanLibrary {
  /** Name, for log lines. */
  readonly name: string;
  /** Scope of the spans that the bridge gets, by which it knows whose names they carry. */
  readonly scope: string;
  /** Tells whether an attribute carries what was said. */
  isContent(attribute: string): boolean;
  /** Tells whether an attribute may be a credential, which goes nowhere. */
  isSecret(attribute: string): boolean;
  /** Tells what a span stands for. */
  toOperation(name: string, attributes: Attributes): HookOperation;
  /** Gives the name of a span for people. @defaultValue operation and what is done by it */
  toName?(operation: HookOperation, name: string, attributes: Attributes): string | undefined;
}

/** What a span is made with. */
export interface LibrarySpanOptions {
  readonly host: FetchObserverHost;
  readonly library: SpanLibrary;
  readonly name: string;
  readonly given: SpanOptions;
  readonly parent: Context;
  readonly onEnd: (span: LibrarySpan) => void;
}

/** A span that a library makes by itself: whole for the bridge, by the policy in public. */
export class LibrarySpan implements Span {
  readonly #host: FetchObserverHost;
  readonly #library: SpanLibrary;
  readonly #bridged: HookBridgeSpan;
  readonly #shown: Span | undefined;
  readonly #onEnd: (span: LibrarySpan) => void;
  readonly #startMillis: number;
  readonly #startMonotonic: number;
  readonly #leaveTurn: (isGivenUp?: boolean) => void;
  readonly #forget: (() => void) | undefined;
  #isOver = false;

  constructor({ host, library, name, given, parent, onEnd }: LibrarySpanOptions) {
    this.#host = host;
    this.#library = library;
    this.#onEnd = onEnd;
    const clock = host.clock ?? systemClock;
    this.#startMillis = clock.now();
    this.#startMonotonic = clock.monotonic();
    const attributes = this.#filter(given.attributes, false);
    const operation = library.toOperation(name, attributes);
    const { bridged, shown } = makeHookSpans(
      host,
      {
        operation,
        name: library.toName?.(operation, name, attributes),
        attributes,
        content: this.#filter(given.attributes, true),
      },
      parent,
      toHrTime(this.#startMillis),
    );
    this.#bridged = { ...bridged, instrumentationScope: { name: library.scope } };
    this.#shown = shown;
    // What is none of the conventions' operations keeps the library's name.
    if (operation === "chain") shown?.updateName(name);
    this.#leaveTurn = beginInTurn(parent);
    this.#forget = host.keepOpen?.(this);
    host.onStart(() => this.#bridged, parent);
  }

  // What the fetch observer reads of the span that is active.
  get attributes(): Attributes {
    return this.#bridged.attributes;
  }

  get instrumentationScope(): HookBridgeSpan["instrumentationScope"] {
    return this.#bridged.instrumentationScope;
  }

  get resource(): HookBridgeSpan["resource"] {
    return this.#bridged.resource;
  }

  get name(): string {
    return this.#bridged.name;
  }

  get parentId(): string | undefined {
    return this.#bridged.parentSpanContext?.spanId;
  }

  spanContext(): SpanContext {
    return this.#bridged.spanContext();
  }

  setAttribute(key: string, value: AttributeValue): this {
    return this.setAttributes({ [key]: value });
  }

  setAttributes(attributes: Attributes): this {
    if (this.#isOver) return this;
    Object.assign(
      this.#bridged.attributes,
      this.#filter(attributes, false),
      this.#filter(attributes, true),
    );
    this.#shown?.setAttributes(this.#filter(attributes, false));
    return this;
  }

  addEvent(): this {
    // Times of chunks, which nobody asks for.
    return this;
  }

  addLink(): this {
    return this;
  }

  addLinks(): this {
    return this;
  }

  setStatus({ code, message }: SpanStatus): this {
    if (this.#isOver) return this;
    this.#bridged.status = { code, ...(message !== undefined && { message }) };
    this.#shown?.setStatus({ code });
    return this;
  }

  updateName(): this {
    return this;
  }

  recordException(exception: Exception): void {
    const { type, message } = toHookFailure(exception);
    this.setAttribute(ATTR_ERROR_TYPE, type);
    this.setStatus({ code: SpanStatusCode.ERROR, message });
  }

  isRecording(): boolean {
    return !this.#isOver;
  }

  end(time?: TimeInput): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const endTime = this.#toEndTime(time);
    this.#bridged.endTime = endTime;
    const finish = (): void =>
      this.#finish(endTime, () => {
        this.#show();
        this.#host.onEnd(this.#bridged);
      });
    if (this.#isJudged) endInTime(this.#host, toAnswerLength(this.attributes), finish);
    else finish();
    this.#onEnd(this);
  }

  /** Gives the span up: the bridge tells what was seen, and that it has not ended. */
  abandon(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#finish(
      this.#toEndTime(undefined),
      () => {
        this.#host.onAbandon(this.#bridged);
        this.#show();
        this.#shown?.setAttribute(ATTR_ERROR_TYPE, ABANDONED);
        this.#shown?.setStatus({ code: SpanStatusCode.ERROR });
      },
      true,
    );
    this.#onEnd(this);
  }

  /** Ends the public span, whatever the rest does. */
  #finish(endTime: HrTime, tell: () => void, isGivenUp = false): void {
    try {
      tell();
    } catch (error) {
      this.#host.log?.log("warn", "hook", "a span that a library made could not be recorded", {
        library: this.#library.name,
        error: toErrorName(error),
      });
    }
    this.#shown?.end(endTime);
    this.#leaveTurn(isGivenUp);
    this.#forget?.();
  }

  #filter(attributes: Attributes | undefined, isContent: boolean): Attributes {
    const kept: Attributes = {};
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value === undefined || this.#library.isSecret(name)) continue;
      if (this.#library.isContent(name) === isContent) kept[name] = value;
    }
    return kept;
  }

  #show(): void {
    if (this.#shown?.isRecording() !== true) return;
    const { toPublicContent, annotate } = this.#host;
    this.#shown.setAttributes(toPublicContent?.(this.#filter(this.attributes, true)) ?? {});
    const more = this.#isJudged ? annotate?.(this.#bridged) : undefined;
    if (more) this.#shown.setAttributes(more);
  }

  /** Whether its answer is one of a model, which somebody sees. */
  get #isJudged(): boolean {
    const isCall = this.attributes[ATTR_GEN_AI_OPERATION_NAME] === "chat";
    return isCall && this.#shown?.isRecording() === true;
  }

  #toEndTime(time: TimeInput | undefined): HrTime {
    if (Array.isArray(time)) return time;
    const elapsed = (this.#host.clock ?? systemClock).monotonic() - this.#startMonotonic;
    return toHrTime(this.#startMillis + Math.max(0, elapsed));
  }
}
