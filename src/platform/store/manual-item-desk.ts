import { addByHand, type ManualItem } from "../review/manual-item.ts";
import { appendAudit } from "./audit-store.ts";
import { SELECT_CONVERSATION } from "./conversation-store.ts";
import { readRow } from "./query.ts";
import type { ActionRequest, ActionResult, ReviewSettings } from "./review-desk.ts";
import { findItem, saveItem, summariseFindings } from "./review-store.ts";
import type { Transaction } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** A request to put a conversation into the queue. */
type ManualRequest = Pick<ActionRequest, "actor" | "now"> & {
  readonly given: ManualItem;
};

/** Puts a conversation into the queue by hand, and writes it down; also that a role may not. In a transaction. */
export function* addManualItem(
  database: Transaction,
  { given, actor, now }: ManualRequest,
  { policy, auditKey }: ReviewSettings,
): Steps<ActionResult> {
  const { key, ...members } = given;
  const conversation = yield* readRow(database, SELECT_CONVERSATION.where("key", "=", key));
  if (!conversation) return { status: "missing" };
  const { organizationId, maxRiskScore: riskScore } = conversation;
  const item = yield* findItem(database, key);
  const { severity, tier } = yield* summariseFindings(database, key);
  const facts = { key, organizationId, riskScore, severity, tier };
  const added = addByHand({ item, facts }, members, { actor, now, policy });
  const write = function* (verb: string, detail: object): Steps<void> {
    const who = { organizationId, at: now, actor: actor.name, role: actor.role };
    const entry = { ...who, subject: key, detail: JSON.stringify(detail) };
    yield* appendAudit(database, { ...entry, action: `review.${verb}` }, { key: auditKey });
  };
  if ("code" in added) {
    if (added.code === "forbidden") yield* write("refused", { action: "add" });
    return { status: "refused", refusal: added };
  }
  const { queue, version } = added;
  const detail = { ...members, queue, version };
  if (item) yield* write("reopen", { because: "manual", former: item.outcome, ...detail });
  else yield* write("add", detail);
  yield* saveItem(database, added);
  return { status: "done", item: added };
}
