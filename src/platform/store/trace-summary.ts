import type { SqlDatabase } from "./sql-database.ts";

const ERROR = 2;

/** A span as its row has it. */
export interface SpanRow {
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

/** What the list of traces shows; merges with what is stored. */
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
export type TraceSummaries = Map<string, TraceSummary>;

// The name is that of the span without a parent; of the first that came, until that one is there.
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
export function addToTrace(summaries: TraceSummaries, row: SpanRow): void {
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

/** Stores what a request changes of its traces. */
export function mergeTraces(
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
