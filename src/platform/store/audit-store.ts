import type { KeyObject } from "node:crypto";
import { type AuditEntry, type AuditRecord, chainEntry } from "../review/audit-trail.ts";
import { change, createStatement, db, readRow, readRows } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";
import { type Steps, followSteps } from "../turns.ts";

const COLUMNS = [
  "sequence",
  "organization_id as organizationId",
  "at",
  "actor",
  "role",
  "action",
  "subject",
  "detail",
  "previous",
  "hash",
] as const;

const LAST = createStatement(() =>
  db.selectFrom("audit").select(["sequence", "hash"]).orderBy("sequence", "desc").limit(1),
);

/** Writes an entry at the end of the trail. In a transaction. */
export function* appendAudit(
  database: Transaction,
  entry: AuditEntry,
  { key }: { readonly key?: KeyObject | undefined },
): Steps<AuditRecord> {
  const [last] = yield* LAST.rows(database, {});
  const record = chainEntry(entry, last, key);
  const { organizationId, ...rest } = record;
  yield* change(
    database,
    db.insertInto("audit").values({ ...rest, organization_id: organizationId }),
  );
  return record;
}

/** Returns whether somebody has done something to something since a time. */
export function* hasActed(
  database: SqlDatabase,
  done: Pick<AuditRecord, "actor" | "action" | "subject"> & { readonly since: number },
): Steps<boolean> {
  const { actor, action, subject, since } = done;
  const query = db
    .selectFrom("audit")
    .select("sequence")
    .where("subject", "=", subject)
    .where("actor", "=", actor)
    .where("action", "=", action)
    .where("at", ">", since)
    .limit(1);
  return (yield* readRow(database, query)) !== undefined;
}

/** Filter of the trail; an absent member matches all. */
export interface AuditFilter {
  readonly limit: number;
  /** Only records before this one. */
  readonly before: number;
  readonly subject: string | undefined;
  readonly actor: string | undefined;
  readonly action: string | undefined;
}

/** Lists records, the newest first. */
export function* listAudit(database: SqlDatabase, filter: AuditFilter): Steps<AuditRecord[]> {
  const { limit, before, subject, actor, action } = filter;
  let query = db.selectFrom("audit").select(COLUMNS).where("sequence", "<", before);
  if (subject !== undefined) query = query.where("subject", "=", subject);
  if (actor !== undefined) query = query.where("actor", "=", actor);
  if (action !== undefined) query = query.where("action", "=", action);
  return yield* readRows(database, query.orderBy("sequence", "desc").limit(limit));
}

/** Lists records about subjects that begin so, the newest first. */
export function* listAuditOf(
  database: SqlDatabase,
  prefix: string,
  limit: number,
): Steps<AuditRecord[]> {
  const end = prefix + String.fromCodePoint(0x10ffff);
  const query = db
    .selectFrom("audit")
    .select(COLUMNS)
    .where("subject", ">=", prefix)
    .where("subject", "<", end);
  return yield* readRows(database, query.orderBy("sequence", "desc").limit(limit));
}

const CHUNK = 500;

/** Yields the whole trail from its beginning, some records at a time. */
export async function* readTrail(database: SqlDatabase): AsyncGenerator<readonly AuditRecord[]> {
  for (let after = 0; ;) {
    const query = db.selectFrom("audit").select(COLUMNS).where("sequence", ">", after);
    const records = await followSteps(readRows(database, query.orderBy("sequence").limit(CHUNK)));
    if (records.length > 0) yield records;
    if (records.length < CHUNK) return;
    after = records.at(-1)?.sequence ?? after;
  }
}
