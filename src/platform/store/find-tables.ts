import type { Generated } from "kysely";

/** Facts of a conversation as lines, for counting them. */
export const FACTS_COLUMN = "facts TEXT NOT NULL DEFAULT ''";

// By the value first: who looks for a value finds its conversations side by side. Environment and version are those of the
// same event.
const FACT_TABLE = `
  CREATE TABLE fact (
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    conversation_key TEXT NOT NULL,
    environment TEXT NOT NULL,
    agent_version TEXT NOT NULL,
    PRIMARY KEY (kind, value, conversation_key, environment, agent_version)
  ) WITHOUT ROWID;
`;

// The key that the pseudonyms among the facts are of, by its fingerprint.
const PSEUDONYM_KEY_TABLE =
  "CREATE TABLE pseudonym_key (fingerprint TEXT PRIMARY KEY) WITHOUT ROWID;";

// Words of messages, by the row of the event. It has no texts: those lie in the bodies. Words are merged in larger
// portions than by default, which costs memory and saves a tenth of the time.
const MESSAGE_INDEX = `
  CREATE VIRTUAL TABLE message USING fts5 (text, content='', contentless_delete=1);
  INSERT INTO message (message, rank) VALUES ('hashsize', 4194304);
`;

/** What finding conversations needs beside their rows; the indexes come once the rows are there. */
export const FIND_TABLES = FACT_TABLE + PSEUDONYM_KEY_TABLE + MESSAGE_INDEX;

/** Orders and filters of conversations; those that few conversations have are indexed for these alone. */
export const FIND_INDEXES = `
  CREATE INDEX conversation_by_start ON conversation (started_at, seq);
  CREATE INDEX conversation_by_risk ON conversation (coalesce(max_risk_score, -1), last_at, seq);
  CREATE INDEX conversation_of_agent ON conversation (agent_id, last_at, started_at, key);
  CREATE INDEX conversation_with_finding ON conversation (max_severity, key) WHERE max_severity > 0;
  CREATE INDEX conversation_to_review ON conversation (requires_review, key) WHERE requires_review = 1;
  CREATE INDEX appearance_of_version ON appearance (agent_version, environment, conversation_key);
  CREATE INDEX finding_of_category ON finding (category, rule, conversation_key);
`;

/** Rows of these tables. */
export interface FindTables {
  readonly fact: {
    kind: string;
    value: string;
    conversation_key: string;
    environment: string;
    agent_version: string;
  };
  readonly pseudonym_key: { fingerprint: string };
  readonly message: {
    rowid: Generated<number>;
    text: Generated<string>;
    /** A command to the index itself, and its operand. */
    message: Generated<string>;
    rank: Generated<number>;
  };
}
