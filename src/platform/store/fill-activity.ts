import type { DetailedEvent } from "../../events/detailed-event.ts";
import {
  type Activity,
  addActivity,
  addConversation,
  readBeginnings,
  saveActivity,
} from "./activity.ts";
import { readFacts } from "./appearances.ts";
import type { SqliteDatabase } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

const CHUNK = 1000;

// As the layout before had them.
const READ_EVENTS = `
  SELECT event.seq, organization_id AS organizationId, body.json
  FROM event JOIN body ON body.seq = coalesce(event.body_seq, event.seq)
  WHERE event.seq > ? ORDER BY event.seq LIMIT ${CHUNK}`;

const READ_CONVERSATIONS = `
  SELECT seq, key, organization_id AS organizationId, agent_id AS agentId
  FROM conversation WHERE seq > ? ORDER BY seq LIMIT ${CHUNK}`;

interface EventRow {
  readonly seq: number;
  readonly organizationId: string;
  readonly json: string;
}

interface ConversationRow {
  readonly seq: number;
  readonly key: string;
  readonly organizationId: string;
  readonly agentId: string;
}

/** Yields the rows of a query in chunks. */
function* readChunks<Row extends { readonly seq: number }>(
  database: SqliteDatabase,
  query: string,
): Generator<readonly Row[], void> {
  for (let after = 0; ;) {
    const rows = database.all<Row>(query, [after]);
    yield rows;
    if (rows.length < CHUNK) return;
    after = rows.at(-1)?.seq ?? after;
  }
}

/** Counts the events and conversations that are there. */
export function* fillActivity(database: SqliteDatabase): Steps<void> {
  for (const rows of readChunks<EventRow>(database, READ_EVENTS)) {
    const activity: Activity = new Map();
    for (const { organizationId, json } of rows) {
      const event = JSON.parse(json) as DetailedEvent;
      addActivity(activity, organizationId, event, readFacts(event));
    }
    yield* saveActivity(database, activity);
  }
  for (const rows of readChunks<ConversationRow>(database, READ_CONVERSATIONS)) {
    const activity: Activity = new Map();
    const beginnings = yield* readBeginnings(
      database,
      rows.map(({ key }) => key),
    );
    for (const row of rows) addConversation(activity, row, beginnings.get(row.key));
    yield* saveActivity(database, activity);
  }
}
