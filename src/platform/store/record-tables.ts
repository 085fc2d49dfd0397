import { refuseChanges } from "./append-only.ts";

// Batches with a copy of a conversation's event beside the one that the event's row names: a purge has to find them.
const COPY_TABLE = `
  CREATE TABLE event_copy (
    conversation_key TEXT NOT NULL,
    batch_id TEXT NOT NULL,
    PRIMARY KEY (conversation_key, batch_id)
  ) WITHOUT ROWID;
`;

// A hold is numbered by the record that says who placed it.
const HOLD_TABLES = `
  CREATE TABLE hold (
    id INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    matter TEXT NOT NULL,
    selector TEXT NOT NULL,
    reason TEXT NOT NULL,
    actor TEXT NOT NULL,
    role TEXT NOT NULL,
    at INTEGER NOT NULL
  );
  CREATE TABLE hold_release (
    hold_id INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    reason TEXT NOT NULL,
    actor TEXT NOT NULL,
    role TEXT NOT NULL,
    at INTEGER NOT NULL,
    audit_sequence INTEGER NOT NULL
  );
  ${refuseChanges("hold")}
  ${refuseChanges("hold_release")}
`;

/** Tables of what is kept, and how long. */
export const RECORD_TABLES = COPY_TABLE + HOLD_TABLES;

/** Rows of these tables. */
export interface RecordTables {
  /** Batches with a copy of a conversation's event beside the one that the event's row names. */
  readonly event_copy: { conversation_key: string; batch_id: string };
  /** Append-only; one that is released has a row in `hold_release`. */
  readonly hold: {
    /** Sequence of the audit record that says who placed it. */
    id: number;
    organization_id: string;
    matter: string;
    selector: string;
    reason: string;
    actor: string;
    role: string;
    at: number;
  };
  readonly hold_release: {
    hold_id: number;
    organization_id: string;
    reason: string;
    actor: string;
    role: string;
    at: number;
    audit_sequence: number;
  };
}
