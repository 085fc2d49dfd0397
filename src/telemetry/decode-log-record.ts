import type { EventType } from "../events/base-event.ts";
import { eventSchemas, type DetailedEvent } from "../events/detailed-event.ts";
import { ATTR_EVENT_JSON_ATTRIBUTES, ATTR_EVENT_LENGTH, ATTR_METADATA } from "../semconv.ts";
import { EVENT_NAMES } from "./attribute-mapping.ts";
import { fieldPathsOf, toEventLength, type FieldPath } from "./event-fields.ts";

/** Members of a log record, or of a span event, that decoding reads. */
export interface EncodedRecord {
  readonly eventName?: string | undefined;
  readonly hrTime: readonly [seconds: number, nanoseconds: number];
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Result of decoding one of the monitor's own events. */
export type DecodedRecord =
  /** `cut`: a limit truncated it, and its metadata have `truncated`. */
  | { readonly status: "whole" | "cut"; readonly event: DetailedEvent }
  /** `without_content`: written under the policy `none`. `unreadable`: too truncated to be decoded. */
  | { readonly status: "without_content" | "unreadable" };

/** Parses JSON, or the part that a limit has left; `undefined` when nothing is left. */
export type ReadJsonText = (
  text: string,
) => { readonly value: unknown; readonly isPartial: boolean } | undefined;

const readWhole: ReadJsonText = (text) => ({ value: JSON.parse(text), isPartial: false });

type Fields = Record<string, unknown>;

const KIND_OF_EVENT_NAME: ReadonlyMap<string, EventType> = new Map(
  Object.entries(EVENT_NAMES).map(([kind, name]) => [name, kind as EventType]),
);

/** Ids of an event; a truncated id is another id. */
const IDENTIFIERS = ["eventId", "sessionId", "agentId", "userId", "conversationId", "requestId"];

function fromAttributeValue(value: unknown, { form }: FieldPath): unknown {
  if (form !== "user_message" && form !== "assistant_message") return value;
  const [message] = value as { parts: { content: string }[] }[];
  return message?.parts[0]?.content;
}

function writePath(target: Fields, path: readonly string[], value: unknown): void {
  let parent = target;
  for (const key of path.slice(0, -1)) {
    const next = (parent[key] ?? {}) as Fields;
    parent[key] = next;
    parent = next;
  }
  const last = path.at(-1);
  if (last !== undefined) parent[last] = value;
}

/**
 * Fields whose attributes may also hold single members of the metadata, which `agent_monitor.metadata` holds
 * completely.
 */
const MEASURES = ["llmMetadata", "qualityMetrics"] as const;

function isComplete(kind: EventType, field: (typeof MEASURES)[number], event: Fields): boolean {
  return (
    kind === "agent_response" && eventSchemas[kind].shape[field].safeParse(event[field]).success
  );
}

/** Reads the fields of an event, and whether JSON was cut. */
function readFields(kind: EventType, record: EncodedRecord, readJson: ReadJsonText) {
  const asJson = new Set(record.attributes[ATTR_EVENT_JSON_ATTRIBUTES] as string[] | undefined);
  // A listed attribute that is missing was dropped, or its name was truncated.
  let isPartial = [...asJson].some((name) => !Object.hasOwn(record.attributes, name));
  const read = (attribute: string): unknown => {
    const value = record.attributes[attribute];
    if (value === undefined || !asJson.has(attribute)) return value;
    // The reader of truncated texts looks for objects, and `null` is none.
    const json = value === "null" ? readWhole(value) : readJson(value as string);
    isPartial ||= json?.isPartial !== false;
    return json?.value;
  };
  const [seconds, nanoseconds] = record.hrTime;
  const event: Fields = {
    interactionType: kind,
    timestamp: seconds * 1000 + Math.round(nanoseconds / 1e6),
  };
  const others = read(ATTR_METADATA);
  if (typeof others === "object" && others !== null) event["metadata"] = structuredClone(others);
  for (const row of fieldPathsOf(kind)) {
    const value = read(row.attribute);
    if (value !== undefined) writePath(event, row.path, fromAttributeValue(value, row));
  }
  for (const field of MEASURES) if (!isComplete(kind, field, event)) delete event[field];
  return { fields: event, isPartial };
}

/** Returns whether an identifier may have been truncated as well: it is as long as the longest text that is left. */
function mayHaveCutIdentifier(fields: Fields, { attributes }: EncodedRecord): boolean {
  const texts = Object.values(attributes).filter((value) => typeof value === "string");
  const longest = Math.max(0, ...texts.map(({ length }) => length));
  return IDENTIFIERS.some((name) => {
    const value = fields[name];
    return typeof value === "string" && value.length >= longest;
  });
}

function markCut(fields: Fields): void {
  fields["metadata"] = { ...(fields["metadata"] as Fields | undefined), truncated: true };
  // The hash of the whole content does not match the rest.
  delete fields["contentHash"];
}

/**
 * Decodes the event of a log record or a span event; `undefined` for a record that is not the monitor's.
 *
 * @param readJson - Parses attributes that hold JSON. Default: complete JSON only.
 */
export function decodeLogRecord(
  record: EncodedRecord,
  readJson: ReadJsonText = readWhole,
): DecodedRecord | undefined {
  const kind =
    record.eventName === undefined ? undefined : KIND_OF_EVENT_NAME.get(record.eventName);
  if (!kind) return undefined;
  const length = record.attributes[ATTR_EVENT_LENGTH];
  if (typeof length !== "number") return { status: "without_content" };
  try {
    const { fields, isPartial } = readFields(kind, record, readJson);
    const isWhole = !isPartial && toEventLength(fields) === length;
    if (!isWhole && mayHaveCutIdentifier(fields, record)) return { status: "unreadable" };
    if (!isWhole) markCut(fields);
    // The fields are returned, not the schema's result, which drops unknown members.
    if (!eventSchemas[kind].safeParse(fields).success) return { status: "unreadable" };
    return { status: isWhole ? "whole" : "cut", event: fields as DetailedEvent };
  } catch {
    // The attributes were written or truncated by other code.
    return { status: "unreadable" };
  }
}
