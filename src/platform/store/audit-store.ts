import type { KeyObject } from "node:crypto";
import { type AuditEntry, type AuditRecord, chainEntry } from "../review/audit-trail.ts";
import { change, createStatement, db, readRow, readRows } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";

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
export function appendAudit(
  database: SqlDatabase,
  entry: AuditEntry,
  { key }: { readonly key?: KeyObject | undefined },
): AuditRecord {
  const [last] = LAST.rows(database, {});
  const record = chainEntry(entry, last, key);
  const { organizationId, ...rest } = record;
  change(database, db.insertInto("audit").values({ ...rest, organization_id: organizationId }));
  return record;
}

/** Returns whether somebody has done something to something since a time. */
export function hasActed(
  database: SqlDatabase,
  done: Pick<AuditRecord, "actor" | "action" | "subject"> & { readonly since: number },
): boolean {
  const { actor, action, subject, since } = done;
  const query = db
    .selectFrom("audit")
    .select("sequence")
    .where("subject", "=", subject)
    .where("actor", "=", actor)
    .where("action", "=", action)
    .where("at", ">", since)
    .limit(1);
  return readRow(database, query) !== undefined;
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
export function listAudit(database: SqlDatabase, filter: AuditFilter): AuditRecord[] {
  const { limit, before, subject, actor, action } = filter;
  let query = db.selectFrom("audit").select(COLUMNS).where("sequence", "<", before);
  if (subject !== undefined) query = query.where("subject", "=", subject);
  if (actor !== undefined) query = query.where("actor", "=", actor);
  if (action !== undefined) query = query.where("action", "=", action);
  return readRows(database, query.orderBy("sequence", "desc").limit(limit));
}

/** Lists records about subjects that begin so, the newest first. */
export function listAuditOf(database: SqlDatabase, prefix: string, limit: number): AuditRecord[] {
  const end = prefix + String.fromCodePoint(0x10ffff);
  const query = db
    .selectFrom("audit")
    .select(COLUMNS)
    .where("subject", ">=", prefix)
    .where("subject", "<", end);
  return readRows(database, query.orderBy("sequence", "desc").limit(limit));
}

const CHUNK = 500;

/** Yields the whole trail from its beginning, some records at a time. */
export function* readTrail(database: SqlDatabase): Generator<readonly AuditRecord[]> {
  for (let after = 0; ;) {
    const query = db.selectFrom("audit").select(COLUMNS).where("sequence", ">", after);
    const records = readRows(database, query.orderBy("sequence").limit(CHUNK));
    if (records.length > 0) yield records;
    if (records.length < CHUNK) return;
    after = records.at(-1)?.sequence ?? after;
  }
}
