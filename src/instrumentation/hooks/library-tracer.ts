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
  /** Matches the names of attributes that carry content. */
  readonly content: RegExp;
  /** Matches the names of attributes that may be credentials, which are recorded nowhere. @defaultValue none */
  readonly secret?: RegExp;
  /** Returns the operation of a span. */
  toOperation(name: string, attributes: Attributes): HookOperation;
  /** Returns the display name of a span. @defaultValue the operation and its model, tool or agent */
  toName?(operation: HookOperation, name: string, attributes: Attributes): string | undefined;
}

/** Returns the attributes without content, and those with content. */
function splitAttributes(
  { content, secret }: SpanLibrary,
  given: Attributes | undefined,
): [plain: Attributes, content: Attributes] {
  const split: [Attributes, Attributes] = [{}, {}];
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === undefined || secret?.test(name) === true) continue;
    split[content.test(name) ? 1 : 0][name] = value;
  }
  return split;
}

/** A span that a library makes by itself: unfiltered for the bridge, filtered by the policy in public. */
class LibrarySpan implements Span {
  readonly #library: SpanLibrary;
  readonly #pair: SpanPair;

  constructor(library: SpanLibrary, pair: SpanPair) {
    this.#library = library;
    this.#pair = pair;
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

  spanContext(): SpanContext {
    return this.#pair.bridged.spanContext();
  }

  setAttribute(key: string, value: AttributeValue): this {
    return this.setAttributes({ [key]: value });
  }

  setAttributes(attributes: Attributes): this {
    this.#pair.set(...splitAttributes(this.#library, attributes));
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
}

/** Most open spans at a time; above it the oldest span is abandoned. */
const MAX_OPEN = 1000;

/** Context of the no-op span of a call that is not recorded. */
const NOT_RECORDED: SpanContext = { traceId: "", spanId: "", traceFlags: 0 };

/**
 * Creates a tracer for a library that makes its own spans.
 *
 * The model calls inside are children of its spans. If a span can't be created, the library's call goes on without it.
 */
export function createLibraryTracer(host: FetchObserverHost, library: SpanLibrary): Tracer {
  const open = new BoundedMap<string, SpanPair>(MAX_OPEN, (pair) => pair.abandon());
  const about = { library: library.name };
  const guardStart = createGuard(host, "hook", "a span of a library could not be made", about);
  const guard = createGuard(
    host,
    "hook",
    "a span that a library made could not be recorded",
    about,
  );

  /** Abandons the calls of an aborted run, which the library does not end. */
  const onOver = ({ bridged }: SpanPair): void => {
    const { spanId } = bridged.spanContext();
    open.delete(spanId);
    for (const other of open.values()) {
      if (other.bridged.parentSpanContext?.spanId !== spanId) continue;
      open.delete(other.bridged.spanContext().spanId);
      other.abandon();
    }
  };
  const makePair = (name: string, given: SpanOptions, parent: Context): SpanPair => {
    const [attributes, content] = splitAttributes(library, given.attributes);
    const operation = library.toOperation(name, attributes);
    const label = library.toName?.(operation, name, attributes);
    const pair: SpanPair = makeHookPair(
      host,
      { operation, name: label, attributes, content },
      { parent, scope: { name: library.scope }, guard, onOver: () => onOver(pair) },
    );
    // A span outside of the conventions' operations keeps the library's name.
    if (operation === "chain") pair.shown?.updateName(name);
    host.onStart(() => pair.bridged, parent);
    open.set(pair.bridged.spanContext().spanId, pair);
    return pair;
  };
  const startSpan = (
    name: string,
    options: SpanOptions = {},
    parent = activeHookContext(),
  ): Span => {
    const pair = isUnobserved() ? undefined : guardStart(() => makePair(name, options, parent));
    return pair ? new LibrarySpan(library, pair) : trace.wrapSpanContext(NOT_RECORDED);
  };
  const startActiveSpan = (name: string, ...rest: readonly unknown[]): unknown => {
    const run = rest.at(-1) as (span: Span) => unknown;
    const [options, given] = rest.slice(0, -1) as [SpanOptions?, Context?];
    const parent = given ?? activeHookContext();
    const span = startSpan(name, options, parent);
    return runInside(trace.setSpan(parent, span), () => run(span));
  };
  return { startSpan, startActiveSpan };
}
