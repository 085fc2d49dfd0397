import { REVIEW_TABLES } from "./review-tables.ts";
import { FACTS_COLUMN, FIND_INDEXES, FIND_TABLES } from "./find-tables.ts";

// Bytes of a batch outside of its events' rows: with these it can be exported byte for byte.
export const FRAME_TABLE =
  "CREATE TABLE frame (seq INTEGER PRIMARY KEY, bytes BLOB NOT NULL, runs TEXT NOT NULL);";

// The newest OpenTelemetry data. `end_offset` counts the bytes of all rows so far, so that the oldest rows over
// a bound can be found without adding up.
export const TELEMETRY_TABLES = `
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

// Agent, version and environment of a conversation's events, each combination once. An empty text is a missing
// value. A conversation may be handled by two versions, and by a version that came back.
export const APPEARANCE_TABLE = `
  CREATE TABLE appearance (
    conversation_key TEXT NOT NULL,
    environment TEXT NOT NULL,
    agent_version TEXT NOT NULL,
    agent_category TEXT NOT NULL,
    agent_specialty TEXT NOT NULL,
    agent_name TEXT NOT NULL,
    event_count INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (conversation_key, environment, agent_version, agent_category, agent_specialty, agent_name)
  ) WITHOUT ROWID;
`;

// Row of the fullest copy of an event, when that was not the first one.
export const BODY_COLUMN = "body_seq INTEGER";

// Name in the profile of its agent's version when the event arrived; empty where none was registered then.
export const NAME_COLUMN = "agent_name TEXT NOT NULL DEFAULT ''";

// Every registered profile, including successive ones of one version.
export const AGENT_TABLE = `
  CREATE TABLE agent (
    revision INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    version TEXT NOT NULL,
    name TEXT NOT NULL,
    json TEXT NOT NULL,
    updated_at INTEGER NOT NULL
  );
  CREATE INDEX agent_by_version ON agent (organization_id, agent_id, version, revision);
`;

export const FACT_INDEX = "CREATE INDEX event_of_environment ON event (environment, seq);";

// Bodies lie in a table of their own: lists then read narrow rows only.
export const SCHEMA = `
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
    environment TEXT NOT NULL DEFAULT '',
    agent_version TEXT NOT NULL DEFAULT '',
    ${BODY_COLUMN},
    ${NAME_COLUMN},
    UNIQUE (event_id, organization_id)
  );
  ${FACT_INDEX}
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
    last_at INTEGER NOT NULL,
    ${FACTS_COLUMN}
  );
  CREATE INDEX conversation_by_time ON conversation (last_at, seq);
  ${AGENT_TABLE}
  ${APPEARANCE_TABLE}
  ${FRAME_TABLE}
  ${TELEMETRY_TABLES}
  ${REVIEW_TABLES}
  ${FIND_TABLES}
  ${FIND_INDEXES}
`;
