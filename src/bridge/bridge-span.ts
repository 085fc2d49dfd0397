import type { HrTime, SpanContext } from "@opentelemetry/api";
import { ATTR_EVENT_NAME, ATTR_SERVICE_NAME } from "../semconv.ts";
import { toCapturedText, type Attributes } from "./reading/read-attributes.ts";
import type { SpanLike } from "./span-record.ts";

/** A span of an SDK, as its processors see it. */
export interface SdkSpan extends SpanLike {
  readonly parentSpanContext?: SpanContext | undefined;
  readonly resource?: { readonly attributes: Attributes };
  spanContext(): SpanContext;
}

/** The members of a span that the bridge reads; spans of every SDK version have them, and so have decoded ones. */
export interface BridgeSpan extends SdkSpan {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  /** The parent as SDKs before 2.0 name it. */
  readonly parentSpanId?: string | undefined;
}

/** The members of a log record that the bridge reads. */
export interface BridgeRecord
  extends RecordLike, Pick<SdkSpan, "instrumentationScope" | "resource"> {
  readonly hrTime?: HrTime | undefined;
}

/** Returns milliseconds since the Unix epoch, with a fraction, which orders what happens in one; `undefined` for a time that was never set. */
export function toMillis(time: HrTime | undefined): number | undefined {
  const [seconds, nanos] = Array.isArray(time) ? time : [0, 0];
  const millis = seconds * 1e3 + nanos / 1e6;
  return millis > 0 && millis < Number.MAX_SAFE_INTEGER ? millis : undefined;
}

/** Returns the id of a span's parent. */
export function parentIdOf(span: BridgeSpan): string | undefined {
  return span.parentSpanContext?.spanId ?? span.parentSpanId ?? undefined;
}

/** Names a span among all of a process. */
export function keyOf(span: BridgeSpan): string {
  const { traceId, spanId } = span.spanContext();
  return traceId + spanId;
}

/** Returns the name of the service that made a span or a record. */
export function toServiceName({ resource }: Pick<BridgeSpan, "resource">): string | undefined {
  return toCapturedText(resource?.attributes[ATTR_SERVICE_NAME]);
}

/** The members of a log record that are read. */
export interface RecordLike {
  readonly eventName?: string | undefined;
  readonly attributes: Attributes;
  readonly body?: unknown;
  readonly spanContext?: SpanContext | undefined;
}

/** The name of a record's event: older producers write it as an attribute. */
export function toEventName({ eventName, attributes }: RecordLike): string {
  if (eventName) return eventName;
  const name = attributes[ATTR_EVENT_NAME];
  return typeof name === "string" ? name : "";
}
