import { createStatementCache, type SqlDatabase, type SqlValue } from "./sql-database.ts";

interface NodeStatement {
  run(...values: readonly SqlValue[]): { changes: number | bigint };
  all(...values: readonly SqlValue[]): unknown[];
}

/** The part of `node:sqlite` used here; the types of Node.js 20 don't have it. */
interface NodeSqlite {
  DatabaseSync: new (file: string) => {
    exec(sql: string): void;
    prepare(sql: string): NodeStatement;
    close(): void;
  };
}

/** Opens a database with `node:sqlite`; gives nothing where Node.js has none. */
export function openNodeSqlite(file: string): SqlDatabase | undefined {
  const sqlite = process.getBuiltinModule("node:sqlite") as NodeSqlite | undefined;
  if (!sqlite) return undefined;
  const database = new sqlite.DatabaseSync(file);
  const statements = createStatementCache((sql) => database.prepare(sql));

  return {
    exec: (sql) => database.exec(sql),
    run: (sql, ...values) => Number(statements.get(sql).run(...values).changes),
    all: <Row>(sql: string, ...values: readonly SqlValue[]) =>
      statements.get(sql).all(...values) as Row[],
    close: () => database.close(),
  };
}
