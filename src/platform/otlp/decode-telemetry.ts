import { ProblemError } from "../problem.ts";
import type { Steps } from "../turns.ts";
import {
  type HrTime,
  type Members,
  readAnyValue,
  readAttributes,
  readId,
  readList,
  readMembers,
  readText,
  readTime,
  readUint32,
} from "./any-value.ts";
import {
  type Received,
  type ReceivedContext,
  type ReceivedLink,
  type ReceivedLogRecord,
  type ReceivedResource,
  type ReceivedScope,
  type ReceivedSpan,
  type ReceivedSpanEvent,
  toJsonSize,
} from "./received.ts";
import { MAX_REPEATED_BYTES } from "./wire-reader.ts";

/** Resource and scope of an item in a request. */
interface OtlpScope {
  readonly resource: ReceivedResource;
  readonly scope: ReceivedScope;
}

/** Member names that differ between the two kinds of request. */
interface RequestNames {
  readonly ofResource: "resourceSpans" | "resourceLogs";
  readonly ofScope: "scopeSpans" | "scopeLogs";
  readonly items: "spans" | "logRecords";
}

function toScope(value: unknown, schemaUrl: unknown): ReceivedScope {
  const { name, version } = readMembers(value, "scope");
  const [versionText, schema] = [
    readText(version, "scope.version"),
    readText(schemaUrl, "schemaUrl"),
  ];
  return {
    name: readText(name, "scope.name"),
    ...(versionText !== "" && { version: versionText }),
    ...(schema !== "" && { schemaUrl: schema }),
  };
}

function tooLarge(): ProblemError {
  const detail = `resources and scopes may have ${MAX_REPEATED_BYTES} bytes, counted for every item`;
  return new ProblemError(413, "payload_too_large", detail);
}

function* readItems(
  request: Members,
  { ofResource, ofScope, items }: RequestNames,
): Generator<readonly [unknown, OtlpScope]> {
  let repeatedBytes = 0;
  for (const perResource of readList(request[ofResource], ofResource)) {
    const members = readMembers(perResource, ofResource);
    const { attributes } = readMembers(members["resource"], "resource");
    const resource = { attributes: readAttributes(attributes) };
    const resourceBytes = toJsonSize(resource);
    for (const perScope of readList(members[ofScope], ofScope)) {
      const inScope = readMembers(perScope, ofScope);
      const scope = toScope(inScope["scope"], inScope["schemaUrl"]);
      const list = readList(inScope[items], items);
      repeatedBytes += list.length * (resourceBytes + toJsonSize(scope));
      if (repeatedBytes > MAX_REPEATED_BYTES) throw tooLarge();
      for (const item of list) yield [item, { resource, scope }];
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
  read: (members: Members, scope: OtlpScope) => Item | string,
): Steps<Received<Item>> {
  const items: Item[] = [];
  let rejected = 0;
  let reason: string | undefined;
  for (const [value, scope] of readItems(readMembers(request, "body"), names)) {
    yield;
    const item = read(readMembers(value, names.items), scope);
    if (typeof item !== "string") items.push(item);
    else {
      rejected++;
      reason ??= item;
    }
  }
  return { items, rejected, reason };
}

const SPAN_NAMES = { ofResource: "resourceSpans", ofScope: "scopeSpans", items: "spans" } as const;

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

function toEvent(value: unknown): ReceivedSpanEvent {
  const event = readMembers(value, "events");
  return {
    time: readTime(event["timeUnixNano"], "event.timeUnixNano"),
    name: readText(event["name"], "event.name"),
    attributes: readAttributes(event["attributes"]),
    droppedAttributesCount: readUint32(
      event["droppedAttributesCount"],
      "event.droppedAttributesCount",
    ),
  };
}

function toLinks(value: unknown): ReceivedLink[] {
  return readList(value, "span.links").flatMap((item) => {
    const link = readMembers(item, "links");
    const traceId = readId(link["traceId"], 32, "link.traceId") ?? "";
    const spanId = readId(link["spanId"], 16, "link.spanId") ?? "";
    // A link without ids has no meaning; its span still has.
    if (traceId === "" || spanId === "") return [];
    const traceFlags = toTraceFlags(readUint32(link["flags"], "link.flags"));
    return {
      context: { traceId, spanId, traceFlags },
      attributes: readAttributes(link["attributes"]),
      droppedAttributesCount: readUint32(
        link["droppedAttributesCount"],
        "link.droppedAttributesCount",
      ),
    };
  });
}

function toStatus(value: unknown): ReceivedSpan["status"] {
  const { code, message } = readMembers(value, "status");
  const text = readText(message, "status.message");
  return { code: readUint32(code, "status.code"), ...(text !== "" && { message: text }) };
}

function toSpanContext(span: Members, flags: number): ReceivedContext | string {
  const traceId = readId(span["traceId"], 32, "span.traceId");
  if (traceId === undefined || traceId === "")
    return "expected a trace id of 16 bytes, not all zero";
  const spanId = readId(span["spanId"], 16, "span.spanId");
  if (spanId === undefined || spanId === "") return "expected a span id of 8 bytes, not all zero";
  return { traceId, spanId, traceFlags: toTraceFlags(flags) };
}

function toSpan(span: Members, { resource, scope }: OtlpScope): ReceivedSpan | string {
  const flags = readUint32(span["flags"], "span.flags");
  const context = toSpanContext(span, flags);
  if (typeof context === "string") return context;
  const parentId = readId(span["parentSpanId"], 16, "span.parentSpanId");
  if (parentId === undefined) return "expected a parent span id of 8 bytes";
  const parentSpanContext = toParent(context.traceId, parentId, flags);
  const startTime = readTime(span["startTimeUnixNano"], "span.startTimeUnixNano");
  const endTime = readTime(span["endTimeUnixNano"], "span.endTimeUnixNano");
  return {
    name: readText(span["name"], "span.name"),
    // On the wire 0 is "unspecified", which counts as internal, and every other kind is one higher.
    kind: Math.max(0, readUint32(span["kind"], "span.kind") - 1),
    ...(parentSpanContext && { parentSpanContext }),
    startTime,
    endTime,
    duration: subtract(endTime, startTime),
    ended: true,
    status: toStatus(span["status"]),
    attributes: readAttributes(span["attributes"]),
    events: readList(span["events"], "span.events").map(toEvent),
    links: toLinks(span["links"]),
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: readUint32(
      span["droppedAttributesCount"],
      "span.droppedAttributesCount",
    ),
    droppedEventsCount: readUint32(span["droppedEventsCount"], "span.droppedEventsCount"),
    droppedLinksCount: readUint32(span["droppedLinksCount"], "span.droppedLinksCount"),
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

const LOG_NAMES = {
  ofResource: "resourceLogs",
  ofScope: "scopeLogs",
  items: "logRecords",
} as const;

const NO_SPAN = "0".repeat(16);

function toHrTime(millis: number): HrTime {
  return [Math.floor(millis / 1000), (millis % 1000) * 1e6];
}

function isZero([seconds, nanos]: HrTime): boolean {
  return seconds === 0 && nanos === 0;
}

/** Reads a record's context; a record may name a trace alone, or neither trace nor span. */
function toLogContext(record: Members): ReceivedContext | string | undefined {
  const traceId = readId(record["traceId"], 32, "logRecord.traceId");
  if (traceId === undefined) return "expected a trace id of 16 bytes, or none";
  const spanId = readId(record["spanId"], 16, "logRecord.spanId");
  if (spanId === undefined) return "expected a span id of 8 bytes, or none";
  if (traceId === "") return undefined;
  const traceFlags = readUint32(record["flags"], "logRecord.flags") & TRACE_FLAGS;
  return { traceId, spanId: spanId === "" ? NO_SPAN : spanId, traceFlags };
}

function toTimes(
  record: Members,
  receivedAt: number,
): Pick<ReceivedLogRecord, "hrTime" | "hrTimeObserved"> {
  const written = readTime(record["timeUnixNano"], "logRecord.timeUnixNano");
  const sent = readTime(record["observedTimeUnixNano"], "logRecord.observedTimeUnixNano");
  // Without any time, a repeated statement would look like one record that is sent twice.
  const observed = isZero(written) && isZero(sent) ? toHrTime(receivedAt) : sent;
  // @see https://opentelemetry.io/docs/specs/otel/logs/data-model/#field-timestamp
  return { hrTime: isZero(written) ? observed : written, hrTimeObserved: observed };
}

function toTexts(record: Members): Pick<ReceivedLogRecord, "eventName" | "severityText"> {
  const severityText = readText(record["severityText"], "logRecord.severityText");
  const eventName = readText(record["eventName"], "logRecord.eventName");
  return { ...(severityText !== "" && { severityText }), ...(eventName !== "" && { eventName }) };
}

function toRecord(
  record: Members,
  { resource, scope }: OtlpScope,
  receivedAt: number,
): ReceivedLogRecord | string {
  const spanContext = toLogContext(record);
  if (typeof spanContext === "string") return spanContext;
  const severityNumber = readUint32(record["severityNumber"], "logRecord.severityNumber");
  const body = readAnyValue(record["body"]);
  return {
    ...toTimes(record, receivedAt),
    ...(spanContext && { spanContext }),
    ...(severityNumber !== 0 && { severityNumber }),
    ...toTexts(record),
    ...(body !== null && { body }),
    attributes: readAttributes(record["attributes"]),
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: readUint32(
      record["droppedAttributesCount"],
      "logRecord.droppedAttributesCount",
    ),
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
  return readRequest(request, LOG_NAMES, (record, scope) => toRecord(record, scope, receivedAt));
}
