import type { DetailedEvent } from "../../events/detailed-event.ts";
import { readFacts } from "./appearances.ts";
import { createArrivals } from "./arrivals.ts";
import { noteArrival, type ReviewSettings } from "./review-desk.ts";
import type { SqliteDatabase } from "./sql-database.ts";
import { linkTrace } from "./trace-links.ts";
import type { Steps } from "../turns.ts";

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

function* fillEvents(
  database: SqliteDatabase,
  rows: readonly Row[],
  review: ReviewSettings,
): Steps<void> {
  // What came before there was a sample is in none, and is announced to nobody.
  const announcing = { webhooks: [], publicUrl: "" };
  const arrivals = createArrivals(database, { sampling: {}, announcing, hadFindings: () => true });
  const first = new Map<string, Row>();
  for (const row of rows) {
    const { organizationId, key, receivedAt, agentName, json } = row;
    if (!first.has(key)) first.set(key, row);
    const event = JSON.parse(json) as DetailedEvent;
    const facts = readFacts(event, agentName);
    yield* arrivals.note({ organizationId, key, event, facts, receivedAt }, true);
    yield* linkTrace(database, { organizationId, key, event });
  }
  for (const [key, note] of yield* arrivals.finish()) {
    const { organizationId = "", receivedAt: now = 0 } = first.get(key) ?? {};
    const [risk] = database.all<{ riskScore: number | null }>(READ_RISK, [key]);
    const riskScore = risk?.riskScore ?? null;
    yield* noteArrival(database, { key, organizationId, riskScore, ...note, now }, review);
  }
}

/** Reads the findings out of the events that are there, and puts their conversations into the queue. */
export function* fillReview(database: SqliteDatabase, review: ReviewSettings): Steps<void> {
  for (let after = 0; ;) {
    const rows = database.all<Row>(READ, [after]);
    yield* fillEvents(database, rows, review);
    if (rows.length < CHUNK) return;
    after = rows.at(-1)?.seq ?? after;
  }
}
