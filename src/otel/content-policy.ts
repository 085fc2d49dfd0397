import type { Attributes } from "@opentelemetry/api";
import type { LogRecordExporter, ReadableLogRecord } from "@opentelemetry/sdk-logs";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { ContentPolicy } from "../config.ts";
import type { ComplianceFlag } from "../events/compliance.ts";
import { BASE_FIELD_ATTRIBUTES, KIND_FIELD_ATTRIBUTES } from "./attribute-mapping.ts";
import { toTextFreeFinding } from "./log-record.ts";
import { ATTR_COMPLIANCE_VIOLATIONS, ATTR_METADATA } from "./semconv.ts";

/** Attributes of ours that may hold content. */
const SENSITIVE_ATTRIBUTES: ReadonlySet<string> = new Set([
  ATTR_METADATA,
  ...[...BASE_FIELD_ATTRIBUTES, ...Object.values(KIND_FIELD_ATTRIBUTES).flat()]
    .filter((row) => row.isSensitive)
    .map((row) => row.attribute),
]);

/** Takes the text out of findings: on spans they are written as JSON. */
function toTextFreeFindings(value: unknown): unknown {
  if (typeof value === "string") return JSON.stringify(toTextFreeFindings(JSON.parse(value)));
  return (value as ComplianceFlag[]).map(toTextFreeFinding);
}

function withoutContent<T extends object>(attributes: T): T {
  const bare: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(attributes)) {
    if (SENSITIVE_ATTRIBUTES.has(key)) continue;
    if (key !== ATTR_COMPLIANCE_VIOLATIONS) {
      bare[key] = value;
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

function toBareSpan(span: ReadableSpan): ReadableSpan {
  return Object.create(span, {
    attributes: { value: withoutContent(span.attributes), enumerable: true },
    events: {
      value: span.events.map((event) => ({
        ...event,
        attributes: withoutContent<Attributes>(event.attributes ?? {}),
      })),
      enumerable: true,
    },
  }) as ReadableSpan;
}

function toBareRecord(record: ReadableLogRecord): ReadableLogRecord {
  return Object.create(record, {
    attributes: { value: withoutContent(record.attributes), enumerable: true },
  }) as ReadableLogRecord;
}

/**
 * Wraps an exporter so that its destination gets the monitor's data under a policy of its own.
 *
 * It works on copies: what other exporters see stays as it is.
 */
export function withContentPolicy<E extends SpanExporter | LogRecordExporter>(
  exporter: E,
  policy: ContentPolicy,
): E {
  if (policy === "full") return exporter;
  const inner = exporter as SpanExporter & LogRecordExporter;
  const isSpan = (item: ReadableSpan | ReadableLogRecord): item is ReadableSpan =>
    "spanContext" in item && "kind" in item;
  const wrapped = {
    export(
      items: (ReadableSpan | ReadableLogRecord)[],
      done: Parameters<SpanExporter["export"]>[1],
    ) {
      inner.export(
        items.map((item) => (isSpan(item) ? toBareSpan(item) : toBareRecord(item))) as never,
        done,
      );
    },
    forceFlush: () => inner.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => inner.shutdown(),
  };
  return wrapped as unknown as E;
}
