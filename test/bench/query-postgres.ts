import { importDatabase } from "agent-monitor/platform";
import { startPostgres } from "../cluster/support/postgres-server.ts";
import { prepareDatabase, SAMPLED } from "./platform-database.ts";
import { END } from "./platform-load.ts";
import { startPlatformSide } from "./platform-process.ts";
import { measureReads, type QueryFigures } from "./query.ts";

/** As a server of 16 GB is set up; the defaults are for a small one. */
const SETTINGS = [
  "shared_buffers=4GB",
  "effective_cache_size=12GB",
  "work_mem=32MB",
  "maintenance_work_mem=1GB",
  "max_wal_size=16GB",
  "random_page_cost=1.1",
];

/**
 * Measures what the pages ask for on PostgreSQL, in a database with so many conversations of ten events: the file that the platform has
 * built, imported. By the clock, since the work is done by other processes.
 */
export async function benchPostgresQueries(conversations: number): Promise<QueryFigures> {
  const file = await prepareDatabase(conversations);
  const postgres = await startPostgres(SETTINGS);
  try {
    const database = await postgres.createDatabase("bench");
    await importDatabase({ file, database });
    const side = await startPlatformSide({ database, at: END, sampled: SAMPLED });
    try {
      return await measureReads(side.url, () => Promise.resolve(performance.now()));
    } finally {
      await side.close();
    }
  } finally {
    await postgres.stop();
  }
}
