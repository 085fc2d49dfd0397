import { changeAll } from "./change-all.ts";
import { createStatement, db, greatest, least } from "./query.ts";
import type { Transaction } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** Status of a span that has failed. */
const ERROR = 2;

/** What a trace's row says of its spans. */
interface SpanFacts {
  readonly seq: number;
  readonly traceId: string;
  /** `null` for a span without a parent. */
  readonly parentId: string | null;
  readonly name: string;
  readonly service: string;
  startMicros: number;
  endMicros: number;
  /** 0 is unset, 1 ok, 2 error. */
  readonly status: number;
}

/** Columns of the list of traces; merged with the stored ones. */
interface TraceSummary extends Pick<SpanFacts, "endMicros" | "startMicros"> {
  name: string;
  service: string;
  hasRoot: boolean;
  spanCount: number;
  errorCount: number;
  lastSeq: number;
}

/** Summaries of the traces that a request adds to, by trace id. */
export type TraceSummaries = Map<string, TraceSummary>;

interface TraceValues extends Omit<TraceSummary, "hasRoot"> {
  readonly organizationId: string;
  readonly traceId: string;
  readonly hasRoot: number;
}

// The name is that of the span without a parent; of the first that came, until that span is there.
const MERGE_TRACE = createStatement((values: TraceValues) =>
  db
    .insertInto("trace")
    .values({
      organization_id: values.organizationId,
      trace_id: values.traceId,
      name: values.name,
      service: values.service,
      has_root: values.hasRoot,
      span_count: values.spanCount,
      error_count: values.errorCount,
      start_micros: values.startMicros,
      end_micros: values.endMicros,
      last_seq: values.lastSeq,
    })
    .onConflict((conflict) =>
      conflict.columns(["trace_id", "organization_id"]).doUpdateSet((eb) => {
        const isRoot = eb("excluded.has_root", ">", eb.ref("trace.has_root"));
        const name = eb.case().when(isRoot).then(eb.ref("excluded.name"));
        const service = eb.case().when(isRoot).then(eb.ref("excluded.service"));
        return {
          name: name.else(eb.ref("trace.name")).end(),
          service: service.else(eb.ref("trace.service")).end(),
          has_root: greatest(eb.ref("trace.has_root"), eb.ref("excluded.has_root")),
          span_count: eb("trace.span_count", "+", eb.ref("excluded.span_count")),
          error_count: eb("trace.error_count", "+", eb.ref("excluded.error_count")),
          start_micros: least(eb.ref("trace.start_micros"), eb.ref("excluded.start_micros")),
          end_micros: greatest(eb.ref("trace.end_micros"), eb.ref("excluded.end_micros")),
          last_seq: eb.ref("excluded.last_seq"),
        };
      }),
    ),
);

/** Adds a span to the summary of its trace. */
export function addToTrace(summaries: TraceSummaries, row: SpanFacts): void {
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

/** Writes the changes of a request to its traces. */
function toTraces(organizationId: string, summaries: TraceSummaries): TraceValues[] {
  return Array.from(summaries, ([traceId, { hasRoot, ...summary }]) => ({
    organizationId,
    traceId,
    hasRoot: hasRoot ? 1 : 0,
    ...summary,
  }));
}

/** Merges what spans add to their traces with what is stored. In a transaction. */
export function mergeTraces(
  database: Transaction,
  organizationId: string,
  summaries: TraceSummaries,
): Steps<void> {
  return changeAll(database, MERGE_TRACE, toTraces(organizationId, summaries));
}
