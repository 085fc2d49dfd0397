import type { KeyObject } from "node:crypto";
import type { Pseudonyms } from "../customers/pseudonyms.ts";
import type { Noted } from "./arrivals.ts";
import { appendAudit } from "./audit-store.ts";
import { countDecision } from "./decision-count.ts";
import { listFindings } from "./finding-store.ts";
import { sendEvaluations } from "./evaluation-store.ts";
import { change, createStatement, db } from "./query.ts";
import {
  type Contents,
  findSampleProblem,
  listSampledAnswers,
  listWaiting,
} from "./sampled-answers.ts";
import { listReopened } from "./reopened-decisions.ts";
import { findItem, saveItem, summariseFindings } from "./review-store.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";
import { announce, type Announcing } from "./webhook-store.ts";
import {
  applyAction,
  toOutcome,
  type Refusal,
  type ReviewAction,
} from "../review/review-action.ts";
import { type Outcome, type ReviewItem, startItem, toDueAt } from "../review/review-item.ts";
import type { Disposition, ReviewPolicy } from "../review/review-policy.ts";
import { type Actor, SYSTEM } from "../review/roles.ts";
import type { Steps } from "../turns.ts";

/** What the desk works with. */
export interface ReviewSettings {
  readonly policy: ReviewPolicy;
  /** Key of the audit trail's hashes; without one they are plain. */
  readonly auditKey?: KeyObject | undefined;
  /** What customers are called; absent where everybody may know their ids. */
  readonly pseudonyms?: Pseudonyms | undefined;
  /** Receivers of messages about what happens. */
  readonly announcing: Announcing;
  /** Where decisions are sent as evaluations. */
  readonly evaluationsUrl?: string | undefined;
}

/** What has arrived in a conversation. */
export interface Arrival extends Noted {
  readonly key: string;
  readonly organizationId: string;
  /** The conversation's, 0 to 100. */
  readonly riskScore: number | null;
  readonly now: number;
}

/**
 * Brings a conversation into the queue, where something that has arrived demands a review or an answer is sampled, and back into it, where
 * it was closed. In the transaction of the events.
 */
export function* noteArrival(
  database: Transaction,
  arrival: Arrival,
  { policy, auditKey }: ReviewSettings,
): Steps<void> {
  const { key, organizationId, origin, requiresReview, isSampled, riskScore, now } = arrival;
  const item = yield* findItem(database, key);
  if (!item && !requiresReview && !isSampled) return;
  const found = yield* summariseFindings(database, key);
  if (!item) {
    const { severity, tier } = found;
    const started = { key, organizationId, origin, severity, tier, riskScore };
    return yield* saveItem(database, startItem(started, now, policy));
  }
  const { tier } = found;
  // Who has put it there by hand may have found it worse than any rule does.
  const severity = Math.max(found.severity, item.severity);
  // A sample can wait, what is found in it later can't.
  const isPressing = requiresReview && item.origin === "qa_sample";
  const dueAt = toDueAt(severity, now, policy);
  const pressing = isPressing && { origin, dueAt: Math.min(dueAt, item.dueAt) };
  const known = { ...item, ...pressing, severity, tier, riskScore, version: item.version + 1 };
  if (item.queue !== "closed" || (!requiresReview && !isSampled))
    return yield* saveItem(database, known);
  yield* saveItem(database, { ...known, queue: "reopened", dueAt, closedAt: null, outcome: null });
  const because = requiresReview ? "new_finding" : "qa_sample";
  const detail = JSON.stringify({ because, former: item.outcome });
  const entry = { organizationId, at: now, actor: SYSTEM.name, role: SYSTEM.role };
  yield* appendAudit(
    database,
    { ...entry, action: "review.reopen", subject: key, detail },
    { key: auditKey },
  );
}

/** An action as a request asks for it. */
export interface ActionRequest {
  readonly key: string;
  readonly action: ReviewAction;
  readonly actor: Actor;
  readonly now: number;
  /** The version that the actor has seen; `undefined` where it doesn't matter. */
  readonly version: number | undefined;
}

/** What became of an action. */
export type ActionResult =
  | { readonly status: "done"; readonly item: ReviewItem }
  | { readonly status: "missing" }
  | { readonly status: "outdated"; readonly item: ReviewItem }
  | { readonly status: "refused"; readonly refusal: Refusal };

/** What was decided about a finding. */
interface DecidedFinding {
  readonly organizationId: string;
  readonly findingId: string;
  readonly disposition: Disposition;
}

// What is no finding, the item as a whole or a sampled answer, has no such row.
const NOTE_DISPOSITION = createStatement((given: DecidedFinding) =>
  db
    .updateTable("finding")
    .set({ disposition: given.disposition })
    .where("id", "=", given.findingId)
    .where("organization_id", "=", given.organizationId),
);

function* writeDecisions(
  database: Transaction,
  { key, actor, now }: ActionRequest,
  organizationId: string,
  decision: {
    readonly findingIds: readonly string[];
    readonly outcome: Outcome;
    readonly comment: string | null;
    readonly auditSequence: number;
  },
): Steps<void> {
  for (const findingId of decision.findingIds) {
    yield* change(
      database,
      db.insertInto("disposition").values({
        organization_id: organizationId,
        conversation_key: key,
        finding_id: findingId,
        disposition: decision.outcome.disposition,
        reason_code: decision.outcome.reasonCode,
        comment: decision.comment,
        actor: actor.name,
        role: actor.role,
        at: now,
        audit_sequence: decision.auditSequence,
      }),
    );
    const { disposition } = decision.outcome;
    yield* NOTE_DISPOSITION.send(database, { organizationId, findingId, disposition });
    yield* countDecision(database, { organizationId, key, findingId });
  }
}

/** The item as a whole. */
const WHOLE = "";

/** Reads what is to be decided about: of what was reopened the former decision does not count. */
function* readContents(database: SqlDatabase, key: string): Steps<Contents> {
  const reopened = yield* listReopened(database, key);
  const findings = yield* listFindings(database, key);
  const sampled = yield* listSampledAnswers(database, key, findings);
  if (reopened.size === 0) return { findings, sampled };
  const reopen = <T extends { readonly id: string }>(each: T): T =>
    reopened.has(each.id) ? { ...each, decision: null } : each;
  return { findings: findings.map(reopen), sampled: sampled.map(reopen) };
}

/** Returns what an action decides: about findings and sampled answers, or about an item and those of both that nobody has decided about. */
function findDecided(
  contents: Contents,
  action: ReviewAction,
  item: ReviewItem,
): { readonly findingIds: readonly string[]; readonly outcome: Outcome } | undefined {
  if (action.action === "decide")
    return { findingIds: action.findingIds, outcome: toOutcome(action) };
  const isClosing = action.action === "close" || action.action === "approve";
  if (!isClosing || !item.outcome) return undefined;
  const open = contents.findings.filter(({ decision }) => decision === null);
  const findingIds = [WHOLE, ...[...open, ...listWaiting(contents)].map(({ id }) => id)];
  return { findingIds, outcome: item.outcome };
}

function findUnknown({ findings, sampled }: Contents, action: ReviewAction): Refusal | undefined {
  if (action.action !== "decide") return undefined;
  const known = new Set([...findings, ...sampled].map(({ id }) => id));
  if (action.findingIds.every((id) => known.has(id))) return undefined;
  return { code: "invalid_action", detail: "findingIds must be findings of the conversation" };
}

function* announceEscalation(
  database: Transaction,
  { actor, now }: ActionRequest,
  { key, organizationId, dueAt }: ReviewItem,
  announcing: Announcing,
): Steps<void> {
  const data = { by: actor.name, dueAt };
  const type = "review.escalated";
  yield* announce(database, announcing, { type, at: now, organizationId, key, data });
}

function findContentProblem(action: ReviewAction, contents: Contents): Refusal | undefined {
  return findUnknown(contents, action) ?? findSampleProblem(action, contents);
}

/**
 * Does an action, and writes it down. In a transaction.
 *
 * What a role may not do is written down as well.
 */
export function* act(
  database: Transaction,
  request: ActionRequest,
  { policy, auditKey, announcing, evaluationsUrl }: ReviewSettings,
): Steps<ActionResult> {
  const { key, action, actor, now, version } = request;
  const item = yield* findItem(database, key);
  if (!item) return { status: "missing" };
  if (version !== undefined && version !== item.version) return { status: "outdated", item };
  const { action: name, ...members } = action;
  const { organizationId } = item;
  const write = function* (verb: string, detail: object) {
    return yield* appendAudit(
      database,
      {
        organizationId,
        at: now,
        actor: actor.name,
        role: actor.role,
        action: `review.${verb}`,
        subject: key,
        detail: JSON.stringify(detail),
      },
      { key: auditKey },
    );
  };
  const changed = applyAction(item, action, { actor, now, policy });
  const contents = yield* readContents(database, key);
  const refusal = "code" in changed ? changed : findContentProblem(action, contents);
  if (refusal) {
    if (refusal.code === "forbidden") yield* write("refused", { action: name });
    return { status: "refused", refusal };
  }
  const done = changed as ReviewItem;
  const decided = findDecided(contents, action, done);
  const { sequence } = yield* write(name, { ...members, queue: done.queue, version: done.version });
  if (decided) {
    const comment = "comment" in action ? (action.comment ?? null) : null;
    yield* writeDecisions(database, request, organizationId, {
      ...decided,
      comment,
      auditSequence: sequence,
    });
    if (evaluationsUrl !== undefined)
      yield* sendEvaluations(database, evaluationsUrl, { key, organizationId, sequence, now });
  }
  yield* saveItem(database, done);
  if (name === "escalate") yield* announceEscalation(database, request, done, announcing);
  return { status: "done", item: done };
}
