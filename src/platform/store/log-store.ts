import { createHash } from "node:crypto";
import { sql } from "kysely";
import { toMicros } from "../otlp/any-value.ts";
import type { ReceivedLogRecord } from "../otlp/received.ts";
import { writeLogRecord } from "../otlp/stored-json.ts";
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
  type TelemetryLimits,
} from "./bounded-rows.ts";
import type { EventFilter } from "./event-store.ts";
import { createStatement, db, readNumber, textsOf } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";

/** A log record as it is stored. */
export interface StoredLog {
  readonly seq: number;
  readonly organizationId: string;
  readonly json: string;
}

/** Filter of log records. */
export interface LogFilter extends Pick<EventFilter, "before" | "limit"> {
  readonly traceId: string | undefined;
}

const INSERT_LOG = createStatement((values: LogRow) =>
  db
    .insertInto("log_record")
    .values({
      seq: values.seq,
      organization_id: values.organizationId,
      digest: values.digest,
      trace_id: values.traceId,
      time_micros: values.timeMicros,
      received_at: values.receivedAt,
      end_offset: values.offset,
      json: values.json,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

// A number for each key, not a join: PostgreSQL would read the whole table for one.
const FIND_KNOWN = createStatement((values: SoughtKeys) =>
  db
    .selectFrom(textsOf(values.keys).as("sought"))
    .select("sought.value as key")
    .where((eb) =>
      eb(
        eb
          .selectFrom("log_record")
          .select("seq")
          .whereRef("digest", "=", "sought.value")
          .where("organization_id", "=", values.organizationId)
          .limit(sql.lit(1)),
        "is not",
        null,
      ),
    ),
);

const RECORDS = {
  insert: INSERT_LOG,
  findKnown: FIND_KNOWN,
  toKey: ({ digest }: LogRow) => digest,
};

const LIST = db
  .selectFrom("log_record")
  .select(["seq", "organization_id as organizationId", "json"])
  .orderBy("seq", "desc");

/** Returns the digest that identifies a record of a request. */
export type Digester = (json: string) => string;

/**
 * Distinguishes records, which have no id.
 *
 * A repeated request has the same records; two equal ones in one request are two.
 */
export function createDigester(): Digester {
  const seen = new Map<string, number>();
  return (json) => {
    const digest = createHash("sha256").update(json).digest("base64url");
    const count = seen.get(digest) ?? 0;
    seen.set(digest, count + 1);
    return `${digest}.${count}`;
  };
}

interface LogArrival extends Arrival {
  readonly toDigest: Digester;
}

function toRow(record: ReceivedLogRecord, { organizationId, receivedAt, toDigest }: LogArrival) {
  const written = writeLogRecord(record);
  return {
    // Set where it is appended.
    seq: 0,
    offset: 0,
    organizationId,
    receivedAt,
    digest: toDigest(written.json),
    traceId: record.spanContext?.traceId ?? null,
    timeMicros: toMicros(record.hrTime),
    ...written,
  };
}

/** Columns of a record. */
type LogRow = ReturnType<typeof toRow>;

/** Stores records, keeps the newest, and returns the new ones. In a transaction. */
export function* addLogRecords(
  database: Transaction,
  records: readonly ReceivedLogRecord[],
  arrival: LogArrival,
  limits: TelemetryLimits = DEFAULT_TELEMETRY_LIMITS,
): Steps<readonly ReceivedLogRecord[]> {
  const end = yield* findEnd(database, "log_record");
  const note = createArrivalNote("log_record", end, arrival);
  const added: ReceivedLogRecord[] = [];
  yield* appendNew(database, RECORDS, end, {
    items: records,
    toRow: (record) => toRow(record, arrival),
    note(record, row) {
      note.add(row);
      added.push(record);
    },
  });
  yield* note.write(database, end);
  yield* removeOldest(database, "log_record", end, limits);
  return added;
}

/** Lists records, the newest first. */
export function listLogRecords(
  database: SqlDatabase,
  { limit, before, traceId }: LogFilter,
): Steps<BoundedRows<StoredLog>> {
  const query = traceId === undefined ? LIST : LIST.where("trace_id", "=", traceId);
  const next = createStatement((values: { before: number; count: number }) =>
    query.where("seq", "<", values.before).limit(values.count),
  );
  return readBounded(limit, (count, rows) =>
    next.rows(database, { before: rows.at(-1)?.seq ?? before, count }),
  );
}

/** Counts the records that are kept. */
export function* countLogRecords(database: SqlDatabase): Steps<number> {
  const query = db.selectFrom("log_record").select((eb) => eb.fn.countAll<number>().as("records"));
  return yield* readNumber(database, query);
}
