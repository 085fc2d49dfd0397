import type { Clock } from "../../util/clock.ts";
import type { PlatformStats } from "../options.ts";
import { createAgentStore, type AgentStore } from "./agent-store.ts";
import { createBatchStore, type BatchStore } from "./batch-store.ts";
import { createBodyStore, type BodyStore } from "./body-store.ts";
import { createConversationStore, type ConversationStore } from "./conversation-store.ts";
import { createEventStore, type EventStore } from "./event-store.ts";
import { createLogStore, type LogStore } from "./log-store.ts";
import { prepareSchema, type Migration } from "./schema.ts";
import { openDatabase } from "./open-database.ts";
import type { Turns } from "../turns.ts";
import { createWriteQueue, type WriteQueue } from "./write-queue.ts";
import { createProbe, type Probe } from "./probe.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { createSpanStore, type SpanStore } from "./span-store.ts";

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
