const TABLES_OF_7 = [
  "finding",
  "review_item",
  "audit",
  "disposition",
  "conversation_trace",
  "webhook_message",
  "answer_count",
  "sampled_answer",
  "suppression",
];

/** Takes away what layout 7 has brought. */
export const DROP_LAYOUT_7 = TABLES_OF_7.map((table) => `DROP TABLE ${table};`).join("\n");
