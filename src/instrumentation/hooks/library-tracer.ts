import {
  SpanStatusCode,
  trace,
  type Attributes,
  type AttributeValue,
  type Context,
  type Exception,
  type Span,
  type SpanContext,
  type SpanOptions,
  type SpanStatus,
  type TimeInput,
  type Tracer,
} from "@opentelemetry/api";
import { isUnobserved } from "../../scope/scopes.ts";
import { ATTR_ERROR_TYPE } from "../../semconv.ts";
import { BoundedMap } from "../../util/bounded-map.ts";
import { toThrownFailure } from "../fetch/call-failure.ts";
import type { FetchObserverHost } from "../host.ts";
import type { ObservedSpan } from "../spans/observed-span.ts";
import type { SpanPair } from "../spans/span-pair.ts";
import {
  activeHookContext,
  createGuard,
  makeHookPair,
  runInside,
  type HookOperation,
} from "./hook-span.ts";

/** How the spans of a library are read. */
export interface SpanLibrary {
  /** Name, for log lines. */
  readonly name: string;
  /** Scope of the bridge's spans, which identifies the convention of their attributes. */
  readonly scope: string;
  /** Returns whether an attribute carries content. */
  isContent(attribute: string): boolean;
  /** Returns whether an attribute may be a credential, which is recorded nowhere. */
  isSecret(attribute: string): boolean;
  /** Returns the operation of a span. */
  toOperation(name: string, attributes: Attributes): HookOperation;
  /** Returns the display name of a span. @defaultValue the operation and its model, tool or agent */
  toName?(operation: HookOperation, name: string, attributes: Attributes): string | undefined;
}

/** Options of a span. */
interface LibrarySpanOptions {
  readonly host: FetchObserverHost;
  readonly library: SpanLibrary;
  readonly name: string;
  readonly given: SpanOptions;
  readonly parent: Context;
  readonly onEnd: (span: LibrarySpan) => void;
}

/** A span that a library makes by itself: unfiltered for the bridge, filtered by the policy in public. */
export class LibrarySpan implements Span {
  readonly #library: SpanLibrary;
  readonly #pair: SpanPair;

  constructor({ host, library, name, given, parent, onEnd }: LibrarySpanOptions) {
    this.#library = library;
    const attributes = this.#filter(given.attributes, false);
    const content = this.#filter(given.attributes, true);
    const operation = library.toOperation(name, attributes);
    const label = library.toName?.(operation, name, attributes);
    const about = { library: library.name };
    const options = { operation, name: label, attributes, content };
    const pair = makeHookPair(host, options, {
      parent,
      scope: { name: library.scope },
      guard: createGuard(host, "hook", "a span that a library made could not be recorded", about),
      onOver: () => onEnd(this),
    });
    this.#pair = pair;
    // A span outside of the conventions' operations keeps the library's name.
    if (operation === "chain") pair.shown?.updateName(name);
    host.onStart(() => pair.bridged, parent);
  }

  // Members of the active span that the fetch observer reads.
  get attributes(): Attributes {
    return this.#pair.bridged.attributes;
  }

  get instrumentationScope(): ObservedSpan["instrumentationScope"] {
    return this.#pair.bridged.instrumentationScope;
  }

  get resource(): ObservedSpan["resource"] {
    return this.#pair.bridged.resource;
  }

  get name(): string {
    return this.#pair.bridged.name;
  }

  get parentId(): string | undefined {
    return this.#pair.bridged.parentSpanContext?.spanId;
  }

  spanContext(): SpanContext {
    return this.#pair.bridged.spanContext();
  }

  setAttribute(key: string, value: AttributeValue): this {
    return this.setAttributes({ [key]: value });
  }

  setAttributes(attributes: Attributes): this {
    this.#pair.set(this.#filter(attributes, false), this.#filter(attributes, true));
    return this;
  }

  addEvent(): this {
    // Events are times of chunks, which no reader uses.
    return this;
  }

  addLink(): this {
    return this;
  }

  addLinks(): this {
    return this;
  }

  setStatus({ code, message }: SpanStatus): this {
    if (this.#pair.isOver) return this;
    this.#pair.bridged.status = { code, ...(message !== undefined && { message }) };
    // A library's error message may repeat the prompt.
    this.#pair.shown?.setStatus({ code });
    return this;
  }

  updateName(): this {
    return this;
  }

  recordException(exception: Exception): void {
    const { type, message } = toThrownFailure(exception);
    this.setAttribute(ATTR_ERROR_TYPE, type);
    this.setStatus({ code: SpanStatusCode.ERROR, message });
  }

  isRecording(): boolean {
    return !this.#pair.isOver;
  }

  end(time?: TimeInput): void {
    this.#pair.end(Array.isArray(time) ? time : undefined);
  }

  /** Abandons the span: the bridge emits what is known and that the span has not ended. */
  abandon(): void {
    this.#pair.abandon();
  }

  #filter(attributes: Attributes | undefined, isContent: boolean): Attributes {
    const kept: Attributes = {};
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value === undefined || this.#library.isSecret(name)) continue;
      if (this.#library.isContent(name) === isContent) kept[name] = value;
    }
    return kept;
  }
}

type Run = (span: Span) => unknown;

/** Most open spans at a time; above it the oldest span is abandoned. */
const MAX_OPEN = 1000;

/** Returns the no-op span of a call that is not recorded. */
const toNothing = (): Span => trace.wrapSpanContext({ traceId: "", spanId: "", traceFlags: 0 });

/**
 * Creates a tracer for a library that makes its own spans.
 *
 * The model calls inside are children of its spans. If a span can't be created, the library's call goes on without it.
 */
export function createLibraryTracer(host: FetchObserverHost, library: SpanLibrary): Tracer {
  const open = new BoundedMap<string, LibrarySpan>(MAX_OPEN, (span) => span.abandon());
  const about = { library: library.name };
  const guard = createGuard(host, "hook", "a span of a library could not be made", about);

  /** Abandons the calls of an aborted run, which the library does not end. */
  const onEnd = (span: LibrarySpan): void => {
    const { spanId } = span.spanContext();
    open.delete(spanId);
    for (const other of open.values()) {
      if (other.parentId !== spanId) continue;
      open.delete(other.spanContext().spanId);
      other.abandon();
    }
  };
  const startSpan = (
    name: string,
    options: SpanOptions = {},
    parent = activeHookContext(),
  ): Span => {
    if (isUnobserved()) return toNothing();
    let started: Span | undefined;
    guard(() => {
      const span = new LibrarySpan({ host, library, name, given: options, parent, onEnd });
      open.set(span.spanContext().spanId, span);
      started = span;
    });
    return started ?? toNothing();
  };
  const startActiveSpan = (name: string, ...rest: readonly unknown[]): unknown => {
    const run = rest.at(-1) as Run;
    const [options, given] = rest.slice(0, -1) as [SpanOptions?, Context?];
    const parent = given ?? activeHookContext();
    const span = startSpan(name, options, parent);
    const inside = trace.setSpan(parent, span);
    return runInside(inside, () => run(span));
  };
  return { startSpan, startActiveSpan };
}
