import { refuseChanges } from "./append-only.ts";

// Answers by agent, UTC day (its first millisecond) and sampling, so that the size of what was sampled outlasts the events. Those in
// which something was found after they were counted are counted in `flagged_later`.
const SAMPLE_TABLES = `
  CREATE TABLE answer_count (
    day INTEGER NOT NULL,
    organization_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    seed TEXT NOT NULL,
    rate REAL NOT NULL,
    answers INTEGER NOT NULL,
    flagged INTEGER NOT NULL,
    flagged_later INTEGER NOT NULL,
    sampled INTEGER NOT NULL,
    PRIMARY KEY (day, organization_id, agent_id, seed, rate)
  ) WITHOUT ROWID;
  CREATE TABLE sampled_answer (
    id TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    conversation_key TEXT NOT NULL,
    event_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    sampled_at INTEGER NOT NULL,
    seed TEXT NOT NULL,
    rate REAL NOT NULL,
    UNIQUE (id, organization_id)
  );
  CREATE INDEX sampled_answer_of_conversation ON sampled_answer (conversation_key, at);
  CREATE INDEX sampled_answer_by_time ON sampled_answer (at);
  ${refuseChanges("sampled_answer")}
`;

const SUPPRESSION_TABLE = `
  CREATE TABLE suppression (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL,
    rule TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    phrase TEXT NOT NULL,
    reason TEXT NOT NULL,
    conversation_key TEXT NOT NULL,
    finding_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    until INTEGER NOT NULL,
    revoked_at INTEGER,
    revoked_by TEXT,
    held_back INTEGER NOT NULL,
    last_held_back_at INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX suppression_of_rule ON suppression (organization_id, rule, until);
`;

/** Tables of the sample and of suppressions. */
export const QUALITY_TABLES = SAMPLE_TABLES + SUPPRESSION_TABLE;

/** Rows of these tables. */
export interface QualityTables {
  readonly answer_count: {
    day: number;
    organization_id: string;
    agent_id: string;
    seed: string;
    rate: number;
    answers: number;
    flagged: number;
    flagged_later: number;
    sampled: number;
  };
  readonly sampled_answer: {
    id: string;
    organization_id: string;
    conversation_key: string;
    event_id: string;
    agent_id: string;
    at: number;
    sampled_at: number;
    seed: string;
    rate: number;
  };
  readonly suppression: {
    id: string;
    organization_id: string;
    rule: string;
    /** Empty for every agent. */
    agent_id: string;
    phrase: string;
    reason: string;
    conversation_key: string;
    finding_id: string;
    created_at: number;
    created_by: string;
    until: number;
    revoked_at: number | null;
    revoked_by: string | null;
    held_back: number;
    last_held_back_at: number | null;
  };
}
