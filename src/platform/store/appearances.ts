import { type Expression, sql } from "kysely";
import type { BaseEvent } from "../../events/base-event.ts";
import { cutString } from "../../util/cut-string.ts";
import { changeAll } from "./change-all.ts";
import { createStatement, db, greatest, least, textsOf } from "./query.ts";
import type { SqlDatabase, Transaction, SqliteDatabase } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** Columns of a fact each; the name is that in the profile of the agent's version on arrival. */
const FACTS = [
  "environment",
  "agentVersion",
  "agentCategory",
  "agentSpecialty",
  "agentName",
] as const;

/** An event's agent, version and environment; an empty text for a missing value. */
export type Facts = Readonly<Record<(typeof FACTS)[number], string>>;

const MAX_FACT_LENGTH = 256;

// SQLite would end a text at NUL, and no version contains one on purpose.
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
const CONTROLS = /[\u0000-\u001f\u007f]+/g;
// oxlint-disable-next-line no-control-regex -- the same
const HAS_CONTROLS = /[\u0000-\u001f\u007f]/;

/** Returns a value as a fact. An event of an earlier version may have any value under a name that meant nothing then. */
export function toFact(value: unknown): string {
  if (typeof value !== "string") return "";
  // As nearly every one is, and there are several in each event.
  if (value.length <= MAX_FACT_LENGTH && !HAS_CONTROLS.test(value)) return value;
  return cutString(value.slice(0, 2 * MAX_FACT_LENGTH).replaceAll(CONTROLS, " "), MAX_FACT_LENGTH);
}

/**
 * Reads the event's own facts, not what was registered since.
 *
 * @param agentName - The name of its agent on arrival, if known.
 */
export function readFacts(event: Partial<BaseEvent>, agentName = ""): Facts {
  return {
    environment: toFact(event.environment),
    agentVersion: toFact(event.agentVersion),
    agentCategory: toFact(event.agentCategory),
    agentSpecialty: toFact(event.agentSpecialty),
    agentName: toFact(agentName),
  };
}

interface Addition {
  readonly key: string;
  readonly facts: Facts;
  eventCount: number;
  firstAt: number;
  lastAt: number;
}

/** Appearances to which events add, by their key. */
export type Appearances = Map<string, Addition>;

/** Agent, version and environment of some events of a conversation; `null` for a missing value. */
export interface Appearance {
  readonly environment: string | null;
  readonly version: string | null;
  readonly category: string | null;
  readonly specialty: string | null;
  /** Name in the profile of the version on arrival; `null` where none was registered then. */
  readonly name: string | null;
  readonly eventCount: number;
  /** Times of the first and of the last of these events. */
  readonly firstAt: number;
  readonly lastAt: number;
}

const toNull = (text: Expression<string>) => sql<string | null>`nullif(${text}, '')`;

/** Appearances of a conversation that are listed. */
const MAX_LISTED = 100;

const PLACE = sql<number>`row_number() over (
  partition by conversation_key
  order by first_at, last_at, environment, agent_version, agent_category, agent_specialty, agent_name
)`;

// Of all conversations of a page at once: each statement is a way to the database and back.
const LIST_APPEARANCES = createStatement(({ keys }: { readonly keys: string }) => {
  const own = db
    .selectFrom("appearance")
    .select(["conversation_key", "environment", "agent_version", "agent_category"])
    .select(["agent_specialty", "agent_name", "event_count", "first_at", "last_at"])
    .select(PLACE.as("place"))
    .where("conversation_key", "in", sql<string>`(select value from ${textsOf(keys)} as sought)`);
  return db
    .selectFrom(own.as("own"))
    .select((eb) => [
      "conversation_key as key",
      toNull(eb.ref("environment")).as("environment"),
      toNull(eb.ref("agent_version")).as("version"),
      toNull(eb.ref("agent_category")).as("category"),
      toNull(eb.ref("agent_specialty")).as("specialty"),
      toNull(eb.ref("agent_name")).as("name"),
      "event_count as eventCount",
      "first_at as firstAt",
      "last_at as lastAt",
    ])
    .where("place", "<=", sql.lit(MAX_LISTED))
    .orderBy("conversation_key")
    .orderBy("place");
});

/** Lists the appearances of conversations by their keys, each combination once, the first one first; at most 100 of each. */
export function* listAllAppearances(
  database: SqlDatabase,
  keys: readonly string[],
): Steps<ReadonlyMap<string, readonly Appearance[]>> {
  const all = new Map(keys.map((key): [string, Appearance[]] => [key, []]));
  if (keys.length === 0) return all;
  const rows = yield* LIST_APPEARANCES.rows(database, { keys: JSON.stringify(keys) });
  for (const { key, ...appearance } of rows) all.get(key)?.push(appearance);
  return all;
}

/** Lists the appearances of a conversation, each combination once, the first one first; at most 100. */
export function* listAppearances(database: SqlDatabase, key: string): Steps<readonly Appearance[]> {
  return (yield* listAllAppearances(database, [key])).get(key) ?? [];
}

/** Adds an event of a conversation. */
export function addAppearance(
  appearances: Appearances,
  key: string,
  facts: Facts,
  timestamp: number,
): void {
  const { environment, agentVersion, agentCategory, agentSpecialty, agentName } = facts;
  // None of them has a line break.
  const id = `${key}\n${environment}\n${agentVersion}\n${agentCategory}\n${agentSpecialty}\n${agentName}`;
  const known = appearances.get(id);
  if (!known) {
    appearances.set(id, { key, facts, eventCount: 1, firstAt: timestamp, lastAt: timestamp });
    return;
  }
  known.eventCount++;
  known.firstAt = Math.min(known.firstAt, timestamp);
  known.lastAt = Math.max(known.lastAt, timestamp);
}

type AppearanceValues = Facts & Omit<Addition, "facts">;

const MERGE_APPEARANCE = createStatement((values: AppearanceValues) =>
  db
    .insertInto("appearance")
    .values({
      conversation_key: values.key,
      environment: values.environment,
      agent_version: values.agentVersion,
      agent_category: values.agentCategory,
      agent_specialty: values.agentSpecialty,
      agent_name: values.agentName,
      event_count: values.eventCount,
      first_at: values.firstAt,
      last_at: values.lastAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns([
          "conversation_key",
          "environment",
          "agent_version",
          "agent_category",
          "agent_specialty",
          "agent_name",
        ])
        .doUpdateSet((eb) => ({
          event_count: eb("appearance.event_count", "+", eb.ref("excluded.event_count")),
          first_at: least(eb.ref("appearance.first_at"), eb.ref("excluded.first_at")),
          last_at: greatest(eb.ref("appearance.last_at"), eb.ref("excluded.last_at")),
        })),
    ),
);

/** Stores the additions of events. */
export function mergeAppearances(database: Transaction, appearances: Appearances): Steps<void> {
  const rows = [...appearances.values()].map(({ facts, ...counts }) => ({ ...counts, ...facts }));
  return changeAll(database, MERGE_APPEARANCE, rows);
}

/** Counts of the events that a database had before it kept their facts. */
export interface FactCounts {
  readonly events: number;
  /** Events without the version of their agent. */
  readonly withoutVersion: number;
}

const CHUNK = 1000;

// A layout of the past, which the types of today's tables don't describe.
const READ = `
  SELECT seq, conversation_key AS key, timestamp, json FROM event JOIN body USING (seq)
  WHERE seq > ? ORDER BY seq LIMIT ${CHUNK}`;

const WRITE = "UPDATE event SET environment = ?, agent_version = ? WHERE seq = ?";

/**
 * Fills the newer columns and the appearances from the stored events.
 *
 * With `JSON.parse`, as on arrival: SQLite's own parser fails at a depth that an event may have.
 */
export function* fillFacts(database: SqliteDatabase): Steps<FactCounts> {
  let [events, withoutVersion, after] = [0, 0, 0];
  for (;;) {
    const rows = database.all<{ seq: number; key: string; timestamp: number; json: string }>(READ, [
      after,
    ]);
    const appearances: Appearances = new Map();
    for (const { seq, key, timestamp, json } of rows) {
      const facts = readFacts(JSON.parse(json) as Partial<BaseEvent>);
      database.run(WRITE, [facts.environment, facts.agentVersion, seq]);
      addAppearance(appearances, key, facts, timestamp);
      events++;
      if (facts.agentVersion === "") withoutVersion++;
      after = seq;
    }
    yield* mergeAppearances(database, appearances);
    if (rows.length < CHUNK) return { events, withoutVersion };
  }
}
