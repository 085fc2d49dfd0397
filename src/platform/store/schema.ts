import { countNoun } from "../../util/count-noun.ts";
import { type FactCounts, fillFacts } from "./appearances.ts";
import { fillReview } from "./fill-review.ts";
import type { ReviewSettings } from "./review-desk.ts";
import { type SqlDatabase, inTransaction } from "./sql-database.ts";

/** The schema version that this code reads and writes. */
export const SCHEMA_VERSION = 7;

// Bytes of a batch outside of its events' rows: with these it can be exported byte for byte.
const FRAME_TABLE =
  "CREATE TABLE frame (seq INTEGER PRIMARY KEY, bytes BLOB NOT NULL, runs TEXT NOT NULL);";

// The newest OpenTelemetry data. `end_offset` counts the bytes of all rows so far, so that the oldest rows over
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

// Agent, version and environment of a conversation's events, each combination once. An empty text is a missing
// value. A conversation may be handled by two versions, and by a version that came back.
const APPEARANCE_TABLE = `
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
const BODY_COLUMN = "body_seq INTEGER";

// Name in the profile of its agent's version when the event arrived; empty where none was registered then.
const NAME_COLUMN = "agent_name TEXT NOT NULL DEFAULT ''";

// Every registered profile, including successive ones of one version.
const AGENT_TABLE = `
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
    version INTEGER NOT NULL
  ) WITHOUT ROWID;
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

const REVIEW_TABLES = FINDING_TABLE + REVIEW_ITEM_TABLE + DECISION_TABLES;

const FACT_INDEX = "CREATE INDEX event_of_environment ON event (environment, seq);";

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

const FACT_COLUMNS = `
  ALTER TABLE event ADD COLUMN environment TEXT NOT NULL DEFAULT '';
  ALTER TABLE event ADD COLUMN agent_version TEXT NOT NULL DEFAULT '';
  ${APPEARANCE_TABLE}
`;

const copyTable = (table: string, columns: string, create: string): string => `
  ALTER TABLE ${table} RENAME TO former_${table};
  ${create}
  INSERT INTO ${table} (${columns}) SELECT ${columns} FROM former_${table};
  DROP TABLE former_${table};
`;

const APPEARANCE_COLUMNS = `conversation_key, environment, agent_version, agent_category, agent_specialty, agent_name,
  event_count, first_at, last_at`;

/** Adds names as of arrival; those of older events are not known. */
const NAMES = `
  ALTER TABLE event ADD COLUMN ${NAME_COLUMN};
  ${copyTable("agent", "revision, organization_id, agent_id, version, name, json, updated_at", AGENT_TABLE)}
`;

function addNames(database: SqlDatabase): undefined {
  const columns = database.all<{ name: string }>(
    "SELECT name FROM pragma_table_info('appearance')",
  );
  // A layout before appearances has just created the table in its current form.
  if (columns.every(({ name }) => name !== "agent_name"))
    database.exec(`
      ALTER TABLE appearance ADD COLUMN ${NAME_COLUMN};
      ${copyTable("appearance", APPEARANCE_COLUMNS, APPEARANCE_TABLE)}
    `);
  database.exec(NAMES);
  return undefined;
}

type Step = (database: SqlDatabase, review: ReviewSettings) => FactCounts | undefined;

const execute =
  (sql: string): Step =>
  (database) => {
    database.exec(sql);
    return undefined;
  };

/** Steps from each layout to the next. Batches received before layout 2 have no frame and can't be exported. */
const MIGRATIONS: ReadonlyMap<number, Step> = new Map([
  [1, execute(FRAME_TABLE)],
  [2, execute(TELEMETRY_TABLES)],
  [
    3,
    (database) => {
      database.exec(FACT_COLUMNS);
      const counts = fillFacts(database);
      // Created at once over existing rows, the index is smaller and faster to build.
      database.exec(FACT_INDEX);
      return counts;
    },
  ],
  [4, execute(`ALTER TABLE event ADD COLUMN ${BODY_COLUMN};`)],
  [5, addNames],
  [
    6,
    (database, review) => {
      database.exec(REVIEW_TABLES);
      fillReview(database, review);
      return undefined;
    },
  ],
]);

/** Result of migrating an older database. */
export interface Migration {
  readonly from: number;
  readonly to: number;
  /** Facts read from the existing events; absent when none had to be read. */
  readonly facts: FactCounts | undefined;
}

// One transaction: a process that dies in the middle leaves the old layout, and the next one starts anew.
function migrate(database: SqlDatabase, from: number, review: ReviewSettings): Migration {
  return inTransaction(database, () => {
    let facts: FactCounts | undefined;
    for (let version = from; version < SCHEMA_VERSION; version++) {
      const step = MIGRATIONS.get(version);
      if (!step) throw new Error(`platform: the database has layout ${from}, which is not known`);
      facts = step(database, review) ?? facts;
    }
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    return { from, to: SCHEMA_VERSION, facts };
  });
}

/**
 * Creates the tables of a new database, or migrates an older one; refuses any other.
 *
 * @returns The migration of an older one; `undefined` when it was new or up to date.
 */
export function prepareSchema(
  database: SqlDatabase,
  review: ReviewSettings,
): Migration | undefined {
  const version =
    database.all<{ user_version: number }>("PRAGMA user_version")[0]?.user_version ?? 0;
  if (version === SCHEMA_VERSION) return undefined;
  if (version > SCHEMA_VERSION) {
    throw new Error(
      `platform: the database has layout ${version}, expected ${SCHEMA_VERSION} at most: use another file`,
    );
  }
  if (version !== 0) return migrate(database, version, review);
  const tables = database.all("SELECT name FROM sqlite_schema LIMIT 1");
  if (tables.length > 0) throw new Error("platform: the file is a database of another program");
  database.exec(`BEGIN; ${SCHEMA} PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT;`);
  return undefined;
}

/** The first layout from which batches can be exported as received. */
const FRAME_LAYOUT = 2;

/** Describes a migration: what was kept, and what is lost. */
export function describeMigration({ from, to, facts }: Migration): string {
  const parts = [`database: brought from layout ${from} to ${to}, everything in it is kept`];
  if (facts && facts.events > 0)
    parts.push(`the environment of ${countNoun(facts.events, "event")} was read out of them`);
  if (facts && facts.withoutVersion > 0)
    parts.push(
      `${countNoun(facts.withoutVersion, "event does", "events do")} not say which version of the agent wrote ` +
        `${facts.withoutVersion === 1 ? "it" : "them"}: it is shown as unknown`,
    );
  if (from < FRAME_LAYOUT)
    parts.push("the batches that it had can't be exported as they were received");
  return parts.join("; ");
}
