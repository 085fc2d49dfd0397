import { countNoun } from "../../util/count-noun.ts";
import { type FactCounts, fillFacts } from "./appearances.ts";
import {
  AGENT_TABLE,
  APPEARANCE_TABLE,
  BODY_COLUMN,
  FACT_INDEX,
  FRAME_TABLE,
  NAME_COLUMN,
  SCHEMA,
  TELEMETRY_TABLES,
} from "./create-tables.ts";
import { fillFind } from "./fill-find.ts";
import { FACTS_COLUMN, FIND_INDEXES, FIND_TABLES } from "./find-tables.ts";
import { fillCopies } from "./copy-store.ts";
import { fillActivity } from "./fill-activity.ts";
import { fillReview } from "./fill-review.ts";
import { findSteps, LAYOUT_STEPS, type LayoutStep, toLayout } from "./layouts.ts";
import { REVIEW_TABLES } from "./review-tables.ts";
import { fillIntake } from "../operations/fill-intake.ts";
import type { ReviewSettings } from "./review-desk.ts";
import { inTransaction, type SqliteDatabase } from "./sql-database.ts";
import { runSteps } from "../turns.ts";

const FACT_COLUMNS = `
  ALTER TABLE event ADD COLUMN environment TEXT NOT NULL DEFAULT '';
  ALTER TABLE event ADD COLUMN agent_version TEXT NOT NULL DEFAULT '';
  ${APPEARANCE_TABLE}
`;

const copyTable = (table: string, columns: string, create: string): string => `
  ALTER TABLE ${table} RENAME TO former_${table};
  ${create}
  INSERT INTO ${table} (${columns}) SELECT ${columns} FROM former_${table};
  DROP TABLE former_${table};
`;

const APPEARANCE_COLUMNS = `conversation_key, environment, agent_version, agent_category, agent_specialty, agent_name,
  event_count, first_at, last_at`;

/** Adds names as of arrival; those of older events are not known. */
const NAMES = `
  ALTER TABLE event ADD COLUMN ${NAME_COLUMN};
  ${copyTable("agent", "revision, organization_id, agent_id, version, name, json, updated_at", AGENT_TABLE)}
`;

function addNames(database: SqliteDatabase): undefined {
  const columns = database.all<{ name: string }>(
    "SELECT name FROM pragma_table_info('appearance')",
  );
  // A layout before appearances has just created the table in its current form.
  if (columns.every(({ name }) => name !== "agent_name"))
    database.exec(`
      ALTER TABLE appearance ADD COLUMN ${NAME_COLUMN};
      ${copyTable("appearance", APPEARANCE_COLUMNS, APPEARANCE_TABLE)}
    `);
  database.exec(NAMES);
  return undefined;
}

type Step = (database: SqliteDatabase, review: ReviewSettings) => FactCounts | undefined;

const execute =
  (sql: string): Step =>
  (database) => {
    database.exec(sql);
    return undefined;
  };

/** Steps from each layout to the next, up to the first that PostgreSQL has had. Batches received before layout 2 have no frame and can't be exported. */
const MIGRATIONS: ReadonlyMap<number, Step> = new Map([
  [1, execute(FRAME_TABLE)],
  [2, execute(TELEMETRY_TABLES)],
  [
    3,
    (database) => {
      database.exec(FACT_COLUMNS);
      const counts = runSteps(fillFacts(database));
      // Created at once over existing rows, the index is smaller and faster to build.
      database.exec(FACT_INDEX);
      return counts;
    },
  ],
  [4, execute(`ALTER TABLE event ADD COLUMN ${BODY_COLUMN};`)],
  [5, addNames],
  [
    6,
    (database, review) => {
      database.exec(REVIEW_TABLES);
      runSteps(fillReview(database, review));
      database.exec(`ALTER TABLE conversation ADD COLUMN ${FACTS_COLUMN}; ${FIND_TABLES}`);
      runSteps(fillFind(database));
      database.exec(FIND_INDEXES);
      runSteps(fillCopies(database));
      runSteps(fillActivity(database));
      runSteps(fillIntake(database));
      return undefined;
    },
  ],
]);

/** Result of migrating an older database. */
export interface Migration {
  readonly from: number;
  readonly to: number;
  /** Facts read from the existing events; absent when none had to be read. */
  readonly facts: FactCounts | undefined;
}

// One transaction: a process that dies in the middle leaves the old layout, and the next one starts anew.
function migrate(
  database: SqliteDatabase,
  from: number,
  review: ReviewSettings,
  steps: readonly LayoutStep[],
): Migration {
  return inTransaction(database, () => {
    let facts: FactCounts | undefined;
    let version = from;
    for (let step = MIGRATIONS.get(version); step; step = MIGRATIONS.get(++version))
      facts = step(database, review) ?? facts;
    const shared = findSteps(steps, version);
    if (!shared) throw new Error(`platform: the database has layout ${from}, which is not known`);
    for (const { sql } of shared) database.exec(sql);
    const { version: to } = toLayout(steps);
    database.exec(`PRAGMA user_version = ${to}`);
    return { from, to, facts };
  });
}

/**
 * Creates the tables of a new database, or migrates an older one; refuses any other.
 *
 * @returns The migration of an older one; `undefined` when it was new or up to date.
 */
export function prepareSchema(
  database: SqliteDatabase,
  review: ReviewSettings,
  steps = LAYOUT_STEPS,
): Migration | undefined {
  const expected = toLayout(steps).version;
  const version =
    database.all<{ user_version: number }>("PRAGMA user_version")[0]?.user_version ?? 0;
  if (version === expected) return undefined;
  if (version > expected) {
    throw new Error(
      `platform: the database has layout ${version}, expected ${expected} at most: use another file`,
    );
  }
  if (version !== 0) return migrate(database, version, review, steps);
  const tables = database.all("SELECT name FROM sqlite_schema LIMIT 1");
  if (tables.length > 0) throw new Error("platform: the file is a database of another program");
  database.exec(`BEGIN; ${SCHEMA} PRAGMA user_version = ${expected}; COMMIT;`);
  return undefined;
}

/** The first layout from which batches can be exported as received. */
const FRAME_LAYOUT = 2;

/** Describes a migration: what was kept, and what is lost. */
export function describeMigration({ from, to, facts }: Migration): string {
  const parts = [`database: brought from layout ${from} to ${to}, everything in it is kept`];
  if (facts && facts.events > 0)
    parts.push(`the environment of ${countNoun(facts.events, "event")} was read out of them`);
  if (facts && facts.withoutVersion > 0)
    parts.push(
      `${countNoun(facts.withoutVersion, "event does", "events do")} not say which version of the agent wrote ` +
        `${facts.withoutVersion === 1 ? "it" : "them"}: it is shown as unknown`,
    );
  if (from < FRAME_LAYOUT)
    parts.push("the batches that it had can't be exported as they were received");
  return parts.join("; ");
}
