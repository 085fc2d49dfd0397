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
import { readNumber, type SqlDatabase } from "./sql-database.ts";

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

const INSERT_LOG = `
  INSERT OR IGNORE INTO log_record
    (seq, organization_id, digest, trace_id, time_micros, received_at, end_offset, json)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

const LIST = "SELECT seq, organization_id AS organizationId, json FROM log_record";

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
  database: SqlDatabase,
  records: readonly ReceivedLogRecord[],
  { organizationId, receivedAt, toDigest }: Arrival & { readonly toDigest: Digester },
  limits: TelemetryLimits = DEFAULT_TELEMETRY_LIMITS,
): Steps<readonly ReceivedLogRecord[]> {
  const end = findEnd(database, "log_record");
  const added: ReceivedLogRecord[] = [];
  for (const record of records) {
    yield;
    const json = toLogJson(record);
    const next = { seq: end.seq + 1, offset: end.offset + Buffer.byteLength(json) };
    const identity = [organizationId, toDigest(json), record.spanContext?.traceId ?? null];
    const rest = [toMicros(record.hrTime), receivedAt, next.offset, json];
    if (database.run(INSERT_LOG, next.seq, ...identity, ...rest) === 0) continue;
    Object.assign(end, next);
    added.push(record);
  }
  removeOldest(database, "log_record", end, limits);
  return added;
}

/** Lists records, the newest first. */
export function listLogRecords(
  database: SqlDatabase,
  { limit, before, traceId }: LogFilter,
): BoundedRows<StoredLog> {
  return readBounded(limit, (count, rows) => {
    const last = rows.at(-1)?.seq ?? before;
    if (traceId === undefined)
      return database.all(`${LIST} WHERE seq < ? ORDER BY seq DESC LIMIT ?`, last, count);
    const sql = `${LIST} WHERE trace_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?`;
    return database.all(sql, traceId, last, count);
  });
}

/** Counts the records that are kept. */
export function countLogRecords(database: SqlDatabase): number {
  return readNumber(database, "SELECT count(*) AS records FROM log_record");
}
