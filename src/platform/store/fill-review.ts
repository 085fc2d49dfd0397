import type { DetailedEvent } from "../../events/detailed-event.ts";
import { readFacts } from "./appearances.ts";
import { putFindings } from "./finding-store.ts";
import { noteArrival, type ReviewSettings } from "./review-desk.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { addToSummary, createSummary } from "./summary.ts";
import { linkTrace } from "./trace-links.ts";

const CHUNK = 1000;

// As the layout before had it.
const READ = `
  SELECT event.seq, organization_id AS organizationId, conversation_key AS key, received_at AS receivedAt,
    agent_name AS agentName, body.json
  FROM event JOIN body ON body.seq = coalesce(event.body_seq, event.seq)
  WHERE event.seq > ? AND type IN ('agent_response', 'compliance_violation') ORDER BY event.seq LIMIT ${CHUNK}`;

const READ_RISK = "SELECT max_risk_score AS riskScore FROM conversation WHERE key = ?";

interface Row {
  readonly seq: number;
  readonly organizationId: string;
  readonly key: string;
  readonly receivedAt: number;
  readonly agentName: string;
  readonly json: string;
}

function fillEvent(database: SqlDatabase, row: Row, review: ReviewSettings): void {
  const { organizationId, key, receivedAt: now, agentName, json } = row;
  const event = JSON.parse(json) as DetailedEvent;
  const summary = createSummary(key, organizationId, event);
  addToSummary(summary, event);
  const facts = readFacts(event, agentName);
  const { origin } = putFindings(database, { organizationId, key, event, facts });
  linkTrace(database, { organizationId, key, event });
  const { requiresReview } = summary;
  if (origin === undefined && !requiresReview) return;
  const riskScore =
    database.all<{ riskScore: number | null }>(READ_RISK, key)[0]?.riskScore ?? null;
  const arrival = { key, organizationId, origin: origin ?? "rule", requiresReview, riskScore, now };
  noteArrival(database, arrival, review);
}

/** Reads the findings out of the events that are there, and puts their conversations into the queue. */
export function fillReview(database: SqlDatabase, review: ReviewSettings): void {
  for (let after = 0; ;) {
    const rows = database.all<Row>(READ, after);
    for (const row of rows) fillEvent(database, row, review);
    if (rows.length < CHUNK) return;
    after = rows.at(-1)?.seq ?? after;
  }
}
