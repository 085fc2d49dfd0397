import { inject } from "vitest";
import { openDatabase } from "../../src/platform/store/open-database.ts";
import type { SqlValue, Transaction } from "../../src/platform/store/sql-database.ts";
import { openDatabase as openOnServer } from "./postgres/open-database.ts";

/** Whether the platform of these tests keeps its data in PostgreSQL. */
export const ON_POSTGRES = inject("postgres") !== undefined;

/** A look into the database of a platform that was closed. */
export interface StoredDatabase {
  all<Row>(sql: string): Promise<Row[]>;
  /** Runs a statement in a transaction of its own. */
  run(sql: string, values?: readonly SqlValue[]): Promise<number>;
  close(): Promise<void>;
}

/** Numbers the values of a statement, as PostgreSQL wants it. */
function number(sql: string): string {
  let count = 0;
  return ON_POSTGRES ? sql.replaceAll("?", () => `$${++count}`) : sql;
}

/** Opens the database that a platform has of a file's name, in SQLite or PostgreSQL. */
export async function openStored(file: string): Promise<StoredDatabase> {
  const database = await (ON_POSTGRES ? openOnServer(file) : openDatabase(file));
  const write = async (work: (transaction: Transaction) => number | Promise<number>) => {
    const transaction = await database.begin();
    try {
      const changed = await work(transaction);
      await transaction.commit();
      return changed;
    } catch (error) {
      await transaction.rollBack();
      throw error;
    }
  };
  return {
    all: async <Row>(sql: string) => database.all<Row>(sql, []),
    run: (sql, values = []) => write((transaction) => transaction.run(number(sql), values)),
    close: async () => database.close(),
  };
}

/** The text of a column's bytes, as the database writes it. */
export const textOf = (bytes: string): string =>
  ON_POSTGRES ? `convert_from(${bytes}, 'UTF8')` : `CAST(${bytes} AS TEXT)`;

/** The bytes of a text, as the database writes it. */
export const bytesOf = (text: string): string =>
  ON_POSTGRES ? `convert_to(${text}, 'UTF8')` : `CAST(${text} AS BLOB)`;
