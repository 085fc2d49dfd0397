import type { EventType } from "../events/base-event.ts";
import { eventSchemas, type DetailedEvent } from "../events/detailed-event.ts";
import { ATTR_EVENT_JSON_ATTRIBUTES, ATTR_EVENT_LENGTH, ATTR_METADATA } from "../semconv.ts";
import { EVENT_NAMES } from "./attribute-mapping.ts";
import { fieldPathsOf, toEventLength, type FieldPath } from "./event-fields.ts";

/** What decoding needs of a log record, or of an event on a span. */
export interface EncodedRecord {
  readonly eventName?: string | undefined;
  readonly hrTime: readonly [seconds: number, nanoseconds: number];
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** What was read back of one of the monitor's own events. */
export type DecodedRecord =
  /** `cut`: a limit took something of it, and its metadata say `truncated`. */
  | { readonly status: "whole" | "cut"; readonly event: DetailedEvent }
  /** `without_content`: written under the policy `none`. `unreadable`: too little is left to tell what it was. */
  | { readonly status: "without_content" | "unreadable" };

/** Reads JSON, or as much of it as a limit has left; `undefined` when that is nothing. */
export type ReadJsonText = (
  text: string,
) => { readonly value: unknown; readonly isPartial: boolean } | undefined;

const readWhole: ReadJsonText = (text) => ({ value: JSON.parse(text), isPartial: false });

type Fields = Record<string, unknown>;

const KIND_OF_EVENT_NAME: ReadonlyMap<string, EventType> = new Map(
  Object.entries(EVENT_NAMES).map(([kind, name]) => [name, kind as EventType]),
);

/** Names of whom and what an event is about: one that was cut is another one. */
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

/** Their attributes carry single members of the metadata as well, which `agent_monitor.metadata` has whole. */
const MEASURES = ["llmMetadata", "qualityMetrics"] as const;

function isComplete(kind: EventType, field: (typeof MEASURES)[number], event: Fields): boolean {
  return (
    kind === "agent_response" && eventSchemas[kind].shape[field].safeParse(event[field]).success
  );
}

interface ReadFields {
  readonly fields: Fields;
  /** Whether JSON was cut. */
  readonly isPartial: boolean;
}

function readFields(kind: EventType, record: EncodedRecord, readJson: ReadJsonText): ReadFields {
  const asJson = new Set(record.attributes[ATTR_EVENT_JSON_ATTRIBUTES] as string[] | undefined);
  // A name of an attribute that is not there was cut itself, or its attribute was dropped.
  let isPartial = [...asJson].some((name) => !Object.hasOwn(record.attributes, name));
  const read = (attribute: string): unknown => {
    const value = record.attributes[attribute];
    if (value === undefined || !asJson.has(attribute)) return value;
    // `null` is no object, which is what a reader of cut texts looks for.
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

/** Tells whether an identifier may have been cut as well: it is as long as the longest text that is left. */
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
  // A hash of the whole would not fit what is left of it.
  delete fields["contentHash"];
}

/**
 * Reads the event back from a record, or from an event on a span; `undefined` when it holds none of ours.
 *
 * @param readJson - Reads attributes that hold JSON. Default: only what is whole.
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
    // Not what the schema gives: it leaves out what it does not know.
    if (!eventSchemas[kind].safeParse(fields).success) return { status: "unreadable" };
    return { status: isWhole ? "whole" : "cut", event: fields as DetailedEvent };
  } catch {
    // Somebody else wrote or truncated the attributes.
    return { status: "unreadable" };
  }
}
