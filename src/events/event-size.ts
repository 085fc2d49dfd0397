import { cutString, type JsonValue } from "../util/safe-json.ts";
import type { DetailedEvent } from "./detailed-event.ts";

/** Strings are not cut below this: identifiers and enum values must stay what they are. */
const SHORTEST_CUT = 300;

/** An event as it is delivered: serialised once. */
export interface SerialisedEvent {
  /** The event that `json` says; shorter than the given one if that was too large. */
  readonly event: DetailedEvent;
  readonly json: string;
  /** UTF-8 bytes of `json`. */
  readonly bytes: number;
}

function cutStrings(value: unknown, maxLength: number): unknown {
  if (typeof value === "string") return cutString(value, maxLength);
  if (Array.isArray(value)) return value.map((item) => cutStrings(item, maxLength));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cutStrings(member, maxLength)]));
}

/** Free values that can be left out when cutting strings is not enough: many small members. */
const FREE_FIELDS = ["metadata", "toolParameters", "toolResult"] as const;

function withoutFreeValues(event: DetailedEvent): DetailedEvent {
  const bare: Record<string, unknown> = { ...event };
  for (const field of FREE_FIELDS) {
    if (field in bare) bare[field] = field === "metadata" ? {} : "[truncated]";
  }
  return bare as DetailedEvent;
}

function markTruncated(event: DetailedEvent, originalBytes: number): DetailedEvent {
  const marks: Record<string, JsonValue> = { truncated: true, originalBytes };
  const marked: Record<string, unknown> = { ...event, metadata: { ...event.metadata, ...marks } };
  // A hash of the whole would not fit what is left of it.
  delete marked["contentHash"];
  return marked as DetailedEvent;
}

function serialise(event: DetailedEvent): SerialisedEvent {
  const json = JSON.stringify(event);
  return { event, json, bytes: Buffer.byteLength(json) };
}

/**
 * Serialises an event within a limit of bytes.
 *
 * A larger one is cut structure-aware: long strings first, then the free values, so that it stays valid JSON
 * and a valid event; `metadata.truncated` and `metadata.originalBytes` say so.
 */
export function serialiseEvent(event: DetailedEvent, limitBytes: number): SerialisedEvent {
  const whole = serialise(event);
  if (whole.bytes <= limitBytes) return whole;
  for (let maxLength = limitBytes / 2; maxLength >= SHORTEST_CUT; maxLength /= 2) {
    const cut = cutStrings(event, Math.floor(maxLength)) as DetailedEvent;
    const serialised = serialise(markTruncated(cut, whole.bytes));
    if (serialised.bytes <= limitBytes) return serialised;
  }
  return serialise(markTruncated(withoutFreeValues(cutStrings(event, SHORTEST_CUT) as DetailedEvent), whole.bytes));
}
