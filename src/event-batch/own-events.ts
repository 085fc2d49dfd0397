import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { readJson } from "../bridge/reading/tolerant-json.ts";
import type { DetailedEvent } from "../events/detailed-event.ts";
import { decodeLogRecord, type EncodedRecord } from "../telemetry/decode-log-record.ts";
import { SCOPE_NAME } from "../semconv.ts";

/** Counts of the monitor's own records and span events, by outcome. */
export interface OwnEventCounts {
  /** Events that were read back. */
  events: number;
  /** Number of them that an attribute limit has truncated; their metadata has `truncated`. */
  truncated: number;
  /** Records without content, so that there is no event to deliver. */
  withoutContent: number;
  /** Records truncated too much to be read, or removed by a limit of their span. */
  unreadable: number;
}

/** Origin of telemetry: the monitor's tracking, its observers of model calls, or other instrumentation. */
export type Origin = "tracked" | "observed" | "foreign";

/** Returns the origin of telemetry. */
export function toOrigin(scope: { readonly name: string } | undefined): Origin {
  if (scope?.name === SCOPE_NAME) return "tracked";
  return scope?.name.startsWith(`${SCOPE_NAME}/`) === true ? "observed" : "foreign";
}

/** Reads an event back, and counts it. @returns The event, `lost`, or `undefined` if the record is not one of ours. */
export function readOwnEvent(
  record: EncodedRecord,
  counts: OwnEventCounts,
): DetailedEvent | "lost" | undefined {
  const decoded = decodeLogRecord(record, readJson);
  if (!decoded) return undefined;
  if ("event" in decoded) {
    counts.events++;
    if (decoded.status === "cut") counts.truncated++;
    return decoded.event;
  }
  if (decoded.status === "without_content") counts.withoutContent++;
  else counts.unreadable++;
  return "lost";
}

/** Returns the monitor's events that a span holds; where there are too many, the oldest are missing. */
export function toEncodedRecords({ events }: Pick<ReadableSpan, "events">): EncodedRecord[] {
  return events.map(({ name: eventName, time: hrTime, attributes = {} }) => ({
    eventName,
    hrTime,
    attributes,
  }));
}
