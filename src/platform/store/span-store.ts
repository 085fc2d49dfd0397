import { sql } from "kysely";
import { ATTR_SERVICE_NAME } from "../../semconv.ts";
import { readString } from "../../util/values.ts";
import { toMicros } from "../otlp/any-value.ts";
import type { ReceivedSpan } from "../otlp/received.ts";
import { writeSpan } from "../otlp/stored-json.ts";
import type { Steps } from "../turns.ts";
import { createArrivalNote } from "./arrival-note.ts";
import { appendNew, type SoughtKeys } from "./append-new.ts";
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
import { createStatement, db, readNumber, readRow, readRows, textsOf } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";

import { addToTrace, mergeTraces, type TraceSummaries } from "./trace-summary.ts";

function toRow(span: ReceivedSpan, { organizationId, receivedAt }: Arrival) {
  const startMicros = toMicros(span.startTime);
  const { traceId, spanId } = span.spanContext();
  return {
    // Set where it is appended.
    seq: 0,
    offset: 0,
    organizationId,
    receivedAt,
    traceId,
    spanId,
    scope: span.instrumentationScope.name,
    ...writeSpan(span),
    parentId: span.parentSpanContext?.spanId ?? null,
    name: span.name,
    service: readString(span.resource.attributes[ATTR_SERVICE_NAME]) ?? "",
    startMicros,
    endMicros: Math.max(startMicros, toMicros(span.endTime)),
    /** 0 is unset, 1 ok, 2 error. */
    status: span.status.code,
  };
}

/** Columns of a span. */
type SpanRow = ReturnType<typeof toRow>;

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

const INSERT_SPAN = createStatement((values: SpanRow) =>
  db
    .insertInto("span")
    .values({
      seq: values.seq,
      organization_id: values.organizationId,
      trace_id: values.traceId,
      span_id: values.spanId,
      parent_span_id: values.parentId,
      name: values.name,
      service: values.service,
      scope: values.scope,
      start_micros: values.startMicros,
      end_micros: values.endMicros,
      status: values.status,
      received_at: values.receivedAt,
      end_offset: values.offset,
      json: values.json,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

// A trace's id has 32 characters, and that of a span follows. A number for each key, not a join: PostgreSQL would read the
// whole table for one.
const FIND_KNOWN = createStatement((values: SoughtKeys) =>
  db
    .selectFrom(textsOf(values.keys).as("sought"))
    .select("sought.value as key")
    .where((eb) =>
      eb(
        eb
          .selectFrom("span")
          .select("seq")
          .where("trace_id", "=", sql<string>`substr(sought.value, 1, 32)`)
          .where("span_id", "=", sql<string>`substr(sought.value, 33)`)
          .where("organization_id", "=", values.organizationId)
          .limit(sql.lit(1)),
        "is not",
        null,
      ),
    ),
);

const SPANS = {
  insert: INSERT_SPAN,
  findKnown: FIND_KNOWN,
  toKey: ({ traceId, spanId }: SpanRow) => traceId + spanId,
};

const REMOVE_TRACES = createStatement((values: { last: number }) =>
  db.deleteFrom("trace").where("last_seq", "<=", values.last),
);

const SELECT_TRACE = db.selectFrom("trace").select((eb) => [
  "last_seq as seq",
  "organization_id as organizationId",
  "trace_id as traceId",
  "name",
  "service",
  "span_count as spanCount",
  "error_count as errorCount",
  // Literals, since node:sqlite binds numbers as floating ones: this is a whole number, the duration has its fraction.
  eb("start_micros", "/", eb.lit(1000)).as("startedAt"),
  eb(
    eb.cast<number>(eb("end_micros", "-", eb.ref("start_micros")), "double precision"),
    "/",
    eb.lit(1000),
  ).as("durationMillis"),
]);

/** Stores spans, keeps the newest, and returns the new ones: a known span stays unchanged. In a transaction. */
export function* addSpans(
  database: Transaction,
  spans: readonly ReceivedSpan[],
  arrival: Arrival,
  limits: TelemetryLimits = DEFAULT_TELEMETRY_LIMITS,
): Steps<readonly ReceivedSpan[]> {
  const end = yield* findEnd(database, "span");
  const note = createArrivalNote("span", end, arrival);
  const summaries: TraceSummaries = new Map();
  const added: ReceivedSpan[] = [];
  yield* appendNew(database, SPANS, end, {
    items: spans,
    toRow: (span) => toRow(span, arrival),
    note(span, row) {
      addToTrace(summaries, row);
      note.add(row);
      added.push(span);
    },
  });
  yield* note.write(database, end);
  yield* mergeTraces(database, arrival.organizationId, summaries);
  const last = yield* removeOldest(database, "span", end, limits);
  yield* REMOVE_TRACES.change(database, { last });
  return added;
}

/** Lists traces, the one with the newest span first. */
export function* listTraces(
  database: SqlDatabase,
  limit: number,
  before: number,
): Steps<TraceRow[]> {
  const query = SELECT_TRACE.where("last_seq", "<", before).orderBy("last_seq", "desc");
  return yield* readRows(database, query.limit(limit));
}

/** Finds a trace, of one organization or of any. */
export function* findTrace(
  database: SqlDatabase,
  traceId: string,
  organizationId: string | null,
): Steps<TraceRow | undefined> {
  let query = SELECT_TRACE.where("trace_id", "=", traceId).limit(1);
  if (organizationId !== null) query = query.where("organization_id", "=", organizationId);
  return yield* readRow(database, query);
}

type SpanPage = Page & Pick<TraceRow, "organizationId" | "traceId">;

const LIST_SPANS = createStatement((values: SpanPage) =>
  db
    .selectFrom("span")
    .select("json")
    .where("trace_id", "=", values.traceId)
    .where("organization_id", "=", values.organizationId)
    .orderBy("start_micros")
    .orderBy("end_micros", "desc")
    .orderBy("seq")
    .limit(values.limit)
    .offset(values.offset),
);

/** Returns the JSON of a trace's spans in order of their start. */
export function listSpans(
  database: SqlDatabase,
  { traceId, organizationId }: TraceRow,
  { limit, offset }: Page,
): Steps<BoundedRows> {
  return readBounded(limit, (count, rows) => {
    const page = { limit: count, offset: offset + rows.length };
    return LIST_SPANS.rows(database, { traceId, organizationId, ...page });
  });
}

/** Counts the spans that are kept. */
export function* countSpans(database: SqlDatabase): Steps<number> {
  const query = db.selectFrom("span").select((eb) => eb.fn.countAll<number>().as("spans"));
  return yield* readNumber(database, query);
}
