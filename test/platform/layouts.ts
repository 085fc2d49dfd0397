const TABLES_OF_7 = [
  "finding",
  "review_item",
  "audit",
  "disposition",
  "conversation_trace",
  "outgoing_message",
  "answer_count",
  "sampled_answer",
  "suppression",
  "fact",
  "pseudonym_key",
  "message",
  "activity",
  "finding_count",
  "decision_count",
  "intake",
  "rejection",
  "loss",
  "writer",
  "event_copy",
  "hold",
  "hold_release",
  "saved_view",
  "answered_request",
  "session",
  "pending_sign_in",
  "telemetry_arrival",
  "telemetry_position",
];
const INDEXES_OF_7 = ["by_start", "by_risk", "of_agent", "with_finding", "to_review"].map(
  (name) => `conversation_${name}`,
);

/** Takes away what layout 7 has brought. */
export const DROP_LAYOUT_7 = [
  ...TABLES_OF_7.map((table) => `DROP TABLE ${table};`),
  ...INDEXES_OF_7.map((index) => `DROP INDEX ${index};`),
  // Older layouts drop the table, and the index with it.
  "DROP INDEX IF EXISTS appearance_of_version;",
  "ALTER TABLE conversation DROP COLUMN facts;",
].join("\n");
