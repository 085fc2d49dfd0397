import type { Field, FieldType, Message } from "./wire-reader.ts";

// The messages of opentelemetry-proto 1.x, as far as they are read. AnyValue contains itself, so its fields are added
// after it is created.
const anyValueFields = new Map<number, Field>();
const ANY_VALUE: Message = anyValueFields;

const one = (name: string, type: FieldType): Field => ({ name, type });
const many = (name: string, message: Message): Field => ({
  name,
  type: { message },
  isRepeated: true,
});

const KEY_VALUE: Message = new Map([
  [1, one("key", "string")],
  [2, one("value", { message: ANY_VALUE })],
]);
const ARRAY_VALUE: Message = new Map([[1, many("values", ANY_VALUE)]]);
const KEY_VALUE_LIST: Message = new Map([[1, many("values", KEY_VALUE)]]);

anyValueFields
  .set(1, one("stringValue", "string"))
  .set(2, one("boolValue", "bool"))
  .set(3, one("intValue", "int64"))
  .set(4, one("doubleValue", "double"))
  .set(5, one("arrayValue", { message: ARRAY_VALUE }))
  .set(6, one("kvlistValue", { message: KEY_VALUE_LIST }))
  .set(7, one("bytesValue", "bytes"));

const RESOURCE: Message = new Map([
  [1, many("attributes", KEY_VALUE)],
  [2, one("droppedAttributesCount", "uint32")],
]);

const SCOPE: Message = new Map([
  [1, one("name", "string")],
  [2, one("version", "string")],
  [3, many("attributes", KEY_VALUE)],
  [4, one("droppedAttributesCount", "uint32")],
]);

const EVENT: Message = new Map([
  [1, one("timeUnixNano", "fixed64")],
  [2, one("name", "string")],
  [3, many("attributes", KEY_VALUE)],
  [4, one("droppedAttributesCount", "uint32")],
]);

const LINK: Message = new Map([
  [1, one("traceId", "hex")],
  [2, one("spanId", "hex")],
  [3, one("traceState", "string")],
  [4, many("attributes", KEY_VALUE)],
  [5, one("droppedAttributesCount", "uint32")],
  [6, one("flags", "fixed32")],
]);

const STATUS: Message = new Map([
  [2, one("message", "string")],
  [3, one("code", "enum")],
]);

const SPAN: Message = new Map([
  [1, one("traceId", "hex")],
  [2, one("spanId", "hex")],
  [3, one("traceState", "string")],
  [4, one("parentSpanId", "hex")],
  [5, one("name", "string")],
  [6, one("kind", "enum")],
  [7, one("startTimeUnixNano", "fixed64")],
  [8, one("endTimeUnixNano", "fixed64")],
  [9, many("attributes", KEY_VALUE)],
  [10, one("droppedAttributesCount", "uint32")],
  [11, many("events", EVENT)],
  [12, one("droppedEventsCount", "uint32")],
  [13, many("links", LINK)],
  [14, one("droppedLinksCount", "uint32")],
  [15, one("status", { message: STATUS })],
  [16, one("flags", "fixed32")],
]);

const LOG_RECORD: Message = new Map([
  [1, one("timeUnixNano", "fixed64")],
  [2, one("severityNumber", "enum")],
  [3, one("severityText", "string")],
  [5, one("body", { message: ANY_VALUE })],
  [6, many("attributes", KEY_VALUE)],
  [7, one("droppedAttributesCount", "uint32")],
  [8, one("flags", "fixed32")],
  [9, one("traceId", "hex")],
  [10, one("spanId", "hex")],
  [11, one("observedTimeUnixNano", "fixed64")],
  [12, one("eventName", "string")],
]);

function inScopes(ofResource: string, ofScope: string, items: Field): Message {
  const scope: Message = new Map([
    [1, one("scope", { message: SCOPE })],
    [2, items],
    [3, one("schemaUrl", "string")],
  ]);
  const resource: Message = new Map([
    [1, one("resource", { message: RESOURCE })],
    [2, many(ofScope, scope)],
    [3, one("schemaUrl", "string")],
  ]);
  return new Map([[1, many(ofResource, resource)]]);
}

/** `ExportTraceServiceRequest`. @see https://github.com/open-telemetry/opentelemetry-proto */
export const TRACE_REQUEST: Message = inScopes("resourceSpans", "scopeSpans", many("spans", SPAN));

/** `ExportLogsServiceRequest`. @see https://github.com/open-telemetry/opentelemetry-proto */
export const LOGS_REQUEST: Message = inScopes(
  "resourceLogs",
  "scopeLogs",
  many("logRecords", LOG_RECORD),
);
