import { toNanoDigits } from "./any-value.ts";
import type { ReceivedContext, ReceivedLogRecord, ReceivedSpan } from "./received.ts";

const KINDS = ["internal", "server", "client", "producer", "consumer"] as const;
const STATUSES = ["unset", "ok", "error"] as const;

/** JSON has no bytes, and no NaN or infinity; both are written as in OTLP/JSON. */
function replaceUnknown(_: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}

/** Returns the bytes of a part of a span or a log record in its JSON. */
export function toJsonSize(value: object): number {
  return Buffer.byteLength(JSON.stringify(value, replaceUnknown));
}

function toIds(context: ReceivedContext | undefined): object {
  return context ? { traceId: context.traceId, spanId: context.spanId } : {};
}

/** Writes a span for `GET /api/traces/{traceId}`: attributes are plain members, times nanoseconds in digits. */
export function toSpanJson(span: ReceivedSpan): string {
  const { parentSpanContext, status, events, links } = span;
  return JSON.stringify(
    {
      ...toIds(span.spanContext()),
      ...(parentSpanContext && { parentSpanId: parentSpanContext.spanId }),
      name: span.name,
      kind: KINDS[span.kind] ?? "internal",
      startTimeUnixNano: toNanoDigits(span.startTime),
      endTimeUnixNano: toNanoDigits(span.endTime),
      status: { ...status, code: STATUSES[status.code] ?? "unset" },
      attributes: span.attributes,
      events: events.map(({ time, name, attributes }) => ({
        timeUnixNano: toNanoDigits(time),
        name,
        attributes,
      })),
      links: links.map(({ context, attributes }) => ({ ...toIds(context), attributes })),
      scope: span.instrumentationScope,
      resource: span.resource.attributes,
    },
    replaceUnknown,
  );
}

/** Writes a log record for `GET /api/logs`. */
export function toLogJson(record: ReceivedLogRecord): string {
  const { eventName, severityNumber, severityText, body, attributes } = record;
  return JSON.stringify(
    {
      timeUnixNano: toNanoDigits(record.hrTime),
      observedTimeUnixNano: toNanoDigits(record.hrTimeObserved),
      ...toIds(record.spanContext),
      eventName,
      severityNumber,
      severityText,
      body,
      attributes,
      scope: record.instrumentationScope,
      resource: record.resource.attributes,
    },
    replaceUnknown,
  );
}
