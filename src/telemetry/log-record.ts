import type { HrTime } from "@opentelemetry/api";
import { type AnyValue, type AnyValueMap, SeverityNumber } from "@opentelemetry/api-logs";
import { millisToHrTime } from "@opentelemetry/core";
import type { ContentPolicy } from "../config/config.ts";
import type { ErrorSeverity } from "../events/base-event.ts";
import type { ComplianceFlag, ComplianceSeverity } from "../events/compliance.ts";
import type { DetailedEvent } from "../events/detailed-event.ts";
import { readJudgeResult } from "../events/judge-result.ts";
import * as semconv from "../semconv.ts";
import { EVENT_NAMES } from "./attribute-mapping.ts";
import { type FieldPath, fieldGroupsOf, metadataPartsOf, toEventLength } from "./event-fields.ts";
import {
  toBaseAttributes,
  toTextAttributes,
  writeMeasures,
  writePlainAnswer,
} from "./frequent-attributes.ts";

/** Log record severities of errors and findings. */
export const SEVERITY_NUMBERS = {
  low: SeverityNumber.WARN,
  medium: SeverityNumber.ERROR,
  high: SeverityNumber.ERROR3,
  critical: SeverityNumber.FATAL,
  info: SeverityNumber.INFO,
  warning: SeverityNumber.WARN,
  violation: SeverityNumber.ERROR,
} satisfies Record<ErrorSeverity | ComplianceSeverity, SeverityNumber>;

/** Returns the log record severity of an event. */
function toSeverityNumber(event: DetailedEvent): SeverityNumber {
  switch (event.interactionType) {
    case "error":
    case "compliance_violation":
      return SEVERITY_NUMBERS[event.severity];
    case "tool_result":
      return event.success ? SeverityNumber.INFO : SeverityNumber.WARN;
    case "agent_response":
      return event.requiresReview ? SeverityNumber.WARN : SeverityNumber.INFO;
    default:
      return SeverityNumber.INFO;
  }
}

/** Members of an evaluator, and their attributes. */
export const EVALUATOR_ATTRIBUTES = [
  ["id", semconv.ATTR_EVALUATOR_ID],
  ["type", semconv.ATTR_EVALUATOR_TYPE],
  ["version", semconv.ATTR_EVALUATOR_VERSION],
  ["model", semconv.ATTR_EVALUATOR_MODEL],
  ["promptHash", semconv.ATTR_EVALUATOR_PROMPT_HASH],
  ["reason", semconv.ATTR_EVALUATOR_REASON],
] as const;

/**
 * Returns the evaluator and the tier for the records of an event; `undefined` for an event without a judge's result.
 */
export function toJudgeAttributes(event: DetailedEvent): AnyValueMap | undefined {
  const result = readJudgeResult(event);
  if (!result) return undefined;
  return {
    ...toTextAttributes(event.metadata?.["evaluator"], EVALUATOR_ATTRIBUTES),
    [semconv.ATTR_FINDING_TIER]: result.tier,
  };
}

/** Contents of an event's log record. */
export interface EncodedEvent {
  readonly eventName: string;
  /** Not a number: OTel takes a number far enough from the process's start for a `performance.now()`. */
  readonly timestamp: HrTime;
  readonly severityNumber: SeverityNumber;
  readonly attributes: AnyValueMap;
  /** Whether every attribute is a string, a number or a boolean, which spans support as well. */
  readonly isFlat: boolean;
}

type Fields = Record<string, unknown>;

/** Members of a finding's context that hold no text of the conversation. */
const TEXT_FREE_MEMBERS = (
  "detectedPattern alsoMatched groupedUnder spans ruleVersion packId packVersion packSha256 " +
  "overridePackId overridePackVersion overridePackSha256 secondLookVersion secondLookSha256"
).split(" ");

/**
 * Returns a finding without any text of the conversation: ids, severity, patterns, spans and versions. A finding
 * without text stays as it is: the policies of a provider and of its exporter may both filter it.
 */
export function toTextFreeFinding(flag: ComplianceFlag): AnyValueMap {
  const { rule, category, severity, confidence } = flag;
  const context: Fields = flag.context ?? { ...flag };
  const finding: AnyValueMap = { rule, category, severity };
  if (confidence !== undefined) finding["confidence"] = confidence;
  for (const member of TEXT_FREE_MEMBERS)
    if (context[member] !== undefined) finding[member] = context[member] as AnyValue;
  return finding;
}

function toAttributeValue(value: unknown, { form }: FieldPath, policy: ContentPolicy): AnyValue {
  if (form === "findings" && policy === "none")
    return (value as ComplianceFlag[]).map(toTextFreeFinding);
  if (form === "findings" || form === undefined) return value as AnyValue;
  const role = form === "user_message" ? "user" : "assistant";
  return [{ role, parts: [{ type: "text", content: value as string }] }];
}

/** Returns an object of the event; the paths are ours, so that no member is an inherited one. */
function readParent(event: DetailedEvent, path: readonly string[]): Fields | undefined {
  let value: unknown = event;
  for (const key of path) {
    value = (value as Fields)[key];
    if (typeof value !== "object" || value === null) return undefined;
  }
  return value as Fields;
}

/** Keys of values that OTel's SDK rejects, or loses while copying. */
const UNSAFE_KEYS = new Set(["constructor", "__proto__"]);

function isSafeValue(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isSafeValue);
  return Object.entries(value).every(
    ([key, member]) => !UNSAFE_KEYS.has(key) && isSafeValue(member),
  );
}

/** Writes a value; a value that OTel can't hold is written as JSON and listed in `json_attributes`. */
function setStructured(attributes: AnyValueMap, key: string, value: AnyValue): void {
  if (value !== null && isSafeValue(value)) {
    attributes[key] = value;
    return;
  }
  attributes[key] = JSON.stringify(value);
  const keys = (attributes[semconv.ATTR_EVENT_JSON_ATTRIBUTES] ?? []) as string[];
  attributes[semconv.ATTR_EVENT_JSON_ATTRIBUTES] = [...keys, key];
}

/** Returns the metadata without an attribute of its own; `undefined` if there is none. */
function toOtherMetadata({ interactionType, metadata }: DetailedEvent): Fields | undefined {
  if (!metadata) return undefined;
  const written = metadataPartsOf(interactionType);
  return toRest(metadata, (name, value) => {
    const parts = written.get(name);
    if (!parts || value === null || (parts.size > 0 && typeof value !== "object")) return value;
    if (parts.size === 0) return undefined;
    return toRest(value as Fields, (part, inner) =>
      parts.has(part) && inner !== null ? undefined : inner,
    );
  });
}

/** Returns what is left of each member of an object; `undefined` if nothing is left of any. */
function toRest(
  fields: Fields,
  toMember: (name: string, value: unknown) => unknown,
): Fields | undefined {
  const names = Object.keys(fields);
  const others = names.flatMap((name) => {
    const rest = toMember(name, fields[name]);
    return rest === undefined ? [] : [[name, rest] as const];
  });
  // An empty object is kept, so that an event decodes to its original.
  if (others.length === 0 && names.length > 0) return undefined;
  const isSame =
    others.length === names.length && others.every(([name, rest]) => rest === fields[name]);
  return isSame ? fields : Object.fromEntries(others);
}

/** Writes fields of one object; returns whether all of them are strings, numbers and booleans. */
function writeFields(
  attributes: AnyValueMap,
  fields: Fields,
  rows: readonly FieldPath[],
  policy: ContentPolicy,
): boolean {
  let isFlat = true;
  for (const row of rows) {
    const value = fields[row.name];
    // A `null` in the metadata is written with the other members.
    if (value === undefined || (value === null && row.path.length > 1)) continue;
    // A value without a documented form may hold content.
    if (policy === "none" && row.form === undefined && typeof value === "object") continue;
    if (typeof value !== "object" && row.form === undefined) {
      attributes[row.attribute] = value as AnyValue;
    } else {
      isFlat = false;
      setStructured(attributes, row.attribute, toAttributeValue(value, row, policy));
    }
  }
  return isFlat;
}

/** Writes the fields of an event's kind; returns whether all of them are strings, numbers and booleans. */
function writeKindFields(
  attributes: AnyValueMap,
  event: DetailedEvent,
  policy: ContentPolicy,
): boolean {
  const mayBePlain = policy === "none" && event.interactionType === "agent_response";
  if (mayBePlain && writePlainAnswer(attributes, event)) return true;
  let isFlat = true;
  for (const { parent, rows } of fieldGroupsOf[policy](event.interactionType)) {
    const fields = readParent(event, parent);
    if (fields && !writeFields(attributes, fields, rows, policy)) isFlat = false;
  }
  return isFlat;
}

/**
 * Writes an event as a log record.
 *
 * Under the policy `none` the record holds no content and no personal data but the ids; else it holds everything, so
 * that `decodeLogRecord` restores the event. Under `redacted` the event must be redacted already.
 */
export function encodeLogRecord(event: DetailedEvent, policy: ContentPolicy): EncodedEvent {
  const attributes = toBaseAttributes(event);
  if (event.interactionType === "agent_response") writeMeasures(attributes, event);
  // Backends know an exception by its type.
  if (event.interactionType === "error") attributes[semconv.ATTR_EXCEPTION_TYPE] = event.errorType;
  if (event.interactionType === "compliance_violation")
    Object.assign(attributes, toJudgeAttributes(event));
  let isFlat = writeKindFields(attributes, event, policy);
  // Marks the record as complete, and lets its decoder detect a truncation.
  if (policy !== "none") attributes[semconv.ATTR_EVENT_LENGTH] = toEventLength(event);
  const others = policy === "none" ? undefined : toOtherMetadata(event);
  if (others) {
    isFlat = false;
    setStructured(attributes, semconv.ATTR_METADATA, others as AnyValue);
  }
  return {
    eventName: EVENT_NAMES[event.interactionType],
    timestamp: millisToHrTime(event.timestamp),
    severityNumber: toSeverityNumber(event),
    attributes,
    isFlat,
  };
}
