import { ATTR_SERVICE_NAME } from "../../semconv.ts";
import { readString } from "../../util/values.ts";
import { toMicros } from "../otlp/any-value.ts";
import { type ReceivedSpan, toSpanJson } from "../otlp/received.ts";
import type { Steps } from "../turns.ts";
import {
  DEFAULT_TELEMETRY_LIMITS,
  findEnd,
  readBounded,
  removeOldest,
  type Arrival,
  type BoundedRows,
  type Page,
  type TelemetryLimits,
} from "./bounded-rows.ts";
import { readNumber, type SqlDatabase } from "./sql-database.ts";

const ERROR = 2;

function toRow(span: ReceivedSpan, seq: number) {
  const startMicros = toMicros(span.startTime);
  return {
    ...span.spanContext(),
    seq,
    parentId: span.parentSpanContext?.spanId ?? null,
    name: span.name,
    service: readString(span.resource.attributes[ATTR_SERVICE_NAME]) ?? "",
    startMicros,
    endMicros: Math.max(startMicros, toMicros(span.endTime)),
    /** 0 is unset, 1 ok, 2 error. */
    status: span.status.code,
  };
}

/** Columns of a span that its trace shows. */
type SpanRow = ReturnType<typeof toRow>;

/** Columns of the list of traces; merged with the stored ones. */
interface TraceSummary extends Pick<SpanRow, "endMicros" | "name" | "service" | "startMicros"> {
  hasRoot: boolean;
  spanCount: number;
  errorCount: number;
  lastSeq: number;
}

/** Summaries of the traces that a request adds to, by trace id. */
type TraceSummaries = Map<string, TraceSummary>;

// The name is that of the span without a parent; of the first that came, until that span is there.
const MERGE_TRACE = `
  INSERT INTO trace
    (organization_id, trace_id, name, service, has_root, span_count, error_count, start_micros, end_micros, last_seq)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (trace_id, organization_id) DO UPDATE SET
    name = CASE WHEN excluded.has_root > has_root THEN excluded.name ELSE name END,
    service = CASE WHEN excluded.has_root > has_root THEN excluded.service ELSE service END,
    has_root = max(has_root, excluded.has_root),
    span_count = span_count + excluded.span_count,
    error_count = error_count + excluded.error_count,
    start_micros = min(start_micros, excluded.start_micros),
    end_micros = max(end_micros, excluded.end_micros),
    last_seq = excluded.last_seq`;

/** Adds a span to the summary of its trace. */
function addToTrace(summaries: TraceSummaries, row: SpanRow): void {
  const { traceId, name, service, startMicros, endMicros } = row;
  const hasRoot = row.parentId === null;
  const start = { name, service, hasRoot, startMicros, endMicros };
  const summary = summaries.get(traceId) ?? { ...start, spanCount: 0, errorCount: 0, lastSeq: 0 };
  summaries.set(traceId, summary);
  if (hasRoot && !summary.hasRoot) Object.assign(summary, { name, service, hasRoot });
  summary.spanCount++;
  if (row.status === ERROR) summary.errorCount++;
  summary.startMicros = Math.min(summary.startMicros, startMicros);
  summary.endMicros = Math.max(summary.endMicros, endMicros);
  summary.lastSeq = row.seq;
}

/** Stores the changes of a request to its traces. */
function mergeTraces(
  database: SqlDatabase,
  organizationId: string,
  summaries: TraceSummaries,
): void {
  for (const [traceId, { hasRoot, ...summary }] of summaries) {
    const { name, service, spanCount, errorCount, startMicros, endMicros, lastSeq } = summary;
    const described = [organizationId, traceId, name, service, hasRoot ? 1 : 0];
    const measured = [spanCount, errorCount, startMicros, endMicros, lastSeq];
    database.run(MERGE_TRACE, ...described, ...measured);
  }
}

/** A trace as lists show it. */
export interface TraceRow {
  /** Order of arrival of its newest span. */
  readonly seq: number;
  readonly organizationId: string;
  readonly traceId: string;
  /** Name of the span without a parent, or of the first that came. */
  readonly name: string;
  /** `service.name` of that span. */
  readonly service: string;
  /** Spans that came; the oldest of them may be gone. */
  readonly spanCount: number;
  readonly errorCount: number;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly durationMillis: number;
}

const INSERT_SPAN = `
  INSERT OR IGNORE INTO span
    (seq, organization_id, trace_id, span_id, parent_span_id, name, service, scope, start_micros, end_micros, status,
     received_at, end_offset, json)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const SELECT_TRACE = `
  SELECT last_seq AS seq, organization_id AS organizationId, trace_id AS traceId, name, service,
    span_count AS spanCount, error_count AS errorCount, start_micros / 1000 AS startedAt,
    (end_micros - start_micros) / 1000.0 AS durationMillis
  FROM trace`;

/** Stores spans, keeps the newest, and returns the new ones: a known span stays unchanged. In a transaction. */
export function* addSpans(
  database: SqlDatabase,
  spans: readonly ReceivedSpan[],
  { organizationId, receivedAt }: Arrival,
  limits: TelemetryLimits = DEFAULT_TELEMETRY_LIMITS,
): Steps<readonly ReceivedSpan[]> {
  const end = findEnd(database, "span");
  const summaries: TraceSummaries = new Map();
  const added: ReceivedSpan[] = [];
  for (const span of spans) {
    yield;
    const row = toRow(span, end.seq + 1);
    const json = toSpanJson(span);
    const offset = end.offset + Buffer.byteLength(json);
    const identity = [organizationId, row.traceId, row.spanId, row.parentId];
    const described = [row.name, row.service, span.instrumentationScope.name];
    const measured = [row.startMicros, row.endMicros, row.status, receivedAt, offset];
    const values = [row.seq, ...identity, ...described, ...measured, json];
    if (database.run(INSERT_SPAN, ...values) === 0) continue;
    Object.assign(end, { seq: row.seq, offset });
    addToTrace(summaries, row);
    added.push(span);
  }
  mergeTraces(database, organizationId, summaries);
  const last = removeOldest(database, "span", end, limits);
  database.run("DELETE FROM trace WHERE last_seq <= ?", last);
  return added;
}

/** Lists traces, the one with the newest span first. */
export function listTraces(database: SqlDatabase, limit: number, before: number): TraceRow[] {
  const sql = `${SELECT_TRACE} WHERE last_seq < ? ORDER BY last_seq DESC LIMIT ?`;
  return database.all(sql, before, limit);
}

/** Finds a trace, of one organization or of any. */
export function findTrace(
  database: SqlDatabase,
  traceId: string,
  organizationId: string | null,
): TraceRow | undefined {
  const sql = `${SELECT_TRACE} WHERE trace_id = ? AND (? IS NULL OR organization_id = ?) LIMIT 1`;
  return database.all<TraceRow>(sql, traceId, organizationId, organizationId)[0];
}

/** Returns the JSON of a trace's spans in order of their start. */
export function listSpans(
  database: SqlDatabase,
  { traceId, organizationId }: TraceRow,
  { limit, offset }: Page,
): BoundedRows {
  const sql = `SELECT json FROM span WHERE trace_id = ? AND organization_id = ?
           ORDER BY start_micros, end_micros DESC, seq LIMIT ? OFFSET ?`;
  return readBounded(limit, (count, rows) =>
    database.all(sql, traceId, organizationId, count, offset + rows.length),
  );
}

/** Counts the spans that are kept. */
export function countSpans(database: SqlDatabase): number {
  return readNumber(database, "SELECT count(*) AS spans FROM span");
}
