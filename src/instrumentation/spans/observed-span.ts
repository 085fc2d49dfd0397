import { randomFillSync } from "node:crypto";
import {
  isSpanContextValid,
  SpanStatusCode,
  TraceFlags,
  type Attributes,
  type AttributeValue,
  type Context,
  type HrTime,
  type Span,
  type SpanContext,
  type SpanKind,
} from "@opentelemetry/api";
import type { BridgeSpan } from "../../bridge/bridge-span.ts";
import { currentConversationScope } from "../../scope/scopes.ts";
import * as semconv from "../../semconv.ts";
import { systemClock, type Clock } from "../../util/clock.ts";
import { readMember } from "../../util/untrusted-values.ts";
import type { FetchObserverHost } from "../host.ts";

/** Converts a time to an `HrTime`. @param time - Milliseconds since the Unix epoch, or an `HrTime`. */
export function toHrTime(time: HrTime | number): HrTime {
  if (typeof time !== "number") return time;
  const seconds = Math.floor(time / 1e3);
  return [seconds, Math.round((time - seconds * 1e3) * 1e6)];
}

/** Clock of one call or run since its start: precise to the microsecond, and monotonic. */
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

  /** Returns the time at a monotonic time in ms. @defaultValue now */
  at(monotonic = this.#clock.monotonic()): HrTime {
    return toHrTime(this.#startMillis + Math.max(0, monotonic - this.startMonotonic));
  }
}

/** A span of the SDK, with members that the API does not declare. */
export type SdkSpan = Span & Partial<Pick<BridgeSpan, "attributes" | "resource" | "name">>;

function hasAttributes(value: unknown): value is SdkSpan {
  return typeof value === "object" && value !== null && "attributes" in value;
}

/**
 * Returns the SDK's span inside a wrapper, such as OpenInference's: a wrapper holds the wrapped span, which has the
 * same id. Any other span is returned as it is.
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

/** Returns whether a span stands for a model call and is still recording. */
export function isOpenCall(span: SdkSpan | undefined, host: FetchObserverHost): boolean {
  if (!span?.attributes || !span.isRecording()) return false;
  return host.isModelCall(span as SdkSpan & BridgeSpan);
}

/** Start options of both spans of a call or a run. */
export interface SpanStart {
  readonly name: string;
  /** `CLIENT` for a model call whose response is observed. */
  readonly kind: SpanKind;
  /** Attributes of the conventions, without content. */
  readonly attributes: Attributes;
  /** Parent context of both spans. */
  readonly parent: Context;
  readonly startTime: HrTime;
  /** Scope of the bridge's span, which identifies the convention of its attributes. */
  readonly scope: { readonly name: string; readonly version?: string };
  /** Parent of the bridge's span. */
  readonly around: Pick<BridgeSpan, "spanContext" | "resource"> | undefined;
}

/** The bridge's span. */
export interface ObservedSpan extends BridgeSpan {
  endTime: HrTime;
  readonly attributes: Attributes;
  status: { code: SpanStatusCode; message?: string };
  readonly kind: SpanKind;
}

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

/** Buffered random bytes: the system call takes as long for a few as for a few thousand. */
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

/** Returns the ids of a span; `undefined` for a no-op tracer's span, which has its parent's ids. */
function readIds(
  span: Pick<Span, "spanContext"> | undefined,
  above?: SpanContext,
): SpanContext | undefined {
  const given = span?.spanContext();
  return given && isSpanContextValid(given) && given.spanId !== above?.spanId ? given : undefined;
}

/** Creates ids for a span without a tracer, in the trace of its parent. */
function makeIds(above: SpanContext | undefined): SpanContext {
  const traceId = above?.traceId ?? toId(TRACE_ID_BYTES);
  return { traceId, spanId: toId(SPAN_ID_BYTES), traceFlags: TraceFlags.SAMPLED };
}

/** Sets an attribute to a defined value; `undefined` would reach readers as an attribute. */
export function setDefined(
  attributes: Attributes,
  name: string,
  value: AttributeValue | undefined,
): void {
  if (value !== undefined) attributes[name] = value;
}

/**
 * Assigns the defined values. Returns its first argument, which is no copy by spread syntax: V8 gives such a copy a
 * hidden class of its own when a member is added, and every reader of the span is slow then.
 */
export function assign(target: Attributes, values: Attributes | undefined): Attributes {
  for (const name in values) setDefined(target, name, values[name]);
  return target;
}

/**
 * Returns the attributes of a public span, which the bridge does not read: with agent, session, conversation and user;
 * nothing more outside of a conversation.
 */
function toPublicAttributes(attributes: Attributes): Attributes {
  const scope = currentConversationScope();
  return assign(
    assign({}, attributes),
    scope && {
      [semconv.ATTR_GEN_AI_AGENT_ID]: scope.agentId,
      [semconv.ATTR_SESSION_ID]: scope.sessionId,
      [semconv.ATTR_GEN_AI_CONVERSATION_ID]: scope.conversationId,
      [semconv.ATTR_USER_ID]: scope.userId,
    },
  );
}

/** Starts the public span; `undefined` without a tracer. */
export function startPublicSpan(
  host: FetchObserverHost,
  { name, kind, attributes, parent, startTime }: SpanStart,
): Span | undefined {
  const start = { kind, attributes: toPublicAttributes(attributes), startTime };
  return host.tracer()?.startSpan(name, start, parent);
}

/** Creates the bridge's span. @param shown - The public span, whose ids it shares. */
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
    attributes: assign(assign({}, attributes), content),
    status: { code: SpanStatusCode.UNSET },
    events: [],
    instrumentationScope: scope,
    ...(resource && { resource }),
  };
}
