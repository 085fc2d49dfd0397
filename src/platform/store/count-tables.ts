import { LATENCY_CLASSES } from "../insight/latencies.ts";

// Sums of what has arrived, by the hour and by the day (`width`): what is purged later has been counted all the same.
// Amounts are whole numbers in REAL columns: no sum of absurd ones is more than a column can hold.
export const COUNT_TABLES = `
  CREATE TABLE activity (
    width INTEGER NOT NULL,
    at INTEGER NOT NULL,
    organization_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    agent_version TEXT NOT NULL,
    environment TEXT NOT NULL,
    answers INTEGER NOT NULL,
    alarms INTEGER NOT NULL,
    requires_review INTEGER NOT NULL,
    input_tokens REAL NOT NULL,
    output_tokens REAL NOT NULL,
    cost_nanos REAL NOT NULL,
    costed INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    tool_calls INTEGER NOT NULL,
    tool_results INTEGER NOT NULL,
    failed_calls INTEGER NOT NULL,
    conversations INTEGER NOT NULL,
    ${Array.from({ length: LATENCY_CLASSES }, (_, index) => `latency_${index} INTEGER NOT NULL,`).join("\n    ")}
    PRIMARY KEY (width, at, agent_id, agent_version, environment, organization_id)
  ) WITHOUT ROWID;
  CREATE TABLE finding_count (
    width INTEGER NOT NULL,
    at INTEGER NOT NULL,
    organization_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    agent_version TEXT NOT NULL,
    environment TEXT NOT NULL,
    rule TEXT NOT NULL,
    category TEXT NOT NULL,
    severity INTEGER NOT NULL,
    findings INTEGER NOT NULL,
    PRIMARY KEY (width, at, agent_id, agent_version, environment, rule, category, severity, organization_id)
  ) WITHOUT ROWID;
  CREATE TABLE decision_count (
    width INTEGER NOT NULL,
    at INTEGER NOT NULL,
    organization_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    agent_version TEXT NOT NULL,
    environment TEXT NOT NULL,
    rule TEXT NOT NULL,
    disposition TEXT NOT NULL,
    findings INTEGER NOT NULL,
    PRIMARY KEY (width, at, agent_id, agent_version, environment, rule, disposition, organization_id)
  ) WITHOUT ROWID;
`;

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
/** Column of a class of latencies, as many as `LATENCY_CLASSES`. */
export type LatencyColumn = `latency_${Digit | `1${Digit}` | 20 | 21 | 22 | 23}`;

/** Rows of these tables. */
export interface CountTables {
  /** Sums by the hour and by the day; amounts are whole, so that sums are exact. */
  readonly activity: {
    /** Of the bucket, ms. */
    width: number;
    /** Start of the bucket, ms since the Unix epoch. */
    at: number;
    organization_id: string;
    agent_id: string;
    agent_version: string;
    environment: string;
    answers: number;
    alarms: number;
    requires_review: number;
    input_tokens: number;
    output_tokens: number;
    cost_nanos: number;
    costed: number;
    errors: number;
    tool_calls: number;
    tool_results: number;
    failed_calls: number;
    conversations: number;
  } & Record<LatencyColumn, number>;
  readonly finding_count: {
    width: number;
    at: number;
    organization_id: string;
    agent_id: string;
    agent_version: string;
    environment: string;
    rule: string;
    category: string;
    severity: number;
    findings: number;
  };
  /** Findings by the last decision about each, at the time of that. */
  readonly decision_count: {
    width: number;
    at: number;
    organization_id: string;
    agent_id: string;
    agent_version: string;
    environment: string;
    rule: string;
    disposition: string;
    findings: number;
  };
}
