import type { Clock } from "../../util/clock.ts";
import type { PlatformStats } from "../options.ts";
import type { Steps, Turns } from "../turns.ts";
import { countAgents } from "./agent-store.ts";
import { countBatches } from "./batch-store.ts";
import { preparePseudonyms } from "./customer-store.ts";
import { countLogRecords } from "./log-store.ts";
import { prepareSchema, SCHEMA_VERSION, type Migration } from "./schema.ts";
import { countSpans } from "./span-store.ts";
import type { ReviewSettings } from "./review-desk.ts";
import { DEFAULT_REVIEW_POLICY } from "../review/review-policy.ts";
import { createWriteQueue, type SqlDatabase, type WriteQueue } from "./sql-database.ts";

/** More frequent calls return the last result: a probe must not become load. */
const MAX_AGE_MILLIS = 1000;

/** Returns whether the store can be written, by writing to it. */
type Probe = () => Promise<boolean>;

/** Creates the probe of a database. */
function createProbe(database: SqlDatabase, queue: WriteQueue, clock: Clock): Probe {
  let found: { readonly at: number; readonly isWritable: Promise<boolean> } | undefined;

  /** Writes the first page of the database without changing it. */
  function* touch(): Steps<boolean> {
    yield;
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    return true;
  }
  return () => {
    const at = clock.monotonic();
    if (!found || at - found.at >= MAX_AGE_MILLIS)
      found = { at, isWritable: queue.write(touch).catch(() => false) };
    return found.isWritable;
  };
}

/** Creates the store in a database; closes it when it is of another program. */
export function createStore(
  database: SqlDatabase,
  turns: Turns,
  clock: Clock,
  review: ReviewSettings = {
    policy: DEFAULT_REVIEW_POLICY,
    announcing: { webhooks: [], publicUrl: "" },
  },
) {
  let migration: Migration | undefined;
  try {
    migration = prepareSchema(database, review);
    preparePseudonyms(database, review.pseudonyms);
  } catch (error) {
    database.close();
    throw error;
  }
  const queue = createWriteQueue(database, turns);
  return {
    /** For reading, and for the work of `write`. */
    database,
    /** Rules of the review, and the key of its audit trail. */
    review,
    /** Migration of the file when it was opened, if it was of an earlier version. */
    migration,
    stats: (): PlatformStats => ({
      ...countBatches(database),
      agents: countAgents(database),
      spans: countSpans(database),
      logRecords: countLogRecords(database),
    }),
    /** Runs a write in a transaction of its own. */
    write: queue.write,
    /** Runs a write in one transaction with others of this kind that wait. */
    writeShared: queue.writeShared,
    /** Writes that are queued or under way. */
    get waitingWrites() {
      return queue.waiting;
    },
    /** Checks whether the store can be written now. */
    probe: createProbe(database, queue, clock),
    /** Completes the queued writes, then closes the file. */
    async close(): Promise<void> {
      await queue.idle();
      database.close();
    },
  };
}

/** The database of the platform, and who writes to it. */
export type Store = ReturnType<typeof createStore>;
