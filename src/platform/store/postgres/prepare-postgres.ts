import { type Clock, sleep } from "../../../util/clock.ts";
import { SCHEMA } from "../create-tables.ts";
import { findSteps, type Layout, LAYOUT_STEPS, type LayoutStep, toLayout } from "../layouts.ts";
import type { Migration } from "../schema.ts";
import type { PostgresDatabase, PostgresTransaction } from "../sql-database.ts";
import { readSqlState } from "./postgres-error.ts";
import { toPostgresStatements, toPostgresTables } from "./postgres-tables.ts";

const LAYOUT_TABLE = "CREATE TABLE layout (version BIGINT NOT NULL, oldest BIGINT NOT NULL);";
const FIND_LAYOUT = "SELECT to_regclass('layout') IS NOT NULL AS \"isThere\"";
const FIND_OTHERS = `
  SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1 LIMIT 1`;

/** Longest time that a step waits for who reads a table: who comes behind it to read waits as long. Less than `deadlock_timeout`, behind which a reader may be refused. */
const LOCK_MILLIS = 500;
const ATTEMPTS = 100;
const PAUSE_MILLIS = 1000;
/** `lock_not_available` and `deadlock_detected`: readers were in the way, and it may be tried again. */
const IN_THE_WAY: ReadonlySet<string | undefined> = new Set(["55P03", "40P01"]);
const NOT_PRIVILEGED = "42501";

async function createTables(transaction: PostgresTransaction, layout: Layout): Promise<void> {
  const [other] = await transaction.all<{ name: string }>(FIND_OTHERS, []);
  if (other)
    throw new Error(
      `platform: the database has tables of another program (${other.name}): use an empty one`,
    );
  const { version, oldest } = layout;
  await transaction.exec(`${LAYOUT_TABLE} INSERT INTO layout VALUES (${version}, ${oldest});`);
  await transaction.exec(toPostgresTables(SCHEMA));
}

function refuse(found: Layout, { version }: Layout): Error {
  const since =
    found.oldest === found.version ? "" : ` (for platforms of ${found.oldest} or later)`;
  const advice =
    found.version > version
      ? "use the version of this package that has brought it there"
      : "use another database";
  return new Error(
    `platform: the database has layout ${found.version}${since}, expected ${version}: ${advice}`,
  );
}

/** Brings the tables to the layout of this code. */
async function migrate(
  transaction: PostgresTransaction,
  found: Layout,
  steps: readonly LayoutStep[],
): Promise<Migration> {
  const layout = toLayout(steps);
  const left = findSteps(steps, found.version);
  if (!left) throw refuse(found, layout);
  const { version: from } = found;
  const { version: to, oldest } = layout;
  try {
    await transaction.exec(`SET LOCAL lock_timeout = ${LOCK_MILLIS}`);
    for (const { sql } of left) await transaction.exec(toPostgresStatements(sql));
    await transaction.run("UPDATE layout SET version = $1, oldest = $2", [to, oldest]);
  } catch (error) {
    if (readSqlState(error) !== NOT_PRIVILEGED) throw error;
    const advice = "only the owner of its tables can bring it there: start a platform as that role";
    throw new Error(`platform: the database has layout ${from}, expected ${to}: ${advice}`, {
      cause: error,
    });
  }
  return { from, to, facts: undefined };
}

async function prepareTables(
  transaction: PostgresTransaction,
  steps: readonly LayoutStep[],
): Promise<Migration | undefined> {
  const layout = toLayout(steps);
  const [table] = await transaction.all<{ isThere: number }>(FIND_LAYOUT, []);
  if (table?.isThere !== 1) {
    await createTables(transaction, layout);
    return undefined;
  }
  const [found] = await transaction.all<Layout>("SELECT version, oldest FROM layout", []);
  if (!found) throw new Error("platform: the database has no layout: use another database");
  if (found.version < layout.version) return migrate(transaction, found, steps);
  // Another version has brought it further, in a way that leaves everything where this one looks for it.
  if (found.oldest <= layout.version) return undefined;
  throw refuse(found, layout);
}

async function prepareOnce(
  database: PostgresDatabase,
  steps: readonly LayoutStep[],
): Promise<Migration | undefined> {
  const transaction = await database.beginLong();
  try {
    const migration = await prepareTables(transaction, steps);
    await transaction.commit();
    return migration;
  } catch (error) {
    await transaction.rollBack();
    throw error;
  }
}

/**
 * Creates the tables in an empty database, or brings those of an older layout to the one of this code; refuses what it can't use.
 *
 * In the transaction of a writer: of several replicas that start at once, one does it, and the others find it done. Replicas of the version
 * before go on meanwhile: writers wait for its end, readers for the tables that it changes.
 *
 * @param steps - Steps from the first layout to the one of this code.
 * @returns What was migrated; `undefined` for nothing.
 */
export async function preparePostgres(
  database: PostgresDatabase,
  clock: Clock,
  steps = LAYOUT_STEPS,
): Promise<Migration | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await prepareOnce(database, steps);
    } catch (error) {
      if (attempt === ATTEMPTS || !IN_THE_WAY.has(readSqlState(error))) throw error;
    }
    // Who waited for it, to read or to write, goes on before it is tried again.
    await sleep(clock, PAUSE_MILLIS, new AbortController().signal);
  }
}
