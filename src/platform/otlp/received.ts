import type { Attributes, HrTime } from "./any-value.ts";

/** The place of a span in its trace, as OpenTelemetry's `SpanContext` has it. */
export interface ReceivedContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly isRemote?: boolean;
}

/** An event on a span, as OpenTelemetry's `TimedEvent` has it. */
interface ReceivedSpanEvent {
  readonly time: HrTime;
  readonly name: string;
  readonly attributes: Attributes;
  readonly droppedAttributesCount: number;
}

/** A link of a span, as OpenTelemetry's `Link` has it. */
interface ReceivedLink extends Omit<ReceivedSpanEvent, "name" | "time"> {
  readonly context: ReceivedContext;
}

/** A span with the members of OpenTelemetry's `ReadableSpan`: readers of those can read these. */
export interface ReceivedSpan {
  readonly name: string;
  /** As in the API: 0 is internal, 1 server, 2 client, 3 producer, 4 consumer. */
  readonly kind: number;
  readonly parentSpanContext?: ReceivedContext;
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  readonly duration: HrTime;
  readonly ended: true;
  /** `code`: 0 is unset, 1 ok, 2 error. */
  readonly status: { readonly code: number; readonly message?: string };
  readonly attributes: Attributes;
  readonly events: readonly ReceivedSpanEvent[];
  readonly links: readonly ReceivedLink[];
  /** The producer of the span. */
  readonly resource: { readonly attributes: Attributes };
  /** The library that wrote it. */
  readonly instrumentationScope: {
    readonly name: string;
    readonly version?: string;
    readonly schemaUrl?: string;
  };
  readonly droppedAttributesCount: number;
  readonly droppedEventsCount: number;
  readonly droppedLinksCount: number;
  spanContext(): ReceivedContext;
}

/** A log record with the members of OpenTelemetry's `ReadableLogRecord`. */
export interface ReceivedLogRecord extends Pick<
  ReceivedSpan,
  "attributes" | "droppedAttributesCount" | "instrumentationScope" | "resource"
> {
  readonly hrTime: HrTime;
  readonly hrTimeObserved: HrTime;
  readonly spanContext?: ReceivedContext;
  readonly severityNumber?: number;
  readonly severityText?: string;
  readonly eventName?: string;
  readonly body?: unknown;
}

/** Items of a request, and those that can't be taken. */
export interface Received<Item> {
  readonly items: readonly Item[];
  /** Items left out. */
  readonly rejected: number;
  /** Reason why the first of them was left out. */
  readonly reason: string | undefined;
}
