import type { Context } from "hono";
import { BATCH_LINES_MEDIA_TYPE } from "../events/wire.ts";
import { changeOnce } from "./change-once.ts";
import type { PlatformContext } from "./platform-context.ts";
import { readVersion, toEntityTag, toOutdated } from "./entity-tag.ts";
import { maskText } from "./masking.ts";
import { ProblemError } from "./problem.ts";
import { readAction } from "./read-action.ts";
import type { BodyLease } from "./read-body.ts";
import { requireRole } from "./require-role.ts";
import { formatCursor, type Query } from "./read-query.ts";
import {
  bulkActionSchema,
  type Refusal,
  type ReviewAction,
  reviewActionSchema,
} from "./review/review-action.ts";
import { manualItemSchema } from "./review/manual-item.ts";
import type { AUDIT_QUERY, QUEUE_QUERY } from "./review-queries.ts";
import type { AuditRecord } from "./review/audit-trail.ts";
import { listAudit, readTrail } from "./store/audit-store.ts";
import { findConversation } from "./store/conversation-store.ts";
import { listFindings } from "./store/finding-store.ts";
import { addManualItem } from "./store/manual-item-desk.ts";
import { act } from "./store/review-desk.ts";
import { findShownItem, listQueue, type ShownItem } from "./store/review-queue.ts";
import { listSampledAnswers } from "./store/sampled-answers.ts";
import type { SqlDatabase } from "./store/sql-database.ts";
import { showConversation, type UNMASKED_QUERY } from "./unmask-routes.ts";
import type { Steps } from "./turns.ts";

const NO_SUCH_ITEM = "the conversation is not in the queue";
/** Records of an item's history that are shown, the newest. */
const HISTORY_LIMIT = 200;

/** Lists the queue: `GET /api/reviews`. */
export function* answerQueue(
  { store, options }: PlatformContext,
  context: Context,
  query: Query<typeof QUEUE_QUERY>,
): Steps<Response> {
  const { limit, after, order = "rank", overdue, ...given } = query;
  const { agent, severity, risk, q, customer, channel, model, tool, error, ...rest } = given;
  const { version, environment } = rest;
  const filter = {
    ...rest,
    agentId: agent,
    minSeverity: severity,
    minRisk: risk,
    onlyOverdue: overdue === "true",
  };
  const said = { customer, channel, model, tool, error };
  const isAsked = Object.values(said).some((value) => value !== undefined);
  // Of the finding if nothing else is asked for, of the event that says the rest otherwise.
  const conversations = isAsked ? { q, ...said, version, environment } : { q };
  const page = { filter, conversations, order, after, limit, now: options.clock.now() };
  const { items, next } = yield* listQueue(store.database, page);
  return context.json({ items, next: formatCursor(next) });
}

function* readItem(database: SqlDatabase, key: string, now: number): Steps<ShownItem> {
  const item = yield* findShownItem(database, key, now);
  if (!item) throw new ProblemError("not_found", NO_SUCH_ITEM);
  return item;
}

/** Reads what was done to an item, the newest first. */
function* readHistory(database: SqlDatabase, key: string): Steps<AuditRecord[]> {
  const filter = { subject: key, actor: undefined, action: undefined };
  return yield* listAudit(database, {
    ...filter,
    limit: HISTORY_LIMIT,
    before: Number.MAX_SAFE_INTEGER,
  });
}

/** Returns an item with its findings and what was done to it: `GET /api/reviews/{key}`. */
export function* answerItem(
  platform: PlatformContext,
  context: Context,
  { unmasked }: Query<typeof UNMASKED_QUERY>,
): Steps<Response> {
  const { store, options } = platform;
  const { database } = store;
  const key = context.req.param("key") ?? "";
  const item = yield* readItem(database, key, options.clock.now());
  const history = yield* readHistory(database, key);
  const findings = yield* listFindings(database, key);
  const sampled = yield* listSampledAnswers(database, key, findings);
  const whole = { item, findings, sampled, history };
  const response = context.json(whole, 200, { etag: toEntityTag(item) });
  return yield* showConversation(platform, context, { key, unmasked }, response);
}

/**
 * Returns a conversation's findings with what was decided about each last, and its item, if it is in the queue:
 * `GET /api/conversations/{key}/findings`.
 */
export function* answerFindings(
  { store: { database }, options }: PlatformContext,
  context: Context,
): Steps<Response> {
  const key = context.req.param("key") ?? "";
  if (!(yield* findConversation(database, key)))
    throw new ProblemError("not_found", "there is no such conversation");
  const item = (yield* findShownItem(database, key, options.clock.now())) ?? null;
  const history = item ? yield* readHistory(database, key) : [];
  const whole = { item, findings: yield* listFindings(database, key), history };
  return context.json(whole, 200, item ? { etag: toEntityTag(item) } : {});
}

/** The trail is read by more people than the conversation. */
function maskComment(action: ReviewAction): ReviewAction {
  if (!("comment" in action) || action.comment === undefined) return action;
  return { ...action, comment: maskText(action.comment) };
}

function toProblem({ code, detail }: Refusal): ProblemError {
  // A name of a user is in it.
  return new ProblemError(code, detail, { logged: "an action was refused" });
}

/** Does something with an item: `POST /api/reviews/{key}/actions`. */
export async function takeAction(
  platform: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const { store, options, authenticator } = platform;
  const actor = authenticator.readerOf(context.req.raw);
  const key = context.req.param("key") ?? "";
  const version = readVersion(context);
  const action = maskComment(await readAction(platform, context, lease, reviewActionSchema));
  return changeOnce(platform, context, { actor, request: action }, function* (transaction) {
    const now = options.clock.now();
    const asked = { key, action, actor, version, now };
    const result = yield* act(transaction, asked, store.review);
    if (result.status === "missing") return new ProblemError("not_found", NO_SUCH_ITEM);
    if (result.status === "refused") return toProblem(result.refusal);
    if (result.status === "outdated") return toOutdated(result.item);
    const item = yield* readItem(transaction, key, now);
    const { organizationId } = item;
    return { body: { item }, etag: toEntityTag(item), organizationId, conversationKey: key };
  });
}

/** Puts a conversation into the queue by hand, or back into it: `POST /api/reviews`. */
export async function addItem(
  platform: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const { authenticator, options, store } = platform;
  const actor = authenticator.readerOf(context.req.raw);
  const { comment, ...rest } = await readAction(platform, context, lease, manualItemSchema);
  const given = { ...rest, comment: maskText(comment) };
  return changeOnce(platform, context, { actor, request: given }, function* (transaction) {
    const now = options.clock.now();
    const result = yield* addManualItem(transaction, { given, actor, now }, store.review);
    if (result.status === "missing")
      return new ProblemError("not_found", "there is no such conversation");
    if (result.status === "refused") return toProblem(result.refusal);
    const item = yield* readItem(transaction, given.key, now);
    const { organizationId, version } = item;
    const facts = { organizationId, conversationKey: given.key };
    return { status: version === 1 ? 201 : 200, body: { item }, etag: toEntityTag(item), ...facts };
  });
}

/** Does the same with many items, each by itself: `POST /api/reviews/actions`. */
export async function takeBulkAction(
  platform: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const { store, options, authenticator } = platform;
  const actor = authenticator.readerOf(context.req.raw);
  const request = await readAction(platform, context, lease, bulkActionSchema);
  const action = maskComment(request.action);
  return changeOnce(platform, context, { actor, request }, function* (transaction) {
    const results: object[] = [];
    for (const key of new Set(request.keys)) {
      yield;
      const asked = { key, action, actor, version: undefined, now: options.clock.now() };
      const result = yield* act(transaction, asked, store.review);
      const { status } = result;
      results.push(status === "refused" ? { key, status, ...result.refusal } : { key, status });
    }
    return { body: { results } };
  });
}

/** Lists what was done, the newest first: `GET /api/audit`. */
export function* answerAudit(
  { store }: PlatformContext,
  context: Context,
  { limit, before, ...filter }: Query<typeof AUDIT_QUERY>,
): Steps<Response> {
  const records = yield* listAudit(store.database, { limit, before, ...filter });
  const last = records.length === limit ? records.at(-1) : undefined;
  return context.json({ records, next: last?.sequence ?? null });
}

async function* toTrailLines(database: SqlDatabase): AsyncGenerator<Buffer> {
  for await (const records of readTrail(database))
    yield Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

/** Returns the whole trail, a record a line, for `verify`: `GET /api/audit/export`. */
export async function answerTrail(platform: PlatformContext, context: Context): Promise<Response> {
  const { store, customers } = platform;
  // Its bytes can't be changed, and what people have written in it may name customers.
  if (customers) await requireRole(platform, context, "supervisor", { action: "audit.export" });
  const lines = ReadableStream.from(toTrailLines(store.database));
  return context.body(lines, 200, { "content-type": BATCH_LINES_MEDIA_TYPE });
}

/** Returns who asks, and the rules of the review: `GET /api/me`. */
export async function answerMe(
  { authenticator, options, signIn }: PlatformContext,
  context: Context,
): Promise<Response> {
  const { name, role } = authenticator.readerOf(context.req.raw);
  const isSignedIn = (await signIn.sessions.find(context.req.raw)) !== undefined;
  return context.json({ name, role, isSignedIn, review: options.review });
}
