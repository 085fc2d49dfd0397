import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { readJson } from "../bridge/reading/tolerant-json.ts";
import type { DetailedEvent } from "../events/detailed-event.ts";
import { decodeLogRecord, type EncodedRecord } from "../telemetry/decode-log-record.ts";
import { SCOPE_NAME } from "../semconv.ts";

/** What became of the monitor's own records and span events. */
export interface OwnEventCounts {
  /** Events that were read back. */
  events: number;
  /** Those of them of which an attribute limit took something; their metadata say `truncated`. */
  truncated: number;
  /** Written without content, so that there is no event to deliver. */
  withoutContent: number;
  /** Cut so much that nothing can be told of them, or taken away by a limit of their span. */
  unreadable: number;
}

/** Begins to count. */
export function createOwnEventCounts(): OwnEventCounts {
  return { events: 0, truncated: 0, withoutContent: 0, unreadable: 0 };
}

/** Whose telemetry something is: of the monitor's tracking, of its observers of model calls, or of somebody else. */
export type Origin = "tracked" | "observed" | "foreign";

/** Tells whose telemetry something is. */
export function toOrigin(scope: { readonly name: string } | undefined): Origin {
  if (scope?.name === SCOPE_NAME) return "tracked";
  return scope?.name.startsWith(`${SCOPE_NAME}/`) === true ? "observed" : "foreign";
}

/** Reads an event back, and counts. @returns The event, or `lost`, or nothing when there never was one. */
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

/** Gives what a span holds of the monitor's events; the oldest go first where there are too many. */
export function toEncodedRecords({ events }: Pick<ReadableSpan, "events">): EncodedRecord[] {
  return events.map(({ name, time, attributes }) => ({
    eventName: name,
    hrTime: time,
    attributes: attributes ?? {},
  }));
}
