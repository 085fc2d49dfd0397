import type { HrTime } from "@opentelemetry/api";
import { type AnyValue, type AnyValueMap, SeverityNumber } from "@opentelemetry/api-logs";
import { millisToHrTime } from "@opentelemetry/core";
import type { ContentPolicy } from "../config/config.ts";
import type { ErrorSeverity } from "../events/base-event.ts";
import type { ComplianceFlag, ComplianceSeverity } from "../events/compliance.ts";
import type { AgentResponseEvent, DetailedEvent } from "../events/detailed-event.ts";
import { readJudgeResult } from "../events/judge-result.ts";
import * as semconv from "../semconv.ts";
import { readMember } from "../util/untrusted-values.ts";
import { EVENT_NAMES } from "./attribute-mapping.ts";
import {
  type FieldPath,
  fieldGroupsOf,
  metadataMembersOf,
  metadataPartsOf,
  toEventLength,
} from "./event-fields.ts";
import {
  toBaseAttributes,
  writeLlmMetadata,
  writePartialLlm,
  writePartialQuality,
} from "./frequent-attributes.ts";

const ERROR_SEVERITY_NUMBERS: Readonly<Record<ErrorSeverity | ComplianceSeverity, SeverityNumber>> =
  {
    low: SeverityNumber.WARN,
    medium: SeverityNumber.ERROR,
    high: SeverityNumber.ERROR3,
    critical: SeverityNumber.FATAL,
    info: SeverityNumber.INFO,
    warning: SeverityNumber.WARN,
    violation: SeverityNumber.ERROR,
  };

/** Returns the log record severity of a finding. */
export function toFindingSeverityNumber(severity: ComplianceSeverity): SeverityNumber {
  return ERROR_SEVERITY_NUMBERS[severity];
}

/** Returns the log record severity of an event. */
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

/** Members of an evaluator, and their attributes. */
export const EVALUATOR_ATTRIBUTES = [
  ["id", semconv.ATTR_EVALUATOR_ID],
  ["type", semconv.ATTR_EVALUATOR_TYPE],
  ["version", semconv.ATTR_EVALUATOR_VERSION],
  ["model", semconv.ATTR_EVALUATOR_MODEL],
  ["promptHash", semconv.ATTR_EVALUATOR_PROMPT_HASH],
  ["reason", semconv.ATTR_EVALUATOR_REASON],
] as const;

/** Returns the attributes of an evaluator. */
export function toEvaluatorAttributes(evaluator: unknown): AnyValueMap {
  const attributes: AnyValueMap = {};
  for (const [member, attribute] of EVALUATOR_ATTRIBUTES) {
    const value = readMember(evaluator, member);
    if (typeof value === "string") attributes[attribute] = value;
  }
  return attributes;
}

/**
 * Returns the evaluator and the tier for the records of an event; `undefined` for an event without a judge's result.
 */
export function toJudgeAttributes(event: DetailedEvent): AnyValueMap | undefined {
  const result = readJudgeResult(event);
  if (!result) return undefined;
  return {
    ...toEvaluatorAttributes(event.metadata?.["evaluator"]),
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
  switch (form) {
    case "user_message":
      return [{ role: "user", parts: [{ type: "text", content: value as string }] }];
    case "assistant_message":
      return [{ role: "assistant", parts: [{ type: "text", content: value as string }] }];
    case "findings":
      return policy === "none"
        ? (value as ComplianceFlag[]).map(toTextFreeFinding)
        : (value as AnyValue);
    default:
      return value as AnyValue;
  }
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

function toOtherMetadata(event: DetailedEvent): Fields | undefined {
  const metadata: Fields | undefined = event.metadata;
  if (!metadata) return undefined;
  const known = metadataMembersOf(event.interactionType);
  return withoutWritten(metadata, known, (key, value) => {
    const parts = metadataPartsOf(event.interactionType).get(key);
    return parts && typeof value === "object" && value !== null
      ? withoutWritten(value as Fields, parts)
      : value;
  });
}

/** Removes members that have an attribute; returns `undefined` if no other member is left. */
function withoutWritten(
  fields: Fields,
  written: ReadonlySet<string>,
  toRest?: (key: string, value: unknown) => unknown,
): Fields | undefined {
  const keys = Object.keys(fields);
  const others = keys.flatMap((key) => {
    if (written.has(key) && fields[key] !== null) return [];
    const rest = toRest ? toRest(key, fields[key]) : fields[key];
    return rest === undefined ? [] : [[key, rest] as const];
  });
  // An empty object is kept, so that an event decodes to its original.
  if (others.length === 0 && keys.length > 0) return undefined;
  const isSame =
    others.length === keys.length && others.every(([key, rest]) => rest === fields[key]);
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

function writeMeasures(
  attributes: AnyValueMap,
  { llmMetadata, qualityMetrics, metadata }: AgentResponseEvent,
): void {
  if (llmMetadata) writeLlmMetadata(attributes, llmMetadata);
  else if (metadata) writePartialLlm(attributes, metadata);
  if (metadata && !qualityMetrics) writePartialQuality(attributes, metadata);
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
  let isFlat = true;
  for (const { parent, rows } of fieldGroupsOf[policy](event.interactionType)) {
    const fields = readParent(event, parent);
    if (fields && !writeFields(attributes, fields, rows, policy)) isFlat = false;
  }
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
