import type { Generated } from "kysely";
import { refuseChanges } from "./append-only.ts";
import { COUNT_TABLES } from "./count-tables.ts";
import { OPERATION_TABLES } from "./operation-tables.ts";
import { QUALITY_TABLES } from "./quality-tables.ts";
import { RECORD_TABLES } from "./record-tables.ts";
import { VIEW_TABLE } from "./view-tables.ts";
import { REQUEST_TABLES } from "./request-tables.ts";
import { SIGN_IN_TABLES } from "./sign-in-tables.ts";
import { TELEMETRY_ARRIVAL_TABLES } from "./telemetry-tables.ts";

// `disposition` is what was decided about it last, as the decisions have it: those who count need not look for each. `of_several` is 1
// where its answer has others: those who count answers need not put together the rest.
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
    suppressed_by TEXT NOT NULL DEFAULT '',
    confidential INTEGER NOT NULL DEFAULT 0,
    disposition TEXT,
    of_several INTEGER NOT NULL DEFAULT 0,
    UNIQUE (id, organization_id)
  );
  CREATE INDEX finding_of_conversation ON finding (conversation_key, at, seq);
  CREATE INDEX finding_of_rule ON finding (rule, at, conversation_key);
  CREATE INDEX finding_by_time
    ON finding (at, agent_id, rule, tier, disposition, suppressed_by, severity, of_several, conversation_key, answer_id);
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
  CREATE INDEX review_item_to_announce ON review_item (due_at) WHERE queue <> 'closed' AND announced_due_at IS DISTINCT FROM due_at;
  CREATE INDEX review_item_by_rank ON review_item (queue, tier DESC, risk_score DESC, opened_at);
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
    hash TEXT NOT NULL
  );
  CREATE INDEX audit_of_subject ON audit (subject, sequence, action, at);
  CREATE INDEX audit_by_time ON audit (at, action, actor, role, subject);
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
  CREATE INDEX disposition_by_time ON disposition (at, finding_id, disposition, actor);
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

// Messages on their way to receivers outside: written with what they are about, removed once they have arrived.
const OUTGOING_TABLE = `
  CREATE TABLE outgoing_message (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    url TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    next_at INTEGER NOT NULL
  );
  CREATE INDEX outgoing_message_due ON outgoing_message (kind, url, next_at, seq);
`;

/** Tables of layout 7. */
export const REVIEW_TABLES = [
  FINDING_TABLE,
  REVIEW_ITEM_TABLE,
  DECISION_TABLES,
  TRACE_LINK_TABLE,
  OUTGOING_TABLE,
  QUALITY_TABLES,
  RECORD_TABLES,
  COUNT_TABLES,
  OPERATION_TABLES,
  VIEW_TABLE,
  REQUEST_TABLES,
  SIGN_IN_TABLES,
  TELEMETRY_ARRIVAL_TABLES,
].join("");

/** Rows of these tables. */
export interface ReviewTables {
  readonly conversation_trace: {
    organization_id: string;
    trace_id: string;
    conversation_key: string;
  };
  readonly finding: {
    seq: Generated<number>;
    id: string;
    organization_id: string;
    conversation_key: string;
    event_id: string;
    answer_id: string;
    at: number;
    rule: string;
    category: string;
    severity: number;
    description: string;
    quote: string;
    confidence: number | null;
    pattern: string;
    rule_version: string;
    pack_version: string;
    origin: string;
    tier: string;
    offence: string;
    environment: string;
    agent_id: string;
    agent_version: string;
    /** Id of the suppression that holds it back; empty for none. */
    suppressed_by: string;
    /** 1 where nobody outside may learn of it. */
    confidential: number;
    /** What was decided last; `null` for nothing. */
    disposition: Generated<string | null>;
    /** 1 where its answer has other findings. */
    of_several: Generated<number>;
  };
  readonly review_item: {
    key: string;
    organization_id: string;
    queue: string;
    origin: string;
    assignee: string | null;
    claim_expires_at: number | null;
    opened_at: number;
    due_at: number;
    closed_at: number | null;
    proposed_by: string | null;
    disposition: string | null;
    reason_code: string | null;
    severity: number;
    risk_score: number | null;
    tier: number;
    version: number;
    /** The due date that was announced. */
    announced_due_at: Generated<number | null>;
  };
  readonly outgoing_message: {
    seq: Generated<number>;
    id: string;
    kind: string;
    url: string;
    body: string;
    created_at: number;
    attempts: number;
    next_at: number;
  };
  readonly disposition: {
    seq: Generated<number>;
    organization_id: string;
    conversation_key: string;
    /** Empty for the item as a whole. */
    finding_id: string;
    disposition: string;
    reason_code: string | null;
    comment: string | null;
    actor: string;
    role: string;
    at: number;
    audit_sequence: number;
  };
  readonly audit: {
    sequence: number;
    organization_id: string;
    at: number;
    actor: string;
    role: string;
    action: string;
    subject: string;
    detail: string;
    previous: string;
    hash: string;
  };
}
