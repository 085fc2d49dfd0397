import { hideSelected } from "../customers/hide-customers.ts";
import type { HoldRequest, Selector } from "../records/legal-hold.ts";
import type { Actor } from "../review/roles.ts";
import { appendAudit } from "./audit-store.ts";
import { change, db, readRow, readRows, type SelectedRow } from "./query.ts";
import type { ReviewSettings } from "./review-desk.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** A legal hold. */
export interface Hold {
  /** Sequence of the audit record that says who placed it. */
  readonly id: number;
  readonly organizationId: string;
  readonly matter: string;
  readonly selector: Selector;
  readonly reason: string;
  readonly placedBy: string;
  readonly placedAt: number;
  /** `null` while it holds. */
  readonly release: { readonly by: string; readonly at: number; readonly reason: string } | null;
}

const SELECT = db
  .selectFrom("hold")
  .leftJoin("hold_release", "hold_release.hold_id", "hold.id")
  .select([
    "hold.id",
    "hold.organization_id as organizationId",
    "hold.matter",
    "hold.selector",
    "hold.reason",
    "hold.actor as placedBy",
    "hold.at as placedAt",
    "hold_release.actor as releasedBy",
    "hold_release.at as releasedAt",
    "hold_release.reason as releaseReason",
  ]);

function toHold(row: SelectedRow<typeof SELECT>): Hold {
  const { selector, releasedBy, releasedAt, releaseReason, ...rest } = row;
  const release =
    releasedBy === null || releasedAt === null || releaseReason === null
      ? null
      : { by: releasedBy, at: releasedAt, reason: releaseReason };
  return { ...rest, selector: JSON.parse(selector) as Selector, release };
}

/** Lists holds, the newest first. @param isActive - Whether they hold, or are released; absent lists both. */
export function* listHolds(
  database: SqlDatabase,
  { limit, before, isActive }: { limit: number; before: number; isActive: boolean | undefined },
): Steps<Hold[]> {
  let query = SELECT.where("hold.id", "<", before).orderBy("hold.id", "desc").limit(limit);
  if (isActive !== undefined)
    query = query.where("hold_release.hold_id", isActive ? "is" : "is not", null);
  return (yield* readRows(database, query)).map(toHold);
}

/** Limit of holds at a time: each is compared with every conversation that is due. */
export const MAX_ACTIVE_HOLDS = 1000;

/** Lists all holds that hold. */
export function* listActiveHolds(database: SqlDatabase): Steps<Hold[]> {
  const before = Number.MAX_SAFE_INTEGER;
  return yield* listHolds(database, { limit: MAX_ACTIVE_HOLDS, before, isActive: true });
}

/** Finds a hold. */
export function* findHold(database: SqlDatabase, id: number): Steps<Hold | undefined> {
  const row = yield* readRow(database, SELECT.where("hold.id", "=", id));
  return row && toHold(row);
}

/** Who does something about a hold, and when. */
interface HoldChange {
  readonly actor: Actor;
  readonly now: number;
}

/** Places a hold, and writes it down. In a transaction. */
export function* placeHold(
  database: Transaction,
  { matter, selector, reason }: HoldRequest,
  { actor, now }: HoldChange,
  { auditKey, pseudonyms }: ReviewSettings,
): Steps<Hold> {
  const organizationId = selector.organization ?? "";
  const { sequence } = yield* appendAudit(
    database,
    {
      organizationId,
      at: now,
      actor: actor.name,
      role: actor.role,
      action: "hold.place",
      subject: selector.conversation ?? "",
      detail: JSON.stringify({ matter, selector: hideSelected(selector, pseudonyms), reason }),
    },
    { key: auditKey },
  );
  yield* change(
    database,
    db.insertInto("hold").values({
      id: sequence,
      organization_id: organizationId,
      matter,
      selector: JSON.stringify(selector),
      reason,
      actor: actor.name,
      role: actor.role,
      at: now,
    }),
  );
  const placed = { placedBy: actor.name, placedAt: now, release: null };
  return { id: sequence, organizationId, matter, selector, reason, ...placed };
}

/** Releases a hold that holds, and writes it down. In a transaction. */
export function* releaseHold(
  database: Transaction,
  hold: Hold,
  reason: string,
  { actor, now }: HoldChange,
  { auditKey }: ReviewSettings,
): Steps<Hold> {
  const { id, organizationId, matter, selector } = hold;
  const { sequence } = yield* appendAudit(
    database,
    {
      organizationId,
      at: now,
      actor: actor.name,
      role: actor.role,
      action: "hold.release",
      subject: selector.conversation ?? "",
      detail: JSON.stringify({ hold: id, matter, reason }),
    },
    { key: auditKey },
  );
  yield* change(
    database,
    db.insertInto("hold_release").values({
      hold_id: id,
      organization_id: organizationId,
      reason,
      actor: actor.name,
      role: actor.role,
      at: now,
      audit_sequence: sequence,
    }),
  );
  return { ...hold, release: { by: actor.name, at: now, reason } };
}
