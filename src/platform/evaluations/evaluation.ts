import * as semconv from "../../semconv.ts";
import { VERSION } from "../../version.ts";
import { toDigest } from "../review/findings.ts";

/** Name of what people decide. */
const EVALUATION_NAME = "agent_monitor.review";
/** Not who it was: telemetry has many readers, and the audit trail knows. */
const EVALUATOR_ID = "agent-monitor.review";
const EVALUATOR_TYPE = "human";

/** Something that a person has decided, and what of an answer's event telemetry knows it by. */
export interface Decided {
  readonly organizationId: string;
  /** Key of the conversation. */
  readonly key: string;
  readonly conversationId: string;
  readonly agentId: string;
  /** Empty for the item as a whole. */
  readonly findingId: string;
  readonly disposition: string;
  readonly reasonCode: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly auditSequence: number;
  /** Of a finding. */
  readonly rule: string | null;
  readonly category: string | null;
  readonly agentVersion: string | null;
  readonly environment: string | null;
  /** Event of the answer, of a finding or of the sample. */
  readonly answerId: string | null;
  /** Metadata of that event. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A decision as telemetry has it. */
export interface Evaluation {
  readonly at: number;
  /** Trace and span of the answer, where both are known. */
  readonly traceId?: string;
  readonly spanId?: string;
  readonly attributes: Readonly<Record<string, number | string>>;
}

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;
const SPAN_ID = /^(?!0{16})[0-9a-f]{16}$/;

function readId(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === "string" && pattern.test(value) ? value : undefined;
}

/** As the bridge writes it; an application's metadata may hold anything. */
const RESPONSE_ID = /^[\w.:/-]{1,256}$/;

/** Writes a decision as an evaluation. It names rules, ids and codes, and never what anybody has said, comments of reviewers included. */
export function toEvaluation(decided: Decided): Evaluation {
  const { organizationId, key, findingId, at, auditSequence, metadata } = decided;
  const traceId = readId(metadata["traceId"], TRACE_ID);
  const spanId = readId(metadata["spanId"], SPAN_ID);
  const attributes = {
    // The same however often it is written.
    [semconv.ATTR_LOG_RECORD_UID]: toDigest(organizationId, key, findingId, auditSequence, at),
    [semconv.ATTR_GEN_AI_EVALUATION_NAME]: EVALUATION_NAME,
    [semconv.ATTR_GEN_AI_EVALUATION_SCORE_LABEL]: decided.disposition,
    [semconv.ATTR_GEN_AI_EVALUATION_EXPLANATION]: decided.reasonCode,
    [semconv.ATTR_COMPLIANCE_RULE_ID]: decided.rule,
    [semconv.ATTR_COMPLIANCE_RULE_CATEGORY]: decided.category,
    [semconv.ATTR_EVALUATOR_ID]: EVALUATOR_ID,
    [semconv.ATTR_EVALUATOR_TYPE]: EVALUATOR_TYPE,
    [semconv.ATTR_REVIEW_AUDIT_SEQUENCE]: auditSequence,
    [semconv.ATTR_COMPLIANCE_ANSWER_ID]: decided.answerId,
    [semconv.ATTR_GEN_AI_RESPONSE_ID]: readId(metadata["responseId"], RESPONSE_ID),
    [semconv.ATTR_GEN_AI_AGENT_ID]: decided.agentId,
    [semconv.ATTR_GEN_AI_AGENT_VERSION]: decided.agentVersion,
    [semconv.ATTR_GEN_AI_CONVERSATION_ID]: decided.conversationId,
    [semconv.ATTR_DEPLOYMENT_ENVIRONMENT_NAME]: decided.environment,
  };
  const known = Object.entries(attributes).filter(
    (entry): entry is [string, number | string] => entry[1] != null && entry[1] !== "",
  );
  return {
    at,
    ...(traceId !== undefined && spanId !== undefined && { traceId, spanId }),
    attributes: Object.fromEntries(known),
  };
}

function toKeyValues(attributes: Evaluation["attributes"]) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    // OTLP/JSON has integers of 64 bits as text.
    value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
  }));
}

const toNanos = (millis: number): string => `${BigInt(millis) * 1_000_000n}`;
/** @see https://opentelemetry.io/docs/specs/otel/logs/data-model/#field-severitynumber */
const INFO = 9;

/** Writes evaluations of an organization as a request for log records. @see https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
export function toLogsRequest(evaluations: readonly Evaluation[], organizationId: string): string {
  const logRecords = evaluations.map(({ at, attributes, ...trace }) => ({
    timeUnixNano: toNanos(at),
    observedTimeUnixNano: toNanos(at),
    severityNumber: INFO,
    eventName: semconv.EVENT_GEN_AI_EVALUATION_RESULT,
    ...trace,
    attributes: toKeyValues(attributes),
  }));
  const resource = {
    attributes: toKeyValues({
      [semconv.ATTR_SERVICE_NAME]: semconv.SCOPE_NAME,
      [semconv.ATTR_ORGANIZATION_ID]: organizationId,
    }),
  };
  const scope = { name: semconv.SCOPE_NAME, version: VERSION };
  const scopeLogs = [{ scope, logRecords, schemaUrl: semconv.SCHEMA_URL }];
  return JSON.stringify({ resourceLogs: [{ resource, scopeLogs, schemaUrl: semconv.SCHEMA_URL }] });
}
