import type { Clock } from "../../util/clock.ts";
import type { PlatformStats } from "../options.ts";
import type { Turns } from "../turns.ts";
import { type AgentStore, createAgentStore } from "./agent-store.ts";
import {
  type BatchStore,
  type BodyStore,
  createBatchStore,
  createBodyStore,
} from "./batch-store.ts";
import { type ConversationStore, createConversationStore } from "./conversation-store.ts";
import { type EventStore, createEventStore } from "./event-store.ts";
import { type LogStore, createLogStore } from "./log-store.ts";
import { openDatabase } from "./open-database.ts";
import { type Migration, SCHEMA_VERSION, prepareSchema } from "./schema.ts";
import { type SpanStore, createSpanStore } from "./span-store.ts";
import { type SqlDatabase, type WriteQueue, createWriteQueue } from "./sql-database.ts";

/** All stores of the platform. */
export interface Store {
  readonly batches: BatchStore;
  readonly bodies: BodyStore;
  readonly conversations: ConversationStore;
  readonly events: EventStore;
  readonly agents: AgentStore;
  readonly spans: SpanStore;
  readonly logs: LogStore;
  /** Migration of the file when it was opened, if it was of an earlier version. */
  readonly migration: Migration | undefined;
  /** Checks whether the store can be written now. */
  readonly probe: Probe;
  /** Bytes of the database. */
  size(): number;
  /** Runs a write in a transaction of its own. */
  readonly write: WriteQueue["write"];
  stats(): PlatformStats;
  /** Completes the queued writes, then closes the file. */
  close(): Promise<void>;
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
  const batches = createBatchStore(database);
  const agents = createAgentStore(database);
  const spans = createSpanStore(database);
  const logs = createLogStore(database);
  return {
    batches,
    agents,
    spans,
    logs,
    bodies: createBodyStore(database),
    conversations: createConversationStore(database),
    events: createEventStore(database),
    migration,
    stats: () => ({
      ...batches.count(),
      agents: agents.count(),
      spans: spans.count(),
      logRecords: logs.count(),
    }),
    write: (work) => queue.write(work),
    probe: createProbe(database, queue, clock),
    size: () =>
      database.all<{ bytes: number }>(
        "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()",
      )[0]?.bytes ?? 0,
    async close() {
      await queue.idle();
      database.close();
    },
  };
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
