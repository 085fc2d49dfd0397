import type { Generated } from "kysely";

/** Rows of each table, by the names of its columns; `schema.ts` creates them. Numbers that stand for yes or no are 1 and 0. */
export interface Tables {
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
  readonly fact: {
    kind: string;
    value: string;
    conversation_key: string;
    environment: string;
    agent_version: string;
  };
  readonly message: { rowid: number; text: string };
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
  readonly conversation_trace: {
    organization_id: string;
    trace_id: string;
    conversation_key: string;
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
  readonly webhook_message: {
    seq: Generated<number>;
    id: string;
    url: string;
    type: string;
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
    idempotency_key: string | null;
  };
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
