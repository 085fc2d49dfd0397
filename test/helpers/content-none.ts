import { INVALID_SPAN_CONTEXT } from "@opentelemetry/api";
import { InMemoryLogRecordExporter, type ReadableLogRecord } from "@opentelemetry/sdk-logs";
import { InMemorySpanExporter, type ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { BridgeRecord } from "../../src/bridge/bridge-span.ts";
import type { SpanLike } from "../../src/bridge/span-record.ts";
import { withContentPolicy } from "../../src/telemetry/content-policy.ts";

/** Shorter texts, such as names of roles, occur in other attributes as well. */
const MIN_LENGTH = 5;

/** Collects the texts of a value of JSON that are long enough to be recognised. */
function toTexts(value: unknown): string[] {
  if (typeof value === "string") return value.length < MIN_LENGTH ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(toTexts) : [];
}

/** Exports a span under `content: none`; returns what a backend gets of it. */
export function exportSpanWithoutContent(span: SpanLike): object {
  const exporter = new InMemorySpanExporter();
  const spanContext = () => INVALID_SPAN_CONTEXT;
  const rest = { spanContext, kind: 0, links: [], events: [], status: { code: 0 } };
  const whole = { ...rest, instrumentationScope: { name: "" }, ...span };
  withContentPolicy(exporter, "none").export([whole as unknown as ReadableSpan], () => undefined);
  return exporter
    .getFinishedSpans()
    .map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
}

/** Exports a log record under `content: none`; returns what a backend gets of it. */
export function exportRecordWithoutContent(record: BridgeRecord): object {
  const exporter = new InMemoryLogRecordExporter();
  withContentPolicy(exporter, "none").export(
    [record as unknown as ReadableLogRecord],
    () => undefined,
  );
  return exporter
    .getFinishedLogRecords()
    .map(({ eventName, attributes, body }) => ({ eventName, attributes, body }));
}

/** Returns those texts of `content` that an exported item holds, as they are or within JSON. */
export function findContent(exported: object, content: unknown): string[] {
  const written = toTexts(exported);
  const holds = (text: string): boolean =>
    [text, JSON.stringify(text).slice(1, -1)].some((form) =>
      written.some((one) => one.includes(form)),
    );
  return [...new Set(toTexts(content))].filter(holds);
}
