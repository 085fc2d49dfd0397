import type { DetailedEvent } from "../../events/detailed-event.ts";
import { readFacts } from "./appearances.ts";
import {
  addFacts,
  collectFacts,
  type ConversationFacts,
  createFacts,
  type NewFacts,
  putFacts,
} from "./fact-store.ts";
import { indexMessage } from "./message-index.ts";
import type { SqliteDatabase } from "./sql-database.ts";
import { findStoredConversations } from "./stored-conversations.ts";
import type { Steps } from "../turns.ts";

const CHUNK = 500;

// As the layout before had it.
const READ = `
  SELECT event.seq, conversation_key AS key, agent_name AS agentName, body.json
  FROM event JOIN body ON body.seq = coalesce(event.body_seq, event.seq)
  WHERE event.seq > ? ORDER BY event.seq LIMIT ${CHUNK}`;

interface Row {
  readonly seq: number;
  readonly key: string;
  readonly agentName: string;
  readonly json: string;
}

/** Fills the index of messages and the facts from the events that are there, some at a time. */
export function* fillFind(database: SqliteDatabase): Steps<void> {
  for (let after = 0; ;) {
    const rows = database.all<Row>(READ, [after]);
    const facts = new Map<string, ConversationFacts>();
    for (const { seq, key, agentName, json } of rows) {
      const event = JSON.parse(json) as DetailedEvent;
      yield* indexMessage(database, { seq, event });
      const known = facts.get(key) ?? createFacts();
      facts.set(key, known);
      addFacts(known, event, readFacts(event, agentName));
    }
    const stored = yield* findStoredConversations(database, facts.keys());
    const added: NewFacts = { rows: [], lines: [] };
    for (const [key, found] of facts) {
      const former = stored.get(key)?.facts ?? "";
      yield* collectFacts(database, added, { key, facts: found }, { former, hasFindings: true });
    }
    yield* putFacts(database, added);
    if (rows.length < CHUNK) return;
    after = rows.at(-1)?.seq ?? after;
  }
}
