import type { CountTables } from "./count-tables.ts";
import type { FindTables } from "./find-tables.ts";
import type { OperationTables } from "./operation-tables.ts";
import type { QualityTables } from "./quality-tables.ts";
import type { RecordTables } from "./record-tables.ts";
import type { RequestTables } from "./request-tables.ts";
import type { ReviewTables } from "./review-tables.ts";
import type { SignInTables } from "./sign-in-tables.ts";
import type { TelemetryArrivalTables } from "./telemetry-tables.ts";
import type { ViewTables } from "./view-tables.ts";
import type { Generated } from "kysely";

/** Rows of each table, by the names of its columns; `schema.ts` creates them. Numbers that stand for yes or no are 1 and 0. */
export interface Tables
  extends
    CountTables,
    FindTables,
    OperationTables,
    QualityTables,
    RecordTables,
    RequestTables,
    ReviewTables,
    SignInTables,
    TelemetryArrivalTables,
    ViewTables {
  readonly batch: {
    seq: Generated<number>;
    organization_id: string;
    batch_id: string;
    content_hash: string;
    received_at: number;
    created_at: number;
    event_count: number;
    total_size: number;
    wire_bytes: number;
    encoding: string;
    accepted: number;
    duplicates: number;
    rejected: number;
    rejections: string;
    redeliveries: Generated<number>;
  };
  readonly event: {
    seq: number;
    organization_id: string;
    event_id: string;
    conversation_key: string;
    timestamp: number;
    type: string;
    batch_id: string;
    received_at: number;
    environment: string;
    agent_version: string;
    agent_name: string;
    body_seq: number | null;
  };
  readonly body: { seq: number; json: string };
  readonly frame: { seq: number; bytes: Uint8Array; runs: string };
  readonly conversation: {
    seq: Generated<number>;
    key: string;
    organization_id: string;
    agent_id: string;
    conversation_id: string;
    title: string | null;
    title_at: number | null;
    event_count: number;
    finding_count: number;
    max_severity: number;
    max_risk_score: number | null;
    requires_review: number;
    started_at: number;
    last_at: number;
    facts: Generated<string>;
  };
  readonly appearance: {
    conversation_key: string;
    environment: string;
    agent_version: string;
    agent_category: string;
    agent_specialty: string;
    agent_name: string;
    event_count: number;
    first_at: number;
    last_at: number;
  };
  readonly agent: {
    revision: number;
    organization_id: string;
    agent_id: string;
    version: string;
    name: string;
    json: string;
    updated_at: number;
  };
  readonly span: {
    seq: number;
    organization_id: string;
    trace_id: string;
    span_id: string;
    parent_span_id: string | null;
    name: string;
    service: string;
    scope: string;
    start_micros: number;
    end_micros: number;
    status: number;
    received_at: number;
    end_offset: number;
    json: string;
  };
  readonly trace: {
    organization_id: string;
    trace_id: string;
    name: string;
    service: string;
    has_root: number;
    span_count: number;
    error_count: number;
    start_micros: number;
    end_micros: number;
    last_seq: number;
  };
  readonly log_record: {
    seq: number;
    organization_id: string;
    digest: string;
    trace_id: string | null;
    time_micros: number;
    received_at: number;
    end_offset: number;
    json: string;
  };
}
