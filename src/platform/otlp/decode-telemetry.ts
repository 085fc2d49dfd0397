import { ProblemError } from "../problem.ts";
import type { Steps } from "../turns.ts";
import {
  type HrTime,
  type Members,
  readAnyValue,
  readAttributes,
  readId,
  readList,
  toMembers,
  readText,
  readTime,
  readUint32,
} from "./any-value.ts";
import {
  type Received,
  type ReceivedContext,
  type ReceivedLogRecord,
  type ReceivedSpan,
} from "./received.ts";
import { toJsonSize } from "./stored-json.ts";
import { MAX_REPEATED_BYTES } from "./wire-reader.ts";

/** Resource and scope of an item in a request. */
type Origin = Pick<ReceivedSpan, "instrumentationScope" | "resource">;

/** Member names that differ between the two kinds of request. */
type RequestNames = typeof SPAN_NAMES | typeof LOG_NAMES;

const SPAN_NAMES = { ofResource: "resourceSpans", ofScope: "scopeSpans", items: "spans" } as const;
const LOG_NAMES = {
  ofResource: "resourceLogs",
  ofScope: "scopeLogs",
  items: "logRecords",
} as const;

function toScope(inScope: Members): Origin["instrumentationScope"] {
  const scope = toMembers(inScope["scope"], "scope");
  const version = readText(scope, "version", "scope");
  const schemaUrl = readText(inScope, "schemaUrl");
  return {
    name: readText(scope, "name", "scope"),
    ...(version !== "" && { version }),
    ...(schemaUrl !== "" && { schemaUrl }),
  };
}

function* readItems(
  request: Members,
  { ofResource, ofScope, items }: RequestNames,
): Generator<readonly [unknown, Origin]> {
  let repeatedBytes = 0;
  for (const perResource of readList(request, ofResource)) {
    const members = toMembers(perResource, ofResource);
    const { attributes } = toMembers(members["resource"], "resource");
    const resource = { attributes: readAttributes(attributes) };
    const resourceBytes = toJsonSize(resource);
    for (const perScope of readList(members, ofScope)) {
      const inScope = toMembers(perScope, ofScope);
      const instrumentationScope = toScope(inScope);
      const list = readList(inScope, items);
      repeatedBytes += list.length * (resourceBytes + toJsonSize(instrumentationScope));
      if (repeatedBytes > MAX_REPEATED_BYTES) {
        const detail = `resources and scopes may have ${MAX_REPEATED_BYTES} bytes, counted for every item`;
        throw new ProblemError("payload_too_large", detail);
      }
      for (const item of list) yield [item, { resource, instrumentationScope }];
    }
  }
}

/**
 * Reads every item of a request.
 *
 * @param read - Returns the item, or the reason why it can't be taken; throws a problem where the body is no OTLP.
 */
function* readRequest<Item extends object>(
  request: unknown,
  names: RequestNames,
  read: (members: Members, origin: Origin) => Item | string,
): Steps<Received<Item>> {
  const items: Item[] = [];
  let rejected = 0;
  let reason: string | undefined;
  for (const [value, origin] of readItems(toMembers(request, "body"), names)) {
    yield;
    const item = read(toMembers(value, names.items), origin);
    if (typeof item !== "string") items.push(item);
    else {
      rejected++;
      reason ??= item;
    }
  }
  return { items, rejected, reason };
}

const SAMPLED = 0x01;
const TRACE_FLAGS = 0xff;
const HAS_IS_REMOTE = 0x100;
const IS_REMOTE = 0x200;

/** An exporter without flags sends 0, and exported spans were sampled. */
function toTraceFlags(flags: number): number {
  return flags === 0 ? SAMPLED : flags & TRACE_FLAGS;
}

function subtract(end: HrTime, start: HrTime): HrTime {
  const nanos = end[1] - start[1];
  const seconds = end[0] - start[0] - (nanos < 0 ? 1 : 0);
  // The clock was set back while the span was open.
  return seconds < 0 ? [0, 0] : [seconds, nanos < 0 ? nanos + 1e9 : nanos];
}

function toParent(traceId: string, spanId: string, flags: number): ReceivedContext | undefined {
  if (spanId === "") return undefined;
  const parent = { traceId, spanId, traceFlags: toTraceFlags(flags) };
  return (flags & HAS_IS_REMOTE) === 0
    ? parent
    : { ...parent, isRemote: (flags & IS_REMOTE) !== 0 };
}

function toEvent(value: unknown) {
  const event = toMembers(value, "events");
  return {
    time: readTime(event, "timeUnixNano", "event"),
    name: readText(event, "name", "event"),
    attributes: readAttributes(event["attributes"]),
    droppedAttributesCount: readUint32(event, "droppedAttributesCount", "event"),
  };
}

function toLinks(span: Members) {
  return readList(span, "links", "span").flatMap((item) => {
    const link = toMembers(item, "links");
    const traceId = readId(link, 32, "traceId", "link") ?? "";
    const spanId = readId(link, 16, "spanId", "link") ?? "";
    // A link without ids has no meaning; its span still has.
    if (traceId === "" || spanId === "") return [];
    const traceFlags = toTraceFlags(readUint32(link, "flags", "link"));
    const attributes = readAttributes(link["attributes"]);
    const droppedAttributesCount = readUint32(link, "droppedAttributesCount", "link");
    return [{ context: { traceId, spanId, traceFlags }, attributes, droppedAttributesCount }];
  });
}

function toStatus(value: unknown): ReceivedSpan["status"] {
  const status = toMembers(value, "status");
  const message = readText(status, "message", "status");
  return { code: readUint32(status, "code", "status"), ...(message !== "" && { message }) };
}

function toSpanContext(span: Members, flags: number): ReceivedContext | string {
  const traceId = readId(span, 32, "traceId", "span");
  if (traceId === undefined || traceId === "")
    return "expected a trace id of 16 bytes, not all zero";
  const spanId = readId(span, 16, "spanId", "span");
  if (spanId === undefined || spanId === "") return "expected a span id of 8 bytes, not all zero";
  return { traceId, spanId, traceFlags: toTraceFlags(flags) };
}

function toSpan(span: Members, origin: Origin): ReceivedSpan | string {
  const flags = readUint32(span, "flags", "span");
  const context = toSpanContext(span, flags);
  if (typeof context === "string") return context;
  const parentId = readId(span, 16, "parentSpanId", "span");
  if (parentId === undefined) return "expected a parent span id of 8 bytes";
  const parentSpanContext = toParent(context.traceId, parentId, flags);
  const startTime = readTime(span, "startTimeUnixNano", "span");
  const endTime = readTime(span, "endTimeUnixNano", "span");
  return {
    name: readText(span, "name", "span"),
    // On the wire 0 is "unspecified", which counts as internal, and every other kind is one higher.
    kind: Math.max(0, readUint32(span, "kind", "span") - 1),
    ...(parentSpanContext && { parentSpanContext }),
    startTime,
    endTime,
    duration: subtract(endTime, startTime),
    ended: true,
    status: toStatus(span["status"]),
    attributes: readAttributes(span["attributes"]),
    events: readList(span, "events", "span").map(toEvent),
    links: toLinks(span),
    ...origin,
    droppedAttributesCount: readUint32(span, "droppedAttributesCount", "span"),
    droppedEventsCount: readUint32(span, "droppedEventsCount", "span"),
    droppedLinksCount: readUint32(span, "droppedLinksCount", "span"),
    spanContext: () => context,
  };
}

/**
 * Reads an `ExportTraceServiceRequest`, of OTLP/JSON or as returned by `readWireMessage`.
 *
 * A span without valid ids is left out; a member of the wrong type throws a problem.
 *
 * @see https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function decodeSpans(request: unknown): Steps<Received<ReceivedSpan>> {
  return readRequest(request, SPAN_NAMES, toSpan);
}

const NO_SPAN = "0".repeat(16);

function toHrTime(millis: number): HrTime {
  return [Math.floor(millis / 1000), (millis % 1000) * 1e6];
}

function isZero([seconds, nanos]: HrTime): boolean {
  return seconds === 0 && nanos === 0;
}

/** Reads a record's context; a record may name a trace alone, or neither trace nor span. */
function toLogContext(record: Members): ReceivedContext | string | undefined {
  const traceId = readId(record, 32, "traceId", "logRecord");
  if (traceId === undefined) return "expected a trace id of 16 bytes, or none";
  const spanId = readId(record, 16, "spanId", "logRecord");
  if (spanId === undefined) return "expected a span id of 8 bytes, or none";
  if (traceId === "") return undefined;
  const traceFlags = readUint32(record, "flags", "logRecord") & TRACE_FLAGS;
  return { traceId, spanId: spanId === "" ? NO_SPAN : spanId, traceFlags };
}

function toTimes(record: Members, receivedAt: number) {
  const written = readTime(record, "timeUnixNano", "logRecord");
  const sent = readTime(record, "observedTimeUnixNano", "logRecord");
  // Without any time, a repeated statement would look like one record that is sent twice.
  const observed = isZero(written) && isZero(sent) ? toHrTime(receivedAt) : sent;
  // @see https://opentelemetry.io/docs/specs/otel/logs/data-model/#field-timestamp
  return { hrTime: isZero(written) ? observed : written, hrTimeObserved: observed };
}

function toRecord(record: Members, origin: Origin, receivedAt: number): ReceivedLogRecord | string {
  const spanContext = toLogContext(record);
  if (typeof spanContext === "string") return spanContext;
  const severityNumber = readUint32(record, "severityNumber", "logRecord");
  const body = readAnyValue(record["body"]);
  const times = toTimes(record, receivedAt);
  const severityText = readText(record, "severityText", "logRecord");
  const eventName = readText(record, "eventName", "logRecord");
  return {
    ...times,
    ...(spanContext && { spanContext }),
    ...(severityNumber !== 0 && { severityNumber }),
    ...(severityText !== "" && { severityText }),
    ...(eventName !== "" && { eventName }),
    ...(body !== null && { body }),
    attributes: readAttributes(record["attributes"]),
    ...origin,
    droppedAttributesCount: readUint32(record, "droppedAttributesCount", "logRecord"),
  };
}

/**
 * Reads an `ExportLogsServiceRequest`, of OTLP/JSON or as returned by `readWireMessage`.
 *
 * A record with an invalid id is left out; a member of the wrong type throws a problem.
 *
 * @param receivedAt - Time of arrival in ms since the Unix epoch: the time of records without one.
 */
export function decodeLogs(request: unknown, receivedAt = 0): Steps<Received<ReceivedLogRecord>> {
  return readRequest(request, LOG_NAMES, (record, origin) => toRecord(record, origin, receivedAt));
}
