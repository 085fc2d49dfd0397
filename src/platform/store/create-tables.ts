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

const FINDING_TABLE = `
  CREATE TABLE finding (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    conversation_key TEXT NOT NULL,
    event_id TEXT NOT NULL,
    answer_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    rule TEXT NOT NULL,
    category TEXT NOT NULL,
    severity INTEGER NOT NULL,
    description TEXT NOT NULL,
    quote TEXT NOT NULL,
    confidence REAL,
    pattern TEXT NOT NULL,
    rule_version TEXT NOT NULL,
    pack_version TEXT NOT NULL,
    origin TEXT NOT NULL,
    tier TEXT NOT NULL,
    offence TEXT NOT NULL,
    environment TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    agent_version TEXT NOT NULL,
    UNIQUE (id, organization_id)
  );
  CREATE INDEX finding_of_conversation ON finding (conversation_key, at, seq);
  CREATE INDEX finding_of_rule ON finding (rule, at);
`;

// An item is what the audit trail and the findings make of it: this row can be computed anew.
const REVIEW_ITEM_TABLE = `
  CREATE TABLE review_item (
    key TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL,
    queue TEXT NOT NULL,
    origin TEXT NOT NULL,
    assignee TEXT,
    claim_expires_at INTEGER,
    opened_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    closed_at INTEGER,
    proposed_by TEXT,
    disposition TEXT,
    reason_code TEXT,
    severity INTEGER NOT NULL,
    risk_score REAL,
    tier INTEGER NOT NULL,
    version INTEGER NOT NULL,
    announced_due_at INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX review_item_to_announce ON review_item (due_at) WHERE queue <> 'closed' AND announced_due_at IS NOT due_at;
  CREATE INDEX review_item_by_rank ON review_item (queue, tier DESC, risk_score DESC, opened_at);
`;

const refuseChanges = (table: string): string => `
  CREATE TRIGGER ${table}_is_not_changed BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END;
  CREATE TRIGGER ${table}_is_not_removed BEFORE DELETE ON ${table} BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END;
`;

const DECISION_TABLES = `
  CREATE TABLE audit (
    sequence INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    role TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL,
    idempotency_key TEXT
  );
  CREATE UNIQUE INDEX audit_of_request ON audit (idempotency_key, actor) WHERE idempotency_key IS NOT NULL;
  CREATE INDEX audit_of_subject ON audit (subject, sequence);
  CREATE TABLE disposition (
    seq INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    conversation_key TEXT NOT NULL,
    finding_id TEXT NOT NULL,
    disposition TEXT NOT NULL,
    reason_code TEXT,
    comment TEXT,
    actor TEXT NOT NULL,
    role TEXT NOT NULL,
    at INTEGER NOT NULL,
    audit_sequence INTEGER NOT NULL
  );
  CREATE INDEX disposition_of_finding ON disposition (conversation_key, finding_id, seq);
  ${refuseChanges("audit")}
  ${refuseChanges("disposition")}
`;

// Traces of which a conversation's events say that they happened there; their spans may be gone.
const TRACE_LINK_TABLE = `
  CREATE TABLE conversation_trace (
    organization_id TEXT NOT NULL,
    trace_id TEXT NOT NULL,
    conversation_key TEXT NOT NULL,
    PRIMARY KEY (organization_id, trace_id, conversation_key)
  ) WITHOUT ROWID;
  CREATE INDEX trace_of_conversation ON conversation_trace (conversation_key);
`;

// Messages on their way to the receivers of webhooks: written with what they tell of, removed once they have arrived.
const WEBHOOK_TABLE = `
  CREATE TABLE webhook_message (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    url TEXT NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    next_at INTEGER NOT NULL
  );
  CREATE INDEX webhook_message_due ON webhook_message (url, next_at, seq);
`;

/** Tables of layout 7. */
export const REVIEW_TABLES = [
  FINDING_TABLE,
  REVIEW_ITEM_TABLE,
  DECISION_TABLES,
  TRACE_LINK_TABLE,
  WEBHOOK_TABLE,
].join("");

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
    last_at INTEGER NOT NULL
  );
  CREATE INDEX conversation_by_time ON conversation (last_at, seq);
  ${AGENT_TABLE}
  ${APPEARANCE_TABLE}
  ${FRAME_TABLE}
  ${TELEMETRY_TABLES}
  ${REVIEW_TABLES}
`;
