import type { DetailedEvent } from "../../events/detailed-event.ts";
import type { Steps } from "../turns.ts";
import { addAppearance, mergeAppearances, readFacts, type Appearances } from "./appearances.ts";
import { EVENT_WITH_BODY } from "./event-store.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { addToSummary, type ConversationSummary } from "./summary.ts";

interface Row {
  readonly seq: number;
  readonly agentName: string;
  readonly json: string;
}

const CHUNK = 100;

const READ = `
  SELECT event.seq, agent_name AS agentName, body.json ${EVENT_WITH_BODY}
  WHERE conversation_key = ? AND event.seq > ? ORDER BY event.seq LIMIT ${CHUNK}`;

const WRITE = `
  UPDATE conversation SET title = ?, title_at = ?, event_count = ?, finding_count = ?, max_severity = ?,
    max_risk_score = ?, requires_review = ?, started_at = ?, last_at = ?
  WHERE key = ?`;

/**
 * Works out anew what is said of a conversation, of the events that it has: what a copy that was replaced had added
 * can't be taken out again.
 *
 * @param summary - Of the conversation, without events.
 */
export function* summariseAgain(database: SqlDatabase, summary: ConversationSummary): Steps<void> {
  const { key } = summary;
  const appearances: Appearances = new Map();
  let after = 0;
  let isFirst = true;
  for (;;) {
    const rows = database.all<Row>(READ, key, after);
    for (const { seq, agentName, json } of rows) {
      yield;
      const event = JSON.parse(json) as DetailedEvent;
      if (isFirst) summary.startedAt = summary.lastAt = event.timestamp;
      isFirst = false;
      addToSummary(summary, event);
      addAppearance(appearances, key, readFacts(event, agentName), event.timestamp);
      after = seq;
    }
    if (rows.length < CHUNK) break;
  }
  const { title, titleAt, eventCount, findingCount, maxSeverity, maxRiskScore } = summary;
  const found = [findingCount, maxSeverity, maxRiskScore, summary.requiresReview ? 1 : 0] as const;
  const times = [summary.startedAt, summary.lastAt] as const;
  database.run(WRITE, title, titleAt, eventCount, ...found, ...times, key);
  database.run("DELETE FROM appearance WHERE conversation_key = ?", key);
  mergeAppearances(database, appearances);
}
