import type { Steps } from "../turns.ts";
import {
  readAttributes,
  readId,
  readList,
  readMembers,
  readText,
  readTime,
  readUint32,
  type HrTime,
  type Members,
} from "./any-value.ts";
import { readRequest, type OtlpScope } from "./read-scopes.ts";
import type {
  Received,
  ReceivedContext,
  ReceivedLink,
  ReceivedSpan,
  ReceivedSpanEvent,
} from "./received.ts";

const NAMES = { ofResource: "resourceSpans", ofScope: "scopeSpans", items: "spans" } as const;

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

function toContext(span: Members, flags: number): ReceivedContext | string {
  const traceId = readId(span["traceId"], 32, "span.traceId");
  if (traceId === undefined || traceId === "")
    return "expected a trace id of 16 bytes, not all zero";
  const spanId = readId(span["spanId"], 16, "span.spanId");
  if (spanId === undefined || spanId === "") return "expected a span id of 8 bytes, not all zero";
  return { traceId, spanId, traceFlags: toTraceFlags(flags) };
}

function toSpan(span: Members, { resource, scope }: OtlpScope): ReceivedSpan | string {
  const flags = readUint32(span["flags"], "span.flags");
  const context = toContext(span, flags);
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
  return readRequest(request, NAMES, toSpan);
}
