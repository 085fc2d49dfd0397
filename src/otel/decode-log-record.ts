import type { EventType } from "../events/base-event.ts";
import { eventSchemas, type DetailedEvent } from "../events/detailed-event.ts";
import { EVENT_NAMES } from "./attribute-mapping.ts";
import { FIELD_PATHS, type FieldPath } from "./event-fields.ts";
import { ATTR_EVENT_JSON_ATTRIBUTES, ATTR_METADATA } from "./semconv.ts";

/** What decoding needs of a log record. */
export interface EncodedRecord {
  readonly eventName?: string | undefined;
  readonly hrTime: readonly [seconds: number, nanoseconds: number];
  readonly attributes: Readonly<Record<string, unknown>>;
}

type Fields = Record<string, unknown>;

const KIND_OF_EVENT_NAME: ReadonlyMap<string, EventType> = new Map(
  Object.entries(EVENT_NAMES).map(([kind, name]) => [name, kind as EventType]),
);

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

function readFields(kind: EventType, record: EncodedRecord): Fields {
  const asJson = new Set(record.attributes[ATTR_EVENT_JSON_ATTRIBUTES] as string[] | undefined);
  const read = (attribute: string): unknown => {
    const value = record.attributes[attribute];
    return asJson.has(attribute) && value !== undefined ? JSON.parse(value as string) : value;
  };
  const [seconds, nanoseconds] = record.hrTime;
  const event: Fields = {
    interactionType: kind,
    timestamp: seconds * 1000 + Math.round(nanoseconds / 1e6),
  };
  const others = read(ATTR_METADATA);
  if (typeof others === "object" && others !== null) event["metadata"] = structuredClone(others);
  for (const row of FIELD_PATHS[kind]) {
    const value = read(row.attribute);
    if (value !== undefined) writePath(event, row.path, fromAttributeValue(value, row));
  }
  return event;
}

/** Reads the event back from a record; `undefined` when the record holds none, or lacks a required field of it. */
export function decodeLogRecord(record: EncodedRecord): DetailedEvent | undefined {
  const kind =
    record.eventName === undefined ? undefined : KIND_OF_EVENT_NAME.get(record.eventName);
  if (!kind) return undefined;
  try {
    const event = readFields(kind, record);
    // Not what the schema gives: it leaves out what it does not know.
    return eventSchemas[kind].safeParse(event).success ? (event as DetailedEvent) : undefined;
  } catch {
    // Somebody else wrote or truncated the attributes.
    return undefined;
  }
}
