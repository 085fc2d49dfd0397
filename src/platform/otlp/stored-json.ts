import type { BridgeRecord, BridgeSpan } from "../../bridge/bridge-span.ts";
import { type Attributes, type HrTime, toNanoDigits } from "./any-value.ts";
import { type OddValue, parseJson, writeJson, type WrittenJson } from "./odd-values.ts";
import type { ReceivedContext, ReceivedLogRecord, ReceivedSpan } from "./received.ts";

const KINDS = ["internal", "server", "client", "producer", "consumer"] as const;
const STATUSES = ["unset", "ok", "error"] as const;

/** Flags of OTLP: those of the trace, and what is known of the parent. */
const TRACE_FLAGS = 0xff;
const HAS_IS_REMOTE = 0x100;
const IS_REMOTE = 0x200;
const SAMPLED = 0x01;

/** Returns the bytes of a part of a span or a log record in its JSON. */
export function toJsonSize(value: object): number {
  return Buffer.byteLength(writeJson(value).json);
}

function toIds(context: ReceivedContext | undefined): object {
  return context ? { traceId: context.traceId, spanId: context.spanId } : {};
}

function toParent(parent: ReceivedContext | undefined): object {
  if (!parent) return {};
  const { spanId: parentSpanId, traceFlags, isRemote } = parent;
  if (isRemote === undefined) return { parentSpanId };
  return { parentSpanId, flags: traceFlags | HAS_IS_REMOTE | (isRemote ? IS_REMOTE : 0) };
}

/**
 * Writes a span for `GET /api/traces/{traceId}`: attributes are plain members, times nanoseconds in digits.
 *
 * `flags` are OTLP's, there where they say whether the parent is of another process.
 */
export function writeSpan(span: ReceivedSpan): WrittenJson {
  const { status, events, links } = span;
  return writeJson({
    ...toIds(span.spanContext()),
    ...toParent(span.parentSpanContext),
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
  });
}

/** Writes a log record for `GET /api/logs`. */
export function writeLogRecord(record: ReceivedLogRecord): WrittenJson {
  const { eventName, severityNumber, severityText, body, attributes } = record;
  return writeJson({
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
  });
}

interface WrittenOrigin {
  readonly scope: ReceivedSpan["instrumentationScope"];
  readonly resource: Attributes;
}

interface WrittenSpan extends WrittenOrigin, Pick<ReceivedSpan, "attributes" | "name"> {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly flags?: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code: (typeof STATUSES)[number]; readonly message?: string };
  readonly events: readonly {
    readonly timeUnixNano: string;
    readonly name: string;
    readonly attributes: Attributes;
  }[];
}

interface WrittenRecord
  extends WrittenOrigin, Pick<ReceivedLogRecord, "attributes" | "body" | "eventName"> {
  readonly timeUnixNano: string;
  readonly traceId?: string;
  readonly spanId?: string;
}

/** Digits of the nanoseconds of a second. */
const NANO_DIGITS = 9;

const toHrTime = (digits: string): HrTime => [
  Number(digits.slice(0, -NANO_DIGITS)),
  Number(digits.slice(-NANO_DIGITS)),
];

function readParent({ traceId, parentSpanId, flags }: WrittenSpan): ReceivedContext | undefined {
  if (parentSpanId === undefined) return undefined;
  const context = { traceId, spanId: parentSpanId };
  if (flags === undefined) return { ...context, traceFlags: SAMPLED };
  return { ...context, traceFlags: flags & TRACE_FLAGS, isRemote: (flags & IS_REMOTE) !== 0 };
}

/** Reads a span that `writeSpan` has written, as far as events are made of it. */
export function readSpan(json: string, odd?: readonly OddValue[]): BridgeSpan {
  const span = parseJson(json, odd) as WrittenSpan;
  const { traceId, spanId, status, scope, resource } = span;
  const parentSpanContext = readParent(span);
  const context = { traceId, spanId, traceFlags: SAMPLED };
  return {
    name: span.name,
    ...(parentSpanContext && { parentSpanContext }),
    startTime: toHrTime(span.startTimeUnixNano),
    endTime: toHrTime(span.endTimeUnixNano),
    status: { ...status, code: STATUSES.indexOf(status.code) },
    attributes: span.attributes,
    events: span.events.map(({ timeUnixNano, name, attributes }) => ({
      time: toHrTime(timeUnixNano),
      name,
      attributes,
    })),
    instrumentationScope: scope,
    resource: { attributes: resource },
    spanContext: () => context,
  };
}

/** Reads a log record that `writeLogRecord` has written, as far as events are made of it. */
export function readLogRecord(json: string, odd?: readonly OddValue[]): BridgeRecord {
  const record = parseJson(json, odd) as WrittenRecord;
  const { traceId, spanId, eventName, body, attributes, scope, resource } = record;
  return {
    hrTime: toHrTime(record.timeUnixNano),
    ...(traceId !== undefined &&
      spanId !== undefined && { spanContext: { traceId, spanId, traceFlags: SAMPLED } }),
    ...(eventName !== undefined && { eventName }),
    ...(body !== undefined && { body }),
    attributes,
    instrumentationScope: scope,
    resource: { attributes: resource },
  };
}
