import type { Generated } from "kysely";
import { refuseChanges } from "./append-only.ts";

// What has arrived, summed up as it arrives: the page of operations asks every two seconds.
export const OPERATION_TABLES = `
  CREATE TABLE intake (
    organization_id TEXT NOT NULL,
    minute INTEGER NOT NULL,
    batches INTEGER NOT NULL,
    events INTEGER NOT NULL,
    duplicates INTEGER NOT NULL,
    rejected INTEGER NOT NULL,
    PRIMARY KEY (organization_id, minute)
  ) WITHOUT ROWID;
  CREATE INDEX intake_by_minute ON intake (minute);
  CREATE TABLE rejection (
    organization_id TEXT NOT NULL,
    code TEXT NOT NULL,
    member TEXT NOT NULL,
    count INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    pointer TEXT NOT NULL,
    detail TEXT NOT NULL,
    batch_id TEXT NOT NULL,
    PRIMARY KEY (organization_id, code, member)
  ) WITHOUT ROWID;
  CREATE TABLE loss (
    seq INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    writer_id TEXT NOT NULL,
    reason TEXT NOT NULL,
    count INTEGER NOT NULL,
    batch_id TEXT NOT NULL,
    received_at INTEGER NOT NULL
  );
  CREATE INDEX loss_by_reason ON loss (reason, received_at, count);
  CREATE TABLE writer (
    organization_id TEXT NOT NULL,
    writer_id TEXT NOT NULL,
    batches INTEGER NOT NULL,
    events INTEGER NOT NULL,
    given_up INTEGER NOT NULL,
    last_sequence INTEGER NOT NULL,
    last_event INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (organization_id, writer_id)
  ) WITHOUT ROWID;
  CREATE INDEX writer_by_time ON writer (last_at);
  CREATE INDEX finding_by_version ON finding (rule, rule_version, pack_version, at);
  CREATE INDEX review_item_by_due ON review_item (queue, due_at, assignee, claim_expires_at);
  CREATE INDEX disposition_of_item ON disposition (finding_id, disposition);
  ${refuseChanges("loss")}
`;

/** Rows of these tables. */
export interface OperationTables {
  readonly intake: {
    organization_id: string;
    /** Minutes since the Unix epoch. */
    minute: number;
    batches: number;
    events: number;
    duplicates: number;
    rejected: number;
  };
  readonly rejection: {
    organization_id: string;
    code: string;
    /** The member of the event that was refused; its first two levels. */
    member: string;
    count: number;
    first_at: number;
    last_at: number;
    pointer: string;
    detail: string;
    batch_id: string;
  };
  readonly loss: {
    seq: Generated<number>;
    organization_id: string;
    /** Empty where the batch names none. */
    writer_id: string;
    reason: string;
    count: number;
    batch_id: string;
    received_at: number;
  };
  readonly writer: {
    organization_id: string;
    writer_id: string;
    batches: number;
    events: number;
    /** Events that it, or another one, has reported as dropped, and that had a sequence. */
    given_up: number;
    last_sequence: number;
    last_event: number;
    first_at: number;
    last_at: number;
  };
}
