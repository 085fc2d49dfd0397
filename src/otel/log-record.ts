import { SeverityNumber, type AnyValue, type AnyValueMap } from "@opentelemetry/api-logs";
import type { ErrorSeverity, EventType } from "../events/base-event.ts";
import type { ComplianceFlag, ComplianceSeverity } from "../events/compliance.ts";
import { eventSchemas, type DetailedEvent } from "../events/detailed-event.ts";
import type { ContentPolicy } from "../config.ts";
import {
  BASE_FIELD_ATTRIBUTES,
  EVENT_NAMES,
  KIND_FIELD_ATTRIBUTES,
  type FieldAttribute,
} from "./attribute-mapping.ts";
import { ATTR_EVENT_JSON_ATTRIBUTES, ATTR_METADATA } from "./semconv.ts";

/** What a log record says of an event. */
export interface EncodedEvent {
  readonly eventName: string;
  /** Milliseconds since the Unix epoch. */
  readonly timestamp: number;
  readonly severityNumber: SeverityNumber;
  readonly attributes: AnyValueMap;
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
}

function withPaths(rows: readonly FieldAttribute[]): readonly FieldPath[] {
  return rows.map((row) => ({ ...row, path: row.field.split(".") }));
}

const FIELD_PATHS = Object.fromEntries(
  Object.entries(KIND_FIELD_ATTRIBUTES).map(([kind, rows]) => [
    kind,
    withPaths([...BASE_FIELD_ATTRIBUTES, ...rows]),
  ]),
) as unknown as Readonly<Record<EventType, readonly FieldPath[]>>;

/** Metadata members of each kind that have an attribute of their own. */
const METADATA_MEMBERS = Object.fromEntries(
  Object.entries(FIELD_PATHS).map(([kind, rows]) => [
    kind,
    new Set(rows.flatMap(({ path }) => (path[0] === "metadata" && path[1] !== undefined ? [path[1]] : []))),
  ]),
) as unknown as Readonly<Record<EventType, ReadonlySet<string>>>;

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
function toTextFreeFinding({ rule, category, severity, confidence, context }: ComplianceFlag): AnyValueMap {
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

function readPath(event: Fields, path: readonly string[]): unknown {
  let value: unknown = event;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Fields)[key];
  }
  return value;
}

/** OTel's SDK refuses values with such keys, or loses them while it copies. */
const UNSAFE_KEYS = new Set(["constructor", "__proto__"]);

function isSafeValue(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isSafeValue);
  return Object.entries(value).every(([key, member]) => !UNSAFE_KEYS.has(key) && isSafeValue(member));
}

function setAttribute(attributes: AnyValueMap, key: string, value: AnyValue): void {
  if (isSafeValue(value)) {
    attributes[key] = value;
    return;
  }
  attributes[key] = JSON.stringify(value);
  const keys = (attributes[ATTR_EVENT_JSON_ATTRIBUTES] ?? []) as string[];
  attributes[ATTR_EVENT_JSON_ATTRIBUTES] = [...keys, key];
}

function toOtherMetadata(event: DetailedEvent): Fields | undefined {
  const metadata = event.metadata as Fields | undefined;
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
 * Writes an event as a log record.
 *
 * Under the policy `none` it holds no content and no personal data but the ids; under `full` it holds
 * everything, so that `decodeLogRecord` gives the event back.
 */
export function encodeLogRecord(event: DetailedEvent, policy: ContentPolicy): EncodedEvent {
  const attributes: AnyValueMap = {};
  for (const row of FIELD_PATHS[event.interactionType]) {
    if (row.isSensitive && policy === "none") continue;
    const value = readPath(event, row.path);
    if (value !== undefined && value !== null) {
      setAttribute(attributes, row.attribute, toAttributeValue(value, row, policy));
    }
  }
  if (policy === "full") {
    const others = toOtherMetadata(event);
    if (others) setAttribute(attributes, ATTR_METADATA, others as AnyValue);
  }
  return {
    eventName: EVENT_NAMES[event.interactionType],
    timestamp: event.timestamp,
    severityNumber: toSeverityNumber(event),
    attributes,
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

/** Required fields of type any: OTel has no attribute for their `null`. */
const NULLABLE_FIELDS: Partial<Record<EventType, string>> = {
  tool_call: "toolParameters",
  tool_result: "toolResult",
};

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Somebody truncated the attribute.
    return undefined;
  }
}

/** Reads the event back from a record; `undefined` when the record holds none, or not the whole of it. */
export function decodeLogRecord(record: EncodedRecord): DetailedEvent | undefined {
  const kind = record.eventName === undefined ? undefined : KIND_OF_EVENT_NAME.get(record.eventName);
  if (!kind) return undefined;
  const asJson = new Set(record.attributes[ATTR_EVENT_JSON_ATTRIBUTES] as string[] | undefined);
  const read = (attribute: string): unknown => {
    const value = record.attributes[attribute];
    return asJson.has(attribute) ? parseJson(String(value)) : value;
  };
  const [seconds, nanoseconds] = record.hrTime;
  const event: Fields = {
    interactionType: kind,
    timestamp: seconds * 1000 + Math.round(nanoseconds / 1e6),
  };
  const nullable = NULLABLE_FIELDS[kind];
  if (nullable !== undefined) event[nullable] = null;
  const others = read(ATTR_METADATA);
  if (typeof others === "object" && others !== null) event["metadata"] = structuredClone(others);
  for (const row of FIELD_PATHS[kind]) {
    const value = read(row.attribute);
    if (value !== undefined && value !== null) writePath(event, row.path, fromAttributeValue(value, row));
  }
  const parsed = eventSchemas[kind].safeParse(event);
  return parsed.success ? parsed.data : undefined;
}
