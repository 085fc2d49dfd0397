import { ATTR_SERVICE_NAME } from "../../semconv.ts";
import { toMicros } from "../otlp/any-value.ts";
import { type ReceivedSpan, toSpanJson } from "../otlp/received.ts";
import type { Steps } from "../turns.ts";
import {
  DEFAULT_TELEMETRY_LIMITS,
  findEnd,
  readBounded,
  removeOldest,
  type BoundedRows,
  type TelemetryLimits,
} from "./bounded-rows.ts";
import type { SqlDatabase } from "./sql-database.ts";

const ERROR = 2;

/** Columns of a span's row. */
interface SpanRow {
  readonly seq: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly service: string;
  readonly startMicros: number;
  readonly endMicros: number;
  /** 0 is unset, 1 ok, 2 error. */
  readonly status: number;
}

/** Columns of the list of traces; merged with the stored ones. */
interface TraceSummary {
  name: string;
  service: string;
  hasRoot: boolean;
  spanCount: number;
  errorCount: number;
  startMicros: number;
  endMicros: number;
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
  const isRoot = row.parentId === null;
  const known = summaries.get(traceId);
  const summary = known ?? {
    name,
    service,
    startMicros,
    endMicros,
    hasRoot: isRoot,
    spanCount: 0,
    errorCount: 0,
    lastSeq: 0,
  };
  if (!known) summaries.set(traceId, summary);
  if (isRoot && !summary.hasRoot) Object.assign(summary, { name, service, hasRoot: true });
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
  for (const [traceId, summary] of summaries) {
    database.run(
      MERGE_TRACE,
      organizationId,
      traceId,
      summary.name,
      summary.service,
      summary.hasRoot ? 1 : 0,
      summary.spanCount,
      summary.errorCount,
      summary.startMicros,
      summary.endMicros,
      summary.lastSeq,
    );
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

/** Stores spans and keeps the newest. */
export interface SpanStore {
  /** Stores spans and returns the new ones: a known span stays unchanged. In a transaction. */
  add(
    spans: readonly ReceivedSpan[],
    organizationId: string,
    receivedAt: number,
  ): Steps<readonly ReceivedSpan[]>;
  /** Lists traces, the one with the newest span first. */
  listTraces(limit: number, before: number): TraceRow[];
  /** Finds a trace, of one organization or of any. */
  findTrace(traceId: string, organizationId: string | undefined): TraceRow | undefined;
  /** Returns the JSON of a trace's spans in order of their start. */
  listSpans(trace: TraceRow, limit: number, offset: number): BoundedRows<{ readonly json: string }>;
  /** Number of spans that are kept. */
  count(): number;
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

function readService({ attributes }: ReceivedSpan["resource"]): string {
  const name = attributes[ATTR_SERVICE_NAME];
  return typeof name === "string" ? name : "";
}

function toRow(span: ReceivedSpan, seq: number): SpanRow {
  const startMicros = toMicros(span.startTime);
  return {
    ...span.spanContext(),
    seq,
    parentId: span.parentSpanContext?.spanId ?? null,
    name: span.name,
    service: readService(span.resource),
    startMicros,
    endMicros: Math.max(startMicros, toMicros(span.endTime)),
    status: span.status.code,
  };
}

/** Inserts a span; returns whether it is new. */
function insertSpan(
  database: SqlDatabase,
  row: SpanRow,
  rest: { organizationId: string; receivedAt: number; scope: string; offset: number; json: string },
): boolean {
  const identity = [rest.organizationId, row.traceId, row.spanId, row.parentId] as const;
  const described = [row.name, row.service, rest.scope, row.startMicros, row.endMicros] as const;
  const { receivedAt, offset, json } = rest;
  const values = [...identity, ...described, row.status, receivedAt, offset, json] as const;
  return database.run(INSERT_SPAN, row.seq, ...values) > 0;
}

/** Creates the store of spans in a database that has the schema. */
export function createSpanStore(
  database: SqlDatabase,
  limits: TelemetryLimits = DEFAULT_TELEMETRY_LIMITS,
): SpanStore {
  return {
    *add(spans, organizationId, receivedAt) {
      const end = findEnd(database, "span");
      const summaries: TraceSummaries = new Map();
      const added: ReceivedSpan[] = [];
      for (const span of spans) {
        yield;
        const row = toRow(span, end.seq + 1);
        const json = toSpanJson(span);
        const offset = end.offset + Buffer.byteLength(json);
        const scope = span.instrumentationScope.name;
        const rest = { organizationId, receivedAt, scope, offset, json };
        if (!insertSpan(database, row, rest)) continue;
        Object.assign(end, { seq: row.seq, offset });
        addToTrace(summaries, row);
        added.push(span);
      }
      mergeTraces(database, organizationId, summaries);
      const last = removeOldest(database, "span", end, limits);
      database.run("DELETE FROM trace WHERE last_seq <= ?", last);
      return added;
    },
    listTraces: (limit, before) =>
      database.all<TraceRow>(
        `${SELECT_TRACE} WHERE last_seq < ? ORDER BY last_seq DESC LIMIT ?`,
        before,
        limit,
      ),
    findTrace(traceId, organizationId) {
      const filter = organizationId ?? null;
      const sql = `${SELECT_TRACE} WHERE trace_id = ? AND (? IS NULL OR organization_id = ?) LIMIT 1`;
      return database.all<TraceRow>(sql, traceId, filter, filter)[0];
    },
    listSpans: ({ traceId, organizationId }, limit, offset) =>
      readBounded<{ readonly json: string }>(limit, (count, rows) =>
        database.all(
          `SELECT json FROM span WHERE trace_id = ? AND organization_id = ?
           ORDER BY start_micros, end_micros DESC, seq LIMIT ? OFFSET ?`,
          traceId,
          organizationId,
          count,
          offset + rows.length,
        ),
      ),
    count: () =>
      database.all<{ spans: number }>("SELECT count(*) AS spans FROM span")[0]?.spans ?? 0,
  };
}
