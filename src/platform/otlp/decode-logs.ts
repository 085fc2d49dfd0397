import type { Steps } from "../turns.ts";
import {
  readAnyValue,
  readAttributes,
  readId,
  readText,
  readTime,
  readUint32,
  type HrTime,
  type Members,
} from "./any-value.ts";
import { readRequest, type OtlpScope } from "./read-scopes.ts";
import type { Received, ReceivedContext, ReceivedLogRecord } from "./received.ts";

const NAMES = { ofResource: "resourceLogs", ofScope: "scopeLogs", items: "logRecords" } as const;

const TRACE_FLAGS = 0xff;
const NO_SPAN = "0".repeat(16);

function toHrTime(millis: number): HrTime {
  return [Math.floor(millis / 1000), (millis % 1000) * 1e6];
}

function isZero([seconds, nanos]: HrTime): boolean {
  return seconds === 0 && nanos === 0;
}

/** Reads a record's context; a record may name a trace alone, or neither trace nor span. */
function toContext(record: Members): ReceivedContext | string | undefined {
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
  const spanContext = toContext(record);
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
  return readRequest(request, NAMES, (record, scope) => toRecord(record, scope, receivedAt));
}
