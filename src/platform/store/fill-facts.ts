import type { BaseEvent } from "../../events/base-event.ts";
import { addAppearance, mergeAppearances, readFacts, type Appearances } from "./appearances.ts";
import type { SqlDatabase } from "./sql-database.ts";

/** Counts of the events that a database had before it kept their facts. */
export interface FactCounts {
  readonly events: number;
  /** Events without the version of their agent. */
  readonly withoutVersion: number;
}

interface RawEvent {
  readonly seq: number;
  readonly key: string;
  readonly timestamp: number;
  readonly json: string;
}

const CHUNK = 1000;

const READ = `
  SELECT seq, conversation_key AS key, timestamp, json FROM event JOIN body USING (seq)
  WHERE seq > ? ORDER BY seq LIMIT ${CHUNK}`;

const WRITE = "UPDATE event SET environment = ?, agent_version = ? WHERE seq = ?";

/**
 * Fills the newer columns and the appearances from the stored events.
 *
 * With `JSON.parse`, as on arrival: SQLite's own parser fails at a depth that an event may have.
 */
export function fillFacts(database: SqlDatabase): FactCounts {
  let [events, withoutVersion, after] = [0, 0, 0];
  for (;;) {
    const rows = database.all<RawEvent>(READ, after);
    const appearances: Appearances = new Map();
    for (const { seq, key, timestamp, json } of rows) {
      const facts = readFacts(JSON.parse(json) as Partial<BaseEvent>);
      database.run(WRITE, facts.environment, facts.agentVersion, seq);
      addAppearance(appearances, key, facts, timestamp);
      events++;
      if (facts.agentVersion === "") withoutVersion++;
      after = seq;
    }
    mergeAppearances(database, appearances);
    if (rows.length < CHUNK) return { events, withoutVersion };
  }
}
