import type { Attributes } from "@opentelemetry/api";
import type { ReadableLogRecord } from "@opentelemetry/sdk-logs";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { ComplianceFlag } from "../events/compliance.ts";
import { BASE_FIELD_ATTRIBUTES, KIND_FIELD_ATTRIBUTES } from "./attribute-mapping.ts";
import { isContentAttribute, isGenAi, isLikelyContent } from "./genai-content-policy.ts";
import { toTextFreeFinding } from "./log-record.ts";
import { overrideMembers } from "./member-overlay.ts";
import {
  ATTR_COMPLIANCE_VIOLATIONS,
  ATTR_EVENT_JSON_ATTRIBUTES,
  ATTR_EVENT_LENGTH,
  ATTR_EVENT_NAME,
  ATTR_METADATA,
  NAMESPACE,
} from "../semconv.ts";

/** Attributes of ours that may hold content. */
const SENSITIVE_ATTRIBUTES: ReadonlySet<string> = new Set([
  ATTR_METADATA,
  // Of the whole event; what is left is not the whole.
  ATTR_EVENT_LENGTH,
  ATTR_EVENT_JSON_ATTRIBUTES,
  ...[...BASE_FIELD_ATTRIBUTES, ...Object.values(KIND_FIELD_ATTRIBUTES).flat()]
    .filter((row) => row.isSensitive)
    .map((row) => row.attribute),
]);

/** Attributes of ours that have no row of an event: texts of single findings. */
const FINDING_TEXT = /\.(?:description|excerpt|detected_content|recommendation)$/;
const OWN_PREFIX = `${NAMESPACE}.`;

/** Takes the text out of findings: on spans they are written as JSON. */
function toTextFreeFindings(value: unknown): unknown {
  if (typeof value === "string") return JSON.stringify(toTextFreeFindings(JSON.parse(value)));
  return (value as ComplianceFlag[]).map(toTextFreeFinding);
}

function isContent(key: string, value: unknown, isOfGenAi: boolean): boolean {
  if (SENSITIVE_ATTRIBUTES.has(key) || isContentAttribute(key)) return true;
  if (key.startsWith(OWN_PREFIX)) return FINDING_TEXT.test(key);
  return isOfGenAi && isLikelyContent(key, value);
}

function withoutContent<T extends object>(attributes: T, isOfGenAi: boolean): T {
  const bare: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(attributes)) {
    if (key !== ATTR_COMPLIANCE_VIOLATIONS) {
      if (!isContent(key, value, isOfGenAi)) bare[key] = value;
      continue;
    }
    try {
      bare[key] = toTextFreeFindings(value);
    } catch {
      // An attribute limit cut the JSON, so that the text in it can't be told apart.
    }
  }
  return bare as T;
}

/** Gives a span without content, of ours or of a GenAI instrumentation. */
export function toBareSpan(span: ReadableSpan): ReadableSpan {
  const isOfGenAi = isGenAi(span.attributes);
  const bare = (attributes: Attributes | undefined): Attributes =>
    withoutContent(attributes ?? {}, isOfGenAi);
  const own = {
    attributes: bare(span.attributes),
    events: span.events.map((event) => ({ ...event, attributes: bare(event.attributes) })),
    links: span.links.map((link) =>
      link.attributes ? { ...link, attributes: bare(link.attributes) } : link,
    ),
    // What a model's server says of a request may repeat it.
    status: isOfGenAi ? { code: span.status.code } : span.status,
  };
  return overrideMembers(span, own);
}

function toEventName({ eventName, attributes }: ReadableLogRecord): string {
  const name = eventName ?? attributes[ATTR_EVENT_NAME];
  return typeof name === "string" ? name : "";
}

/** Gives a log record without content, of ours or of a GenAI instrumentation. */
export function toBareRecord(record: ReadableLogRecord): ReadableLogRecord {
  const isOfGenAi = isGenAi(record.attributes) || toEventName(record).startsWith("gen_ai.");
  return overrideMembers(record, {
    attributes: withoutContent(record.attributes, isOfGenAi),
    // The older conventions write messages there.
    ...(isOfGenAi && { body: undefined }),
  });
}
