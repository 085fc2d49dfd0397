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
import { createSpanStore, type SpanStore } from "./span-store.ts";

/** Everything the platform keeps. */
export interface Store {
  readonly batches: BatchStore;
  readonly bodies: BodyStore;
  readonly conversations: ConversationStore;
  readonly events: EventStore;
  readonly agents: AgentStore;
  readonly spans: SpanStore;
  readonly logs: LogStore;
  /** What became of the file when it was opened, if it was of an earlier version. */
  readonly migration: Migration | undefined;
  /** Stores something in a transaction of its own. */
  readonly write: WriteQueue["write"];
  stats(): PlatformStats;
  /** Stores what was asked for, then closes the file. */
  close(): Promise<void>;
}

/** Opens the store in a file, or in memory. */
export async function openStore(file: string, turns: Turns): Promise<Store> {
  const database = await openDatabase(file);
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
    async close() {
      await queue.idle();
      database.close();
    },
  };
}
