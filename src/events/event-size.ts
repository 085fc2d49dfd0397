import { cutString } from "../util/cut-string.ts";
import type { JsonValue } from "../util/values.ts";
import { baseEventSchema } from "./base-event.ts";
import type { ComplianceFlag } from "./compliance.ts";
import type { DetailedEvent } from "./detailed-event.ts";

/** While something else can be left out, strings are not cut below this. */
const SHORTEST_CUT = 300;
/** Each round is a serialisation. */
const MAX_ROUNDS = 8;
/** Bytes for the sequence that is written into the event when it is delivered. */
const SEQUENCE_BYTES = 32;
/** About the bytes of a cut event's marks. */
const MARK_BYTES = 64;
/** Share of the limit that may stay unused. */
const WASTE = 0.01;
/** The last resort; still longer than any enum value, so that an event stays valid. */
const LAST_CUTS = [64, 32];
/** Findings that the last resort keeps, the strongest first. */
const LAST_FLAGS = 8;

/** An event as it is delivered, serialised once. */
export interface SerialisedEvent {
  /** The event in `json`; shorter than the given one if that was too large. */
  readonly event: DetailedEvent;
  readonly json: string;
  /** UTF-8 bytes of `json`. */
  readonly bytes: number;
}

function mapMembers(value: object, convert: (member: unknown, key: string) => unknown): object {
  const members = Object.entries(value).map(([key, member]) => [key, convert(member, key)]);
  return Object.fromEntries(members) as object;
}

function cutStrings(value: unknown, maxLength: number): unknown {
  if (typeof value === "string") return cutString(value, maxLength);
  if (Array.isArray(value)) return value.map((item) => cutStrings(item, maxLength));
  if (typeof value !== "object" || value === null) return value;
  return mapMembers(value, (member) => cutStrings(member, maxLength));
}

/** A label and no identifier; foreign telemetry may set one of any length. */
const CUT_BASE_FIELD = "agentVersion";

const isKept = (key: string): boolean =>
  key !== CUT_BASE_FIELD && Object.hasOwn(baseEventSchema.shape, key);

/** Cuts every string but the identifiers, which tie the event to its agent and session. */
function cutEvent(event: DetailedEvent, maxLength: number): DetailedEvent {
  return mapMembers(event, (member, key) =>
    isKept(key) ? member : cutStrings(member, maxLength),
  ) as DetailedEvent;
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
  // A hash of the whole content would not match the cut one.
  delete marked["contentHash"];
  return marked as DetailedEvent;
}

function serialise(event: DetailedEvent): SerialisedEvent {
  const json = JSON.stringify(event);
  return { event, json, bytes: Buffer.byteLength(json) };
}

/** Yields ever shorter forms of an event that has no long strings left. */
function* toShorterForms(event: DetailedEvent): Generator<DetailedEvent, void> {
  yield withoutFreeValues(cutEvent(event, SHORTEST_CUT));
  for (const maxLength of LAST_CUTS)
    yield withFewFlags(withoutFreeValues(cutEvent(event, maxLength)));
}

/** A string that may be cut. */
interface LongString {
  readonly length: number;
  readonly bytes: number;
}

function collectStrings(value: unknown, found: LongString[]): void {
  if (typeof value === "string") {
    if (value.length > SHORTEST_CUT)
      found.push({ length: value.length, bytes: Buffer.byteLength(JSON.stringify(value)) });
  } else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) collectStrings(member, found);
  }
}

/** Returns the length to which strings are cut, the longest first, so that they lose about an excess of bytes. */
function toCutLength(strings: readonly LongString[], excess: number): number {
  const longestFirst = strings.toSorted((one, other) => other.length - one.length);
  let left = excess;
  let bytesPerUnit = 0;
  for (const [index, { length, bytes }] of longestFirst.entries()) {
    bytesPerUnit += bytes / length;
    const next = longestFirst[index + 1]?.length ?? 0;
    const gain = (length - next) * bytesPerUnit;
    if (gain >= left) return Math.floor(length - left / bytesPerUnit);
    left -= gain;
  }
  return 0;
}

/**
 * Cuts the strings of an event, the longest first, by no more than the excess; `undefined` when that is not enough.
 *
 * Where the bytes of a string are not spread evenly, the first length does not fit, and bisection finds one.
 */
function cutToFit(
  event: DetailedEvent,
  limitBytes: number,
  originalBytes: number,
): SerialisedEvent | undefined {
  const cutTo = (maxLength: number): SerialisedEvent =>
    serialise(markTruncated(cutEvent(event, maxLength), originalBytes));
  const strings: LongString[] = [];
  for (const [key, member] of Object.entries(event))
    if (!isKept(key)) collectStrings(member, strings);
  const excess = originalBytes + MARK_BYTES - limitBytes;
  let maxLength = Math.max(SHORTEST_CUT, toCutLength(strings, excess));
  let fitting: SerialisedEvent | undefined;
  let low = SHORTEST_CUT;
  let high: number | undefined;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const tried = cutTo(maxLength);
    if (tried.bytes > limitBytes) high = maxLength;
    else {
      low = maxLength;
      fitting = tried;
    }
    const isClose = fitting !== undefined && limitBytes - fitting.bytes <= limitBytes * WASTE;
    if (isClose || high === undefined || high - low <= 1) break;
    maxLength = Math.floor((low + high) / 2);
  }
  if (fitting) return fitting;
  const shortest = cutTo(SHORTEST_CUT);
  return shortest.bytes <= limitBytes ? shortest : undefined;
}

/**
 * Serialises an event within a limit of bytes.
 *
 * A larger one is cut structure-aware: long strings first, by no more than the excess, then the free values, so that it
 * stays valid JSON and a valid event; `metadata.truncated` and `metadata.originalBytes` say so. Identifiers stay whole
 * even where a limit below 16 KiB can't hold them.
 */
export function serialiseEvent(event: DetailedEvent, limitBytes: number): SerialisedEvent {
  let serialised = serialise(event);
  if (serialised.bytes <= limitBytes) return serialised;
  const originalBytes = serialised.bytes;
  const fitting = cutToFit(event, limitBytes - SEQUENCE_BYTES, originalBytes);
  if (fitting) return fitting;
  for (const shorter of toShorterForms(event)) {
    serialised = serialise(markTruncated(shorter, originalBytes));
    if (serialised.bytes <= limitBytes) break;
  }
  return serialised;
}
