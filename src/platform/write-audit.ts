import type { PlatformContext } from "./platform-context.ts";
import { appendAudit } from "./store/audit-store.ts";
import type { Transaction } from "./store/sql-database.ts";
import type { Steps } from "./turns.ts";

/** Organization of what concerns none in particular. */
const NO_ORGANIZATION = "";

/** Something that somebody has done, for the audit trail. */
export interface AuditedAct {
  /** `noun.verb`. */
  readonly action: string;
  /** What it was done to; empty where it is nothing in particular. */
  readonly subject?: string;
  /** What else is to be known of it; never what a customer said. */
  readonly detail: object;
  readonly organizationId?: string;
}

/** Writes something to the audit trail. In a transaction. */
export function* noteAct(
  { store, options }: Pick<PlatformContext, "options" | "store">,
  transaction: Transaction,
  { name, role }: { readonly name: string; readonly role: string },
  {
    action,
    subject = "",
    detail,
    organizationId = options.organizationId ?? NO_ORGANIZATION,
  }: AuditedAct,
): Steps<void> {
  const at = options.clock.now();
  const entry = { organizationId, at, actor: name, role, action, subject };
  const record = { ...entry, detail: JSON.stringify(detail) };
  yield* appendAudit(transaction, record, { key: store.review.auditKey });
}

/** Writes something to the audit trail that changes nothing else in the database. */
export async function writeAudit(
  platform: PlatformContext,
  actor: { readonly name: string; readonly role: string },
  act: AuditedAct,
): Promise<void> {
  await platform.store.write((transaction) => noteAct(platform, transaction, actor, act));
}
