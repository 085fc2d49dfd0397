import { open } from "node:fs/promises";
import { createAuditVerifier } from "../../review/audit-trail.ts";
import { systemClock } from "../../../util/clock.ts";
import { readSigningKey } from "../../../util/http-signature.ts";
import { SECRET_EXPECTATION } from "../../receiver-options.ts";
import { readTrail } from "../audit-store.ts";
import { openDatabase } from "../open-database.ts";
import { describePostgres, findPostgresProblem, isPostgres } from "../postgres/postgres-address.ts";
import { openPostgres } from "../postgres/postgres-database.ts";
import { preparePostgres } from "../postgres/prepare-postgres.ts";
import { SCHEMA_VERSION } from "../layouts.ts";
import {
  type SqlDatabase,
  type SqliteDatabase,
  StoreError,
  type Transaction,
} from "../sql-database.ts";
import { compareBodies, compareTable, DifferenceError } from "./compare-tables.ts";
import {
  completeTables,
  type CopiedTable,
  copyMessages,
  copyTable,
  type OnRows,
} from "./copy-tables.ts";
import { listTables, MESSAGE_TABLE } from "./list-tables.ts";

/** Configures `importDatabase`. */
export interface ImportOptions {
  /** Path of the SQLite file; no platform may run on it. */
  readonly file: string;
  /** An empty database of PostgreSQL: `postgres://user@host/database`. */
  readonly database: string;
  /** Shared secret of the audit trail, if it has one. */
  readonly auditKey?: string;
  /** Called with the number of rows so far. */
  readonly onProgress?: (what: string, done: number) => void;
}

/** What was imported: all of it was compared with the file. */
export interface ImportReport {
  /** Each table, with its rows and changed values. */
  readonly tables: readonly {
    readonly name: string;
    readonly rows: number;
    readonly changed: number;
  }[];
  /** Rows of all tables. */
  readonly rows: number;
  /** Values that PostgreSQL can't hold as they were: for NUL and half a pair of surrogates it has U+FFFD. */
  readonly changed: number;
  /** Batches whose bodies are the same, byte for byte. */
  readonly batches: number;
  /** Bytes of these bodies. */
  readonly bytes: number;
  /** Messages whose words were indexed anew. */
  readonly messages: number;
  /** What the audit trail in the new database proves. */
  readonly audit: {
    /** Whether each record holds to the one before. */
    readonly status: "verified" | "broken";
    /** Records up to the last one. */
    readonly records: number;
    /** The last record; `undefined` for an empty trail. */
    readonly last:
      | {
          /** Its number. */
          readonly sequence: number;
          /** Its digest. */
          readonly hash: string;
        }
      | undefined;
    /** The first broken places. */
    readonly breaks: readonly {
      /** Number of the record. */
      readonly sequence: number;
      /** What is wrong with it. */
      readonly kind: "malformed" | "missing" | "link_broken" | "hash_changed" | "key_missing";
    }[];
    /** All broken places. */
    readonly breakCount: number;
  };
}

const HEADER = "SQLite format 3\0";

/** Verifies that a file is one of SQLite: opening any other would write to it. */
async function verifyFile(file: string): Promise<void> {
  let found: string;
  try {
    const opened = await open(file);
    try {
      const { buffer, bytesRead } = await opened.read(Buffer.alloc(HEADER.length), 0);
      found = buffer.toString("latin1", 0, bytesRead);
    } finally {
      await opened.close();
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new Error(`platform: the file ${file} can't be read (${code})`, { cause: error });
  }
  if (found !== HEADER) throw new Error(`platform: the file ${file} is no database of SQLite`);
}

/** Refuses other layouts: bringing one to the present layout takes the platform's rules of review, which it has itself. */
function verifyLayout(source: SqliteDatabase, file: string): void {
  const [row] = source.all<{ version: number }>(
    "SELECT user_version AS version FROM pragma_user_version",
  );
  const version = row?.version ?? 0;
  if (version === SCHEMA_VERSION) return;
  if (version === 0) throw new Error(`platform: the file ${file} is no database of the platform`);
  const advice =
    version < SCHEMA_VERSION
      ? "start a platform on it once, which brings it to that"
      : "use the version of this package that has written it";
  throw new Error(
    `platform: the file ${file} has layout ${version}, expected ${SCHEMA_VERSION}: ${advice}`,
  );
}

async function verifyEmpty(target: SqlDatabase, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const rows = await target.all(`SELECT 1 AS found FROM "${name}" LIMIT 1`, []);
    if (rows.length > 0)
      throw new Error(
        `platform: the database has data already (table ${name}): import into an empty one`,
      );
  }
}

async function verifyTrail(target: SqlDatabase, auditKey: string | undefined) {
  const key = auditKey === undefined ? undefined : readSigningKey(auditKey);
  if (auditKey !== undefined && !key) throw new Error(`platform: auditKey: ${SECRET_EXPECTATION}`);
  const verifier = createAuditVerifier(key);
  for await (const records of readTrail(target)) for (const record of records) verifier.add(record);
  return verifier.finish();
}

/** Creates what counts the rows of a part of the work. */
function createCounter(what: string, onProgress: ImportOptions["onProgress"]): OnRows {
  let done = 0;
  return (rows) => onProgress?.(what, (done += rows));
}

/** Copies everything, and compares it with what it was made of. In a transaction. */
async function copyAll(
  source: SqliteDatabase,
  target: Transaction,
  { auditKey, onProgress }: ImportOptions,
): Promise<ImportReport> {
  const tables = listTables(source);
  await verifyEmpty(
    target,
    tables.map(({ name }) => name),
  );
  const onCopied = createCounter("rows copied", onProgress);
  const copied: CopiedTable[] = [];
  for (const table of tables) copied.push(await copyTable(source, target, table, onCopied));
  const messages = await copyMessages(source, target, createCounter("messages", onProgress));
  const index = { table: MESSAGE_TABLE, rows: messages, changed: 0, hasChangedKeys: false };
  await completeTables(target, [...tables, MESSAGE_TABLE]);
  const onCompared = createCounter("rows compared", onProgress);
  for (const each of [...copied, index]) await compareTable(source, target, each, onCompared);
  const bodies = await compareBodies(source, target);
  const audit = await verifyTrail(target, auditKey);
  const sum = (name: "changed" | "rows"): number =>
    copied.reduce((total, each) => total + each[name], 0);
  return {
    tables: copied.map(({ table, rows, changed }) => ({ name: table.name, rows, changed })),
    rows: sum("rows"),
    changed: sum("changed"),
    ...bodies,
    messages,
    audit,
  };
}

async function importInto(source: SqliteDatabase, options: ImportOptions): Promise<ImportReport> {
  const target = await openPostgres(options.database);
  try {
    await preparePostgres(target, systemClock);
    const transaction = await target.begin();
    try {
      const report = await copyAll(source, transaction, options);
      await transaction.commit();
      return report;
    } catch (error) {
      await transaction.rollBack();
      if (!(error instanceof DifferenceError)) throw error;
      throw new Error(`platform: ${error.message}; nothing was imported`, { cause: error });
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const name = describePostgres(options.database);
    throw new Error(`platform: ${name}: ${error.message}`, { cause: error });
  } finally {
    await target.close();
  }
}

/**
 * Copies a platform's SQLite file into an empty database of PostgreSQL, and compares everything in it with the file.
 *
 * In one transaction: what is interrupted, or not the same, leaves the database empty. The file stays as it is.
 *
 * @throws Error for a file or database that can't be taken, and for the first difference, with its place.
 */
export async function importDatabase(options: ImportOptions): Promise<ImportReport> {
  const { file, database } = options;
  const problem = isPostgres(database)
    ? findPostgresProblem(database)
    : "database must be an address: postgres://user@host/database";
  if (problem !== undefined) throw new Error(`platform: ${problem}`);
  await verifyFile(file);
  const source = await openDatabase(file);
  try {
    verifyLayout(source, file);
    return await importInto(source, options);
  } finally {
    source.close();
  }
}
