import { SCHEMA } from "../create-tables.ts";
import type { PostgresDatabase } from "../sql-database.ts";
import { toPostgresTables } from "./postgres-tables.ts";

const LAYOUT_TABLE = "CREATE TABLE layout (version BIGINT NOT NULL);";
const FIND_LAYOUT = "SELECT to_regclass('layout') IS NOT NULL AS \"isThere\"";
const FIND_OTHERS = `
  SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1 LIMIT 1`;

/**
 * Creates the tables in an empty database; refuses one of a newer layout, or of another program.
 *
 * In the transaction of a writer: of several replicas that start at once, one creates them.
 *
 * @param layout - The layout that this code reads and writes.
 */
export async function preparePostgres(database: PostgresDatabase, layout: number): Promise<void> {
  const transaction = await database.begin();
  try {
    const [found] = await transaction.all<{ isThere: number }>(FIND_LAYOUT, []);
    if (found?.isThere === 1) {
      const [row] = await transaction.all<{ version: number }>("SELECT version FROM layout", []);
      verifyLayout(row?.version, layout);
    } else {
      const [other] = await transaction.all<{ name: string }>(FIND_OTHERS, []);
      if (other)
        throw new Error(
          `platform: the database has tables of another program (${other.name}): use an empty one`,
        );
      await transaction.exec(`${LAYOUT_TABLE} INSERT INTO layout VALUES (${layout});`);
      await transaction.exec(toPostgresTables(SCHEMA));
    }
    await transaction.commit();
  } catch (error) {
    await transaction.rollBack();
    throw error;
  }
}

function verifyLayout(version: number | undefined, layout: number): void {
  if (version === layout) return;
  throw new Error(
    `platform: the database has layout ${version ?? "none"}, expected ${layout}: use another database`,
  );
}
