import type { SqlDatabase } from "./sql-database.ts";

const SCHEMA_VERSION = 3;

// What of a batch is in no event's row: with these it can be given back byte for byte.
const FRAME_TABLE =
  "CREATE TABLE frame (seq INTEGER PRIMARY KEY, bytes BLOB NOT NULL, runs TEXT NOT NULL);";

// OpenTelemetry data, the newest of it. `end_offset` counts the bytes of all rows so far, so that the oldest rows over
// a bound can be found without adding up.
const TELEMETRY_TABLES = `
  CREATE TABLE span (
    seq INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    trace_id TEXT NOT NULL,
    span_id TEXT NOT NULL,
    parent_span_id TEXT,
    name TEXT NOT NULL,
    service TEXT NOT NULL,
    scope TEXT NOT NULL,
    start_micros INTEGER NOT NULL,
    end_micros INTEGER NOT NULL,
    status INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    end_offset INTEGER NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (trace_id, span_id, organization_id)
  );
  CREATE INDEX span_of_trace ON span (trace_id, start_micros, seq);
  CREATE TABLE trace (
    organization_id TEXT NOT NULL,
    trace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    service TEXT NOT NULL,
    has_root INTEGER NOT NULL,
    span_count INTEGER NOT NULL,
    error_count INTEGER NOT NULL,
    start_micros INTEGER NOT NULL,
    end_micros INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    UNIQUE (trace_id, organization_id)
  );
  CREATE INDEX trace_by_arrival ON trace (last_seq);
  CREATE TABLE log_record (
    seq INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    digest TEXT NOT NULL,
    trace_id TEXT,
    time_micros INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    end_offset INTEGER NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (digest, organization_id)
  );
  CREATE INDEX log_record_of_trace ON log_record (trace_id, seq);
`;

// Bodies lie in a table of their own: lists then read narrow rows only.
const SCHEMA = `
  CREATE TABLE batch (
    seq INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    batch_id TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    event_count INTEGER NOT NULL,
    total_size INTEGER NOT NULL,
    wire_bytes INTEGER NOT NULL,
    encoding TEXT NOT NULL,
    accepted INTEGER NOT NULL,
    duplicates INTEGER NOT NULL,
    rejected INTEGER NOT NULL,
    rejections TEXT NOT NULL,
    redeliveries INTEGER NOT NULL DEFAULT 0,
    UNIQUE (organization_id, batch_id)
  );
  CREATE TABLE event (
    seq INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    conversation_key TEXT NOT NULL,
    timestamp INTEGER NOT NULL,
    type TEXT NOT NULL,
    batch_id TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    UNIQUE (event_id, organization_id)
  );
  CREATE INDEX event_of_conversation ON event (conversation_key, timestamp, seq);
  CREATE TABLE body (seq INTEGER PRIMARY KEY, json TEXT NOT NULL);
  CREATE TABLE conversation (
    seq INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    title TEXT,
    title_at INTEGER,
    event_count INTEGER NOT NULL,
    finding_count INTEGER NOT NULL,
    max_severity INTEGER NOT NULL,
    max_risk_score REAL,
    requires_review INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL
  );
  CREATE INDEX conversation_by_time ON conversation (last_at, seq);
  CREATE TABLE agent (
    revision INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    version TEXT NOT NULL,
    name TEXT NOT NULL,
    json TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (organization_id, agent_id, version)
  );
  ${FRAME_TABLE}
  ${TELEMETRY_TABLES}
`;

/** What makes a layout the next one. Batches received before layout 2 have no frame and can't be exported. */
const MIGRATIONS: ReadonlyMap<number, string> = new Map([
  [1, FRAME_TABLE],
  [2, TELEMETRY_TABLES],
]);

function migrate(database: SqlDatabase, version: number): void {
  for (let from = version; from < SCHEMA_VERSION; from++) {
    const sql = MIGRATIONS.get(from);
    if (sql === undefined)
      throw new Error(`platform: the database has layout ${version}, which is not known`);
    database.exec(`BEGIN; ${sql} PRAGMA user_version = ${from + 1}; COMMIT;`);
  }
}

/** Creates the tables of a new database, or brings an older one up to date; refuses any other. */
export function prepareSchema(database: SqlDatabase): void {
  const version =
    database.all<{ user_version: number }>("PRAGMA user_version")[0]?.user_version ?? 0;
  if (version === SCHEMA_VERSION) return;
  if (version > SCHEMA_VERSION) {
    throw new Error(
      `platform: the database has layout ${version}, expected ${SCHEMA_VERSION} at most: use another file`,
    );
  }
  if (version !== 0) {
    migrate(database, version);
    return;
  }
  const tables = database.all("SELECT name FROM sqlite_schema LIMIT 1");
  if (tables.length > 0) throw new Error("platform: the file is a database of another program");
  database.exec(`BEGIN; ${SCHEMA} PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT;`);
}
