import { createHash } from "node:crypto";
import { toMicros } from "../otlp/any-value.ts";
import { type ReceivedLogRecord, toLogJson } from "../otlp/received.ts";
import type { Steps } from "../turns.ts";
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
import { createStatement, db, readNumber } from "./query.ts";
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

interface LogValues extends Arrival {
  readonly seq: number;
  readonly digest: string;
  readonly traceId: string | null;
  readonly timeMicros: number;
  readonly offset: number;
  readonly json: string;
}

const INSERT_LOG = createStatement((values: LogValues) =>
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

/** Stores records, keeps the newest, and returns the new ones. In a transaction. */
export function* addLogRecords(
  database: Transaction,
  records: readonly ReceivedLogRecord[],
  { organizationId, receivedAt, toDigest }: Arrival & { readonly toDigest: Digester },
  limits: TelemetryLimits = DEFAULT_TELEMETRY_LIMITS,
): Steps<readonly ReceivedLogRecord[]> {
  const end = yield* findEnd(database, "log_record");
  const added: ReceivedLogRecord[] = [];
  for (const record of records) {
    yield;
    const json = toLogJson(record);
    const next = { seq: end.seq + 1, offset: end.offset + Buffer.byteLength(json) };
    const digest = toDigest(json);
    const traceId = record.spanContext?.traceId ?? null;
    const timeMicros = toMicros(record.hrTime);
    const values = { organizationId, digest, traceId, timeMicros, receivedAt, json, ...next };
    if ((yield* INSERT_LOG.change(database, values)) === 0) continue;
    Object.assign(end, next);
    added.push(record);
  }
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
