import { randomFillSync } from "node:crypto";
import {
  isSpanContextValid,
  SpanStatusCode,
  TraceFlags,
  type Attributes,
  type Context,
  type HrTime,
  type Span,
  type SpanContext,
  type SpanKind,
} from "@opentelemetry/api";
import type { BridgeSpan } from "../../bridge/bridge-span.ts";
import { systemClock, type Clock } from "../../util/clock.ts";
import { readMember } from "../../util/untrusted-values.ts";
import type { FetchObserverHost } from "../host.ts";
import { addScope } from "./call-attributes.ts";

/** Gives a time as OpenTelemetry writes it. @param time - Milliseconds since the Unix epoch, or written so already. */
export function toHrTime(time: HrTime | number): HrTime {
  if (typeof time !== "number") return time;
  const seconds = Math.floor(time / 1e3);
  return [seconds, Math.round((time - seconds * 1e3) * 1e6)];
}

/** The time of one call or run, from its start on: to the microsecond, and it never goes back. */
export class SpanTime {
  readonly start: HrTime;
  /** Monotonic ms of the start. */
  readonly startMonotonic: number;
  readonly #clock: Clock;
  readonly #startMillis: number;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.#startMillis = clock.now();
    this.startMonotonic = clock.monotonic();
    this.start = toHrTime(this.#startMillis);
  }

  /** Gives the time at so many monotonic ms. @defaultValue now */
  at(monotonic = this.#clock.monotonic()): HrTime {
    return toHrTime(this.#startMillis + Math.max(0, monotonic - this.startMonotonic));
  }
}

/** A span as the SDK makes it, of which the API shows less. */
export type SdkSpan = Span & Partial<Pick<BridgeSpan, "attributes" | "resource" | "name">>;

function hasAttributes(value: unknown): value is SdkSpan {
  return typeof value === "object" && value !== null && "attributes" in value;
}

/**
 * Gives the SDK's span of one that wraps it, as OpenInference's do: a wrapper holds what it wraps, which has the same
 * id. One that wraps none is given back.
 */
export function unwrapSpan(span: Span | undefined): SdkSpan | undefined {
  if (!span || hasAttributes(span)) return span;
  const { spanId } = span.spanContext();
  for (const name of Object.keys(span)) {
    const held = readMember(span, name);
    if (!hasAttributes(held) || typeof readMember(held, "spanContext") !== "function") continue;
    if (held.spanContext().spanId === spanId) return held;
  }
  return span;
}

/** Tells whether a span stands for a model call and can still be written. */
export function isOpenCall(span: SdkSpan | undefined, host: FetchObserverHost): boolean {
  if (!span?.attributes || !span.isRecording()) return false;
  return host.isModelCall(span as SdkSpan & BridgeSpan);
}

/** What both spans of a call or a run begin with. */
export interface SpanStart {
  readonly name: string;
  /** `CLIENT` for a call of a model, whose answer somebody sees. */
  readonly kind: SpanKind;
  /** Names of the conventions, without content. */
  readonly attributes: Attributes;
  /** The context that they begin in. */
  readonly parent: Context;
  readonly startTime: HrTime;
  /** Scope of the bridge's span, by which it knows whose names it carries. */
  readonly scope: { readonly name: string; readonly version?: string };
  /** The span above that of the bridge. */
  readonly around: Pick<BridgeSpan, "spanContext" | "resource"> | undefined;
}

/** The span that the bridge gets. */
export interface ObservedSpan extends BridgeSpan {
  endTime: HrTime;
  readonly attributes: Attributes;
  status: { code: SpanStatusCode; message?: string };
  readonly kind: SpanKind;
}

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

/** Random bytes to come: asking the system for a few takes as long as for a few thousand. */
const pool = Buffer.alloc(4096);
let used = pool.length;

function toId(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString("hex", used - bytes, used);
}

/** Gives the ids of a span; none for one that a tracer which does nothing has handed out: it has its parent's. */
function readIds(
  span: Pick<Span, "spanContext"> | undefined,
  above?: SpanContext,
): SpanContext | undefined {
  const given = span?.spanContext();
  return given && isSpanContextValid(given) && given.spanId !== above?.spanId ? given : undefined;
}

/** Makes ids for a span that no tracer makes, in the trace of the one above it. */
function makeIds(above: SpanContext | undefined): SpanContext {
  const traceId = above?.traceId ?? toId(TRACE_ID_BYTES);
  return { traceId, spanId: toId(SPAN_ID_BYTES), traceFlags: TraceFlags.SAMPLED };
}

/** Adds what is known; values of `undefined` would reach readers as attributes. Gives what it is given. */
export function assign(target: Attributes, values: Attributes = {}): Attributes {
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) target[name] = value;
  }
  return target;
}

/** Starts the span of the telemetry path; none while nobody makes them. */
export function startPublicSpan(
  host: FetchObserverHost,
  { name, kind, attributes, parent, startTime }: SpanStart,
): Span | undefined {
  const start = { kind, attributes: addScope({ ...attributes }), startTime };
  return host.tracer()?.startSpan(name, start, parent);
}

/** Makes the span that the bridge gets. @param shown - The public one, whose ids it has. */
export function makeObservedSpan(
  { name, kind, attributes, startTime, scope, around }: SpanStart,
  content: Attributes,
  shown: SdkSpan | undefined,
): ObservedSpan {
  const above = readIds(around);
  const spanContext = readIds(shown, above) ?? makeIds(above);
  const resource = shown?.resource ?? around?.resource;
  return {
    name,
    kind,
    spanContext: () => spanContext,
    parentSpanContext: above,
    startTime,
    endTime: [0, 0],
    attributes: { ...attributes, ...content },
    status: { code: SpanStatusCode.UNSET },
    events: [],
    instrumentationScope: scope,
    ...(resource && { resource }),
  };
}
