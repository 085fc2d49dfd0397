import type { Clock } from "../../util/clock.ts";
import type { PlatformStats } from "../options.ts";
import type { Turns } from "../turns.ts";
import { countAgents } from "./agent-store.ts";
import { countBatches } from "./batch-store.ts";
import { countLogRecords } from "./log-store.ts";
import { openDatabase } from "./open-database.ts";
import { prepareSchema, SCHEMA_VERSION, type Migration } from "./schema.ts";
import { countSpans } from "./span-store.ts";
import { createWriteQueue, type SqlDatabase, type WriteQueue } from "./sql-database.ts";

/** The database of the platform, and who writes to it. */
export interface Store {
  /** For reading, and for the work of `write`. */
  readonly database: SqlDatabase;
  /** Migration of the file when it was opened, if it was of an earlier version. */
  readonly migration: Migration | undefined;
  /** Checks whether the store can be written now. */
  readonly probe: Probe;
  /** Runs a write in a transaction of its own. */
  readonly write: WriteQueue["write"];
  stats(): PlatformStats;
  /** Completes the queued writes, then closes the file. */
  close(): Promise<void>;
}

/** More frequent calls return the last result: a probe must not become load. */
const MAX_AGE_MILLIS = 1000;

/** Returns whether the store can be written, by writing to it. */
type Probe = () => Promise<boolean>;

/** Creates the probe of a database. */
function createProbe(database: SqlDatabase, queue: WriteQueue, clock: Clock): Probe {
  let found: { readonly at: number; readonly isWritable: Promise<boolean> } | undefined;

  const write = async (): Promise<boolean> => {
    try {
      // Writes the first page of the database without changing it.
      await queue.write(function* () {
        yield;
        database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
      });
      return true;
    } catch {
      return false;
    }
  };

  return () => {
    const at = clock.monotonic();
    if (!found || at - found.at >= MAX_AGE_MILLIS) found = { at, isWritable: write() };
    return found.isWritable;
  };
}

/** Opens the store in a file, or in memory. */
export async function openStore(file: string, turns: Turns, clock: Clock): Promise<Store> {
  return createStore(await openDatabase(file), turns, clock);
}

/** Creates the store in a database; closes it when it is of another program. */
export function createStore(database: SqlDatabase, turns: Turns, clock: Clock): Store {
  let migration: Migration | undefined;
  try {
    migration = prepareSchema(database);
  } catch (error) {
    database.close();
    throw error;
  }
  const queue = createWriteQueue(database, turns);
  return {
    database,
    migration,
    stats: () => ({
      ...countBatches(database),
      agents: countAgents(database),
      spans: countSpans(database),
      logRecords: countLogRecords(database),
    }),
    write: (work) => queue.write(work),
    probe: createProbe(database, queue, clock),
    async close() {
      await queue.idle();
      database.close();
    },
  };
}
