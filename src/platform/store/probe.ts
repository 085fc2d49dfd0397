import type { Clock } from "../../util/clock.ts";
import { SCHEMA_VERSION } from "./schema.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { WriteQueue } from "./write-queue.ts";

/** More frequent calls return the last result: a probe must not become load. */
const MAX_AGE_MILLIS = 1000;

/** Returns whether the store can be written, by writing to it. */
export type Probe = () => Promise<boolean>;

/** Creates the probe of a database. */
export function createProbe(database: SqlDatabase, queue: WriteQueue, clock: Clock): Probe {
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
