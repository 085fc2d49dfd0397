import type { Clock } from "../../util/clock.ts";
import type { PlatformStats } from "../options.ts";
import { followSteps, type Steps, type Turns } from "../turns.ts";
import { countAgents } from "./agent-store.ts";
import { countBatches } from "./batch-store.ts";
import { preparePostgres } from "./postgres/prepare-postgres.ts";
import { preparePseudonyms } from "./customer-store.ts";
import { countLogRecords } from "./log-store.ts";
import { type Migration, prepareSchema } from "./schema.ts";
import { countSpans } from "./span-store.ts";
import type { ReviewSettings } from "./review-desk.ts";
import { DEFAULT_REVIEW_POLICY } from "../review/review-policy.ts";
import {
  createWriteQueue,
  type OpenDatabase,
  settle,
  type SqlDatabase,
  type WriteQueue,
} from "./sql-database.ts";

/** More frequent calls return the last result: a probe must not become load. */
const MAX_AGE_MILLIS = 1000;

/** Returns whether the store can be written, by writing to it. */
type Probe = () => Promise<boolean>;

/** Creates the probe of a database. */
function createProbe(database: OpenDatabase, queue: WriteQueue, clock: Clock): Probe {
  let found: { readonly at: number; readonly isWritable: Promise<boolean> } | undefined;

  function* touch(): Steps<boolean> {
    yield;
    yield* settle(database.touch());
    return true;
  }
  return () => {
    const at = clock.monotonic();
    if (!found || at - found.at >= MAX_AGE_MILLIS)
      found = { at, isWritable: queue.write(touch).catch(() => false) };
    return found.isWritable;
  };
}

/** Rules of a review that nobody has configured. */
const DEFAULT_REVIEW: ReviewSettings = {
  policy: DEFAULT_REVIEW_POLICY,
  announcing: { webhooks: [], publicUrl: "" },
};

/** Opens the store in a database; closes it when it is of another program. */
export async function openStore(
  database: OpenDatabase,
  turns: Turns,
  clock: Clock,
  review = DEFAULT_REVIEW,
): Promise<Store> {
  try {
    const migration =
      database.dialect === "sqlite"
        ? prepareSchema(database, review)
        : await preparePostgres(database, clock);
    const store = createStore(database, turns, clock, { review, migration });
    await store.write((transaction) => preparePseudonyms(transaction, review.pseudonyms));
    return store;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function createStore(
  database: OpenDatabase,
  turns: Turns,
  clock: Clock,
  {
    review,
    migration,
  }: { readonly review: ReviewSettings; readonly migration?: Migration | undefined },
) {
  const queue = createWriteQueue(database, turns);
  return {
    /** For reading. */
    database: database as SqlDatabase,
    /** Reads, without a pause but for the database. */
    read: followSteps,
    /** Rules of the review, and the key of its audit trail. */
    review,
    /** Migration of the file when it was opened, if it was of an earlier version. */
    migration,
    *stats(): Steps<PlatformStats> {
      return {
        ...(yield* countBatches(database)),
        agents: yield* countAgents(database),
        spans: yield* countSpans(database),
        logRecords: yield* countLogRecords(database),
      };
    },
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
      await database.close();
    },
  };
}

/** The database of the platform, and who writes to it. */
export type Store = ReturnType<typeof createStore>;
