import { cutString } from "../util/cut-string.ts";
import type { JsonValue } from "../util/json-value.ts";
import { baseEventSchema } from "./base-event.ts";
import type { ComplianceFlag } from "./compliance.ts";
import type { DetailedEvent } from "./detailed-event.ts";

/** While there is something else to leave out, strings are not cut below this. */
const SHORTEST_CUT = 300;
/** The last resort; still longer than any enum value, so that an event stays valid. */
const LAST_CUTS = [64, 32];
/** Findings that the last resort keeps, the strongest first. */
const LAST_FLAGS = 8;

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
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, cutStrings(member, maxLength)]),
  );
}

/** A label and no identifier; telemetry of others may tell one without end. */
const CUT_BASE_FIELD = "agentVersion";

const isKept = (key: string): boolean =>
  key !== CUT_BASE_FIELD && Object.hasOwn(baseEventSchema.shape, key);

/** Cuts every string but the identifiers, which say whose event it is. */
function cutEvent(event: DetailedEvent, maxLength: number): DetailedEvent {
  const members = Object.entries(event).map(([key, member]: [string, unknown]) => [
    key,
    isKept(key) ? member : cutStrings(member, maxLength),
  ]);
  return Object.fromEntries(members) as DetailedEvent;
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

function withFewFlags(event: DetailedEvent): DetailedEvent {
  if (event.interactionType !== "agent_response" || !event.complianceFlags) return event;
  const toBareFlag = ({ rule, category, severity }: ComplianceFlag): ComplianceFlag => ({
    rule,
    category,
    severity,
    description: "",
  });
  return { ...event, complianceFlags: event.complianceFlags.slice(0, LAST_FLAGS).map(toBareFlag) };
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

/** Gives ever shorter forms of an event, each less of what it was. */
function* toShorterForms(event: DetailedEvent, limitBytes: number): Generator<DetailedEvent, void> {
  for (let maxLength = limitBytes / 2; maxLength >= SHORTEST_CUT; maxLength /= 2) {
    yield cutEvent(event, Math.floor(maxLength));
  }
  yield withoutFreeValues(cutEvent(event, SHORTEST_CUT));
  for (const maxLength of LAST_CUTS)
    yield withFewFlags(withoutFreeValues(cutEvent(event, maxLength)));
}

/**
 * Serialises an event within a limit of bytes.
 *
 * A larger one is cut structure-aware: long strings first, then the free values, so that it stays valid JSON
 * and a valid event; `metadata.truncated` and `metadata.originalBytes` say so. Identifiers stay whole even
 * where a limit below 16 KiB can't hold them.
 */
export function serialiseEvent(event: DetailedEvent, limitBytes: number): SerialisedEvent {
  let serialised = serialise(event);
  if (serialised.bytes <= limitBytes) return serialised;
  const originalBytes = serialised.bytes;
  for (const shorter of toShorterForms(event, limitBytes)) {
    serialised = serialise(markTruncated(shorter, originalBytes));
    if (serialised.bytes <= limitBytes) break;
  }
  return serialised;
}
