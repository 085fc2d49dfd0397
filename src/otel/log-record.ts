import type { HrTime } from "@opentelemetry/api";
import { SeverityNumber, type AnyValue, type AnyValueMap } from "@opentelemetry/api-logs";
import { millisToHrTime } from "@opentelemetry/core";
import { eventTypeSchema, type ErrorSeverity, type EventType } from "../events/base-event.ts";
import type { ComplianceFlag, ComplianceSeverity } from "../events/compliance.ts";
import { eventSchemas, type DetailedEvent } from "../events/detailed-event.ts";
import type { ContentPolicy } from "../config.ts";
import {
  BASE_FIELD_ATTRIBUTES,
  EVENT_NAMES,
  KIND_FIELD_ATTRIBUTES,
  type FieldAttribute,
} from "./attribute-mapping.ts";
import {
  ATTR_DEPLOYMENT_ENVIRONMENT_NAME,
  ATTR_EVENT_JSON_ATTRIBUTES,
  ATTR_EVENT_SCHEMA_VERSION,
  ATTR_GEN_AI_AGENT_ID,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_LOG_RECORD_UID,
  ATTR_METADATA,
  ATTR_REQUEST_ID,
  ATTR_SESSION_ID,
  ATTR_USER_ID,
} from "./semconv.ts";

/** What a log record says of an event. */
export interface EncodedEvent {
  readonly eventName: string;
  /** No number: OTel takes one far enough from the start of the process for a `performance.now()`. */
  readonly timestamp: HrTime;
  readonly severityNumber: SeverityNumber;
  readonly attributes: AnyValueMap;
  /** Whether every attribute is a string, a number or a boolean, which spans can hold as well. */
  readonly isFlat: boolean;
}

/** What decoding needs of a log record. */
export interface EncodedRecord {
  readonly eventName?: string | undefined;
  readonly hrTime: readonly [seconds: number, nanoseconds: number];
  readonly attributes: Readonly<Record<string, unknown>>;
}

type Fields = Record<string, unknown>;

interface FieldPath extends FieldAttribute {
  readonly path: readonly string[];
  /** Last part of the path. */
  readonly name: string;
}

/** Fields that stand in the same object of an event. */
interface FieldGroup {
  readonly parent: readonly string[];
  readonly rows: readonly FieldPath[];
}

function toPaths(fields: readonly FieldAttribute[]): readonly FieldPath[] {
  return fields.map((row) => {
    const path = row.field.split(".");
    return { ...row, path, name: path.at(-1) ?? "" };
  });
}

function toGroups(rows: readonly FieldPath[]): readonly FieldGroup[] {
  const groups = new Map<string, FieldPath[]>();
  for (const row of rows) {
    const parent = row.path.slice(0, -1).join(".");
    groups.set(parent, [...(groups.get(parent) ?? []), row]);
  }
  return Array.from(groups, ([parent, grouped]) => ({
    parent: parent === "" ? [] : parent.split("."),
    rows: grouped,
  }));
}

function forEachKind<T>(toValue: (kind: EventType) => T): Readonly<Record<EventType, T>> {
  const entries = eventTypeSchema.options.map((kind) => [kind, toValue(kind)]);
  return Object.fromEntries(entries) as Readonly<Record<EventType, T>>;
}

const FIELD_PATHS = forEachKind((kind) => toPaths([...BASE_FIELD_ATTRIBUTES, ...KIND_FIELD_ATTRIBUTES[kind]]));

/** The fields that each policy writes beside the base, in groups, so that the parents are looked up once. */
const FIELD_GROUPS: Readonly<Record<ContentPolicy, Readonly<Record<EventType, readonly FieldGroup[]>>>> = {
  full: forEachKind((kind) => toGroups(toPaths(KIND_FIELD_ATTRIBUTES[kind]))),
  none: forEachKind((kind) => toGroups(toPaths(KIND_FIELD_ATTRIBUTES[kind].filter((row) => !row.isSensitive)))),
};

/** Metadata members of each kind that have an attribute of their own. */
const METADATA_MEMBERS = forEachKind(
  (kind) => new Set(FIELD_PATHS[kind].flatMap(({ path, name }) => (path[0] === "metadata" ? [name] : []))),
);

const KIND_OF_EVENT_NAME: ReadonlyMap<string, EventType> = new Map(
  Object.entries(EVENT_NAMES).map(([kind, name]) => [name, kind as EventType]),
);

const ERROR_SEVERITY_NUMBERS: Readonly<Record<ErrorSeverity | ComplianceSeverity, SeverityNumber>> = {
  low: SeverityNumber.WARN,
  medium: SeverityNumber.ERROR,
  high: SeverityNumber.ERROR3,
  critical: SeverityNumber.FATAL,
  info: SeverityNumber.INFO,
  warning: SeverityNumber.WARN,
  violation: SeverityNumber.ERROR,
};

function toSeverityNumber(event: DetailedEvent): SeverityNumber {
  switch (event.interactionType) {
    case "error":
    case "compliance_violation":
      return ERROR_SEVERITY_NUMBERS[event.severity];
    case "tool_result":
      return event.success ? SeverityNumber.INFO : SeverityNumber.WARN;
    case "agent_response":
      return event.requiresReview ? SeverityNumber.WARN : SeverityNumber.INFO;
    default:
      return SeverityNumber.INFO;
  }
}

/** Findings without any text of the conversation: ids, severity, pattern and spans. */
export function toTextFreeFinding({ rule, category, severity, confidence, context }: ComplianceFlag): AnyValueMap {
  return {
    rule,
    category,
    severity,
    ...(confidence !== undefined && { confidence }),
    ...(context?.detectedPattern !== undefined && { detectedPattern: context.detectedPattern }),
    ...(context?.["spans"] !== undefined && { spans: context["spans"] as AnyValue }),
  };
}

function toAttributeValue(value: unknown, { form }: FieldPath, policy: ContentPolicy): AnyValue {
  switch (form) {
    case "user_message":
      return [{ role: "user", parts: [{ type: "text", content: value as string }] }];
    case "assistant_message":
      return [{ role: "assistant", parts: [{ type: "text", content: value as string }] }];
    case "findings":
      return policy === "none" ? (value as ComplianceFlag[]).map(toTextFreeFinding) : (value as AnyValue);
    default:
      return value as AnyValue;
  }
}

function fromAttributeValue(value: unknown, { form }: FieldPath): unknown {
  if (form !== "user_message" && form !== "assistant_message") return value;
  const [message] = value as { parts: { content: string }[] }[];
  return message?.parts[0]?.content;
}

/** Looks an object of the event up; the paths are ours, so no member can be an inherited one. */
function readParent(event: DetailedEvent, path: readonly string[]): Fields | undefined {
  let value: unknown = event;
  for (const key of path) {
    value = (value as Fields)[key];
    if (typeof value !== "object" || value === null) return undefined;
  }
  return value as Fields;
}

/** OTel's SDK refuses values with such keys, or loses them while it copies. */
const UNSAFE_KEYS = new Set(["constructor", "__proto__"]);

function isSafeValue(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isSafeValue);
  return Object.entries(value).every(([key, member]) => !UNSAFE_KEYS.has(key) && isSafeValue(member));
}

/** Writes a value; one that OTel can't hold is written as JSON and listed in `json_attributes`. */
function setStructured(attributes: AnyValueMap, key: string, value: AnyValue): void {
  if (value !== null && isSafeValue(value)) {
    attributes[key] = value;
    return;
  }
  attributes[key] = JSON.stringify(value);
  const keys = (attributes[ATTR_EVENT_JSON_ATTRIBUTES] ?? []) as string[];
  attributes[ATTR_EVENT_JSON_ATTRIBUTES] = [...keys, key];
}

function toOtherMetadata(event: DetailedEvent): Fields | undefined {
  const metadata: Fields | undefined = event.metadata;
  if (!metadata) return undefined;
  const known = METADATA_MEMBERS[event.interactionType];
  const keys = Object.keys(metadata);
  const others = keys.filter((key) => !known.has(key) || metadata[key] === null);
  // An empty object is kept, so that an event decodes to what it was.
  if (others.length === 0 && keys.length > 0) return undefined;
  if (others.length === keys.length) return metadata;
  return Object.fromEntries(others.map((key) => [key, metadata[key]]));
}

/**
 * Writes the fields of `BASE_FIELD_ATTRIBUTES`, which is what decoding reads.
 *
 * As a literal: adding them one by one costs more than all the rest of a record.
 */
function toBaseAttributes(event: DetailedEvent): AnyValueMap {
  const attributes: AnyValueMap = {
    [ATTR_LOG_RECORD_UID]: event.eventId,
    [ATTR_SESSION_ID]: event.sessionId,
    [ATTR_GEN_AI_AGENT_ID]: event.agentId,
    [ATTR_DEPLOYMENT_ENVIRONMENT_NAME]: event.environment,
    [ATTR_REQUEST_ID]: event.requestId,
  };
  if (event.version !== undefined) attributes[ATTR_EVENT_SCHEMA_VERSION] = event.version;
  if (event.userId !== undefined) attributes[ATTR_USER_ID] = event.userId;
  if (event.conversationId !== undefined) attributes[ATTR_GEN_AI_CONVERSATION_ID] = event.conversationId;
  return attributes;
}

/**
 * Writes an event as a log record.
 *
 * Under the policy `none` it holds no content and no personal data but the ids; under `full` it holds
 * everything, so that `decodeLogRecord` gives the event back.
 */
export function encodeLogRecord(event: DetailedEvent, policy: ContentPolicy): EncodedEvent {
  const attributes = toBaseAttributes(event);
  let isFlat = true;
  for (const { parent, rows } of FIELD_GROUPS[policy][event.interactionType]) {
    const fields = readParent(event, parent);
    if (!fields) continue;
    for (const row of rows) {
      const value = fields[row.name];
      // A `null` in the metadata travels with the other members.
      if (value === undefined || (value === null && parent.length > 0)) continue;
      if (typeof value !== "object" && row.form === undefined) {
        attributes[row.attribute] = value as AnyValue;
      } else {
        isFlat = false;
        setStructured(attributes, row.attribute, toAttributeValue(value, row, policy));
      }
    }
  }
  const others = policy === "full" ? toOtherMetadata(event) : undefined;
  if (others) {
    isFlat = false;
    setStructured(attributes, ATTR_METADATA, others as AnyValue);
  }
  return {
    eventName: EVENT_NAMES[event.interactionType],
    timestamp: millisToHrTime(event.timestamp),
    severityNumber: toSeverityNumber(event),
    attributes,
    isFlat,
  };
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
  const kind = record.eventName === undefined ? undefined : KIND_OF_EVENT_NAME.get(record.eventName);
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
