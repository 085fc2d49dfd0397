import type { LoadEvent } from "./platform-load.ts";

interface BareDatabase {
  exec(sql: string): void;
  prepare(sql: string): (values: readonly (string | number)[]) => void;
  close(): void;
}

interface NodeSqlite {
  DatabaseSync: new (file: string) => {
    exec(sql: string): void;
    prepare(sql: string): { run(...values: readonly (string | number)[]): unknown };
    close(): void;
  };
}

/** Opens a database with the driver that the platform takes. */
async function openBare(file: string): Promise<BareDatabase> {
  const sqlite = process.getBuiltinModule("node:sqlite") as NodeSqlite | undefined;
  if (sqlite) {
    const database = new sqlite.DatabaseSync(file);
    return {
      exec: (sql) => database.exec(sql),
      prepare(sql) {
        const statement = database.prepare(sql);
        return (values) => void statement.run(...values);
      },
      close: () => database.close(),
    };
  }
  const { default: driver } = await import("node-sqlite3-wasm");
  const database = new driver.Database(file);
  const statements: { finalize(): void }[] = [];
  return {
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = database.prepare(sql);
      statements.push(statement);
      return (values) => void statement.run([...values]);
    },
    close() {
      for (const statement of statements) statement.finalize();
      database.close();
    },
  };
}

const SCHEMA = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE event (seq INTEGER PRIMARY KEY, event_id TEXT NOT NULL UNIQUE, conversation TEXT NOT NULL, timestamp INTEGER NOT NULL, type TEXT NOT NULL);
  CREATE INDEX event_of_conversation ON event (conversation, timestamp, seq);
  CREATE TABLE body (seq INTEGER PRIMARY KEY, json TEXT NOT NULL);
`;

/** Measures the CPU time of inserting the rows of events with the bare driver, a transaction for each batch. Milliseconds. */
export async function measureBareInsert(
  file: string,
  batches: readonly (readonly LoadEvent[])[],
  warmUp: number,
): Promise<number> {
  const database = await openBare(file);
  database.exec(SCHEMA);
  const insertEvent = database.prepare("INSERT INTO event VALUES (?, ?, ?, ?, ?)");
  const insertBody = database.prepare("INSERT INTO body VALUES (?, ?)");
  let before = process.cpuUsage();
  let seq = 0;
  for (const [index, events] of batches.entries()) {
    if (index === warmUp) before = process.cpuUsage();
    database.exec("BEGIN IMMEDIATE");
    for (const event of events) {
      const { eventId, conversationId, timestamp, interactionType } = event;
      seq++;
      insertEvent([
        seq,
        String(eventId),
        String(conversationId),
        Number(timestamp),
        String(interactionType),
      ]);
      insertBody([seq, JSON.stringify(event)]);
    }
    database.exec("COMMIT");
  }
  const { user, system } = process.cpuUsage(before);
  database.close();
  return (user + system) / 1000;
}
