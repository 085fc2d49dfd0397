import type { Context } from "hono";
import { BATCH_LINES_MEDIA_TYPE, IDEMPOTENCY_HEADER } from "../events/wire.ts";
import type { PlatformContext } from "./delivery-routes.ts";
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
import { act, type ActionRequest, type ActionResult } from "./store/review-desk.ts";
import { findShownItem, listQueue, type ShownItem } from "./store/review-queue.ts";
import { listSampledAnswers } from "./store/sampled-answers.ts";
import type { SqlDatabase } from "./store/sql-database.ts";
import { showConversation, type UNMASKED_QUERY } from "./unmask-routes.ts";

const NO_SUCH_ITEM = "the conversation is not in the queue";
/** Records of an item's history that are shown, the newest. */
const HISTORY_LIMIT = 200;

function toEntityTag({ version }: Pick<ShownItem, "version">): string {
  return `"${version}"`;
}

/** Lists the queue: `GET /api/reviews`. */
export function answerQueue(
  { store, options }: PlatformContext,
  context: Context,
  query: Query<typeof QUEUE_QUERY>,
): Response {
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
  const { items, next } = listQueue(store.database, page);
  return context.json({ items, next: formatCursor(next) });
}

function readItem({ store, options }: PlatformContext, key: string): ShownItem {
  const item = findShownItem(store.database, key, options.clock.now());
  if (!item) throw new ProblemError("not_found", NO_SUCH_ITEM);
  return item;
}

/** Reads what was done to an item, the newest first. */
function readHistory(database: SqlDatabase, key: string): AuditRecord[] {
  const filter = { subject: key, actor: undefined, action: undefined };
  return listAudit(database, { ...filter, limit: HISTORY_LIMIT, before: Number.MAX_SAFE_INTEGER });
}

/** Returns an item with its findings and what was done to it: `GET /api/reviews/{key}`. */
export function answerItem(
  platform: PlatformContext,
  context: Context,
  { unmasked }: Query<typeof UNMASKED_QUERY>,
): Response {
  const { database } = platform.store;
  const key = context.req.param("key") ?? "";
  const item = readItem(platform, key);
  const history = readHistory(database, key);
  const findings = listFindings(database, key);
  const sampled = listSampledAnswers(database, key, findings);
  const whole = { item, findings, sampled, history };
  const response = context.json(whole, 200, { etag: toEntityTag(item) });
  return showConversation(platform, context, { key, unmasked }, response);
}

/**
 * Returns a conversation's findings with what was decided about each last, and its item, if it is in the queue:
 * `GET /api/conversations/{key}/findings`.
 */
export function answerFindings(
  { store: { database }, options }: PlatformContext,
  context: Context,
): Response {
  const key = context.req.param("key") ?? "";
  if (!findConversation(database, key))
    throw new ProblemError("not_found", "there is no such conversation");
  const item = findShownItem(database, key, options.clock.now()) ?? null;
  const history = item ? readHistory(database, key) : [];
  return context.json({ item, findings: listFindings(database, key), history });
}

/** Reads `If-Match`: the version that the client has seen. @see RFC 9110, 13.1.1 */
function readVersion(context: Context): number | undefined {
  const header = context.req.header("if-match");
  if (header === undefined || header.trim() === "*") return undefined;
  const version = /^"(\d{1,15})"$/.exec(header.trim())?.[1];
  if (version === undefined)
    throw new ProblemError("outdated", "expected the item's ETag in If-Match");
  return Number(version);
}

function readIdempotencyKey(context: Context): string | undefined {
  const header = context.req.header(IDEMPOTENCY_HEADER);
  if (header === undefined) return undefined;
  const key = /^"?([\x21\x23-\x7e]{1,128})"?$/.exec(header.trim())?.[1];
  if (key === undefined)
    throw new ProblemError(
      "invalid_action",
      "expected 1 to 128 visible characters in Idempotency-Key",
    );
  return key;
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

function doAct(
  { store, options }: PlatformContext,
  request: Omit<ActionRequest, "now">,
): Promise<ActionResult> {
  // oxlint-disable-next-line require-yield -- a few statements, done in one turn
  return store.write(function* () {
    return act(store.database, { ...request, now: options.clock.now() }, store.review);
  });
}

/** Does something with an item: `POST /api/reviews/{key}/actions`. */
export async function takeAction(
  platform: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const actor = platform.authenticator.authenticateReading(context.req.raw);
  const key = context.req.param("key") ?? "";
  const version = readVersion(context);
  const idempotencyKey = readIdempotencyKey(context);
  const action = maskComment(await readAction(platform, context, lease, reviewActionSchema));
  const result = await doAct(platform, { key, action, actor, version, idempotencyKey });
  if (result.status === "missing") throw new ProblemError("not_found", NO_SUCH_ITEM);
  if (result.status === "refused") throw toProblem(result.refusal);
  if (result.status === "outdated") {
    const headers = { etag: toEntityTag(result.item) };
    throw new ProblemError("outdated", "the item has changed since it was read", { headers });
  }
  const item = readItem(platform, key);
  return context.json({ item }, 200, { etag: toEntityTag(item) });
}

/** Puts a conversation into the queue by hand, or back into it: `POST /api/reviews`. */
export async function addItem(
  platform: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const { authenticator, options, store } = platform;
  const actor = authenticator.authenticateReading(context.req.raw);
  const idempotencyKey = readIdempotencyKey(context);
  const { comment, ...rest } = await readAction(platform, context, lease, manualItemSchema);
  const given = { ...rest, comment: maskText(comment) };
  // oxlint-disable-next-line require-yield -- a few statements, done in one turn
  const result = await store.write(function* () {
    const request = { given, actor, now: options.clock.now(), idempotencyKey };
    return addManualItem(store.database, request, store.review);
  });
  if (result.status === "missing")
    throw new ProblemError("not_found", "there is no such conversation");
  if (result.status === "refused") throw toProblem(result.refusal);
  const item = readItem(platform, given.key);
  const isNew = result.status === "done" && result.item.version === 1;
  return context.json({ item }, isNew ? 201 : 200, { etag: toEntityTag(item) });
}

/** Does the same with many items, each by itself: `POST /api/reviews/actions`. */
export async function takeBulkAction(
  platform: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const actor = platform.authenticator.authenticateReading(context.req.raw);
  const idempotencyKey = readIdempotencyKey(context);
  const { keys, ...bulk } = await readAction(platform, context, lease, bulkActionSchema);
  const results: object[] = [];
  for (const key of new Set(keys)) {
    const ownKey = idempotencyKey === undefined ? undefined : `${idempotencyKey}/${key}`;
    const action = maskComment(bulk.action);
    const request = { key, action, actor, version: undefined, idempotencyKey: ownKey };
    const result = await doAct(platform, request);
    const { status } = result;
    results.push(status === "refused" ? { key, status, ...result.refusal } : { key, status });
  }
  return context.json({ results });
}

/** Lists what was done, the newest first: `GET /api/audit`. */
export function answerAudit(
  { store }: PlatformContext,
  context: Context,
  { limit, before, ...filter }: Query<typeof AUDIT_QUERY>,
): Response {
  const records = listAudit(store.database, { limit, before, ...filter });
  const last = records.length === limit ? records.at(-1) : undefined;
  return context.json({ records, next: last?.sequence ?? null });
}

function* toTrailLines(database: SqlDatabase): Generator<Buffer> {
  for (const records of readTrail(database))
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
export function answerMe(
  { authenticator, options, signIn }: PlatformContext,
  context: Context,
): Response {
  const { name, role } = authenticator.authenticateReading(context.req.raw);
  const isSignedIn = signIn.sessions.find(context.req.raw) !== undefined;
  return context.json({ name, role, isSignedIn, review: options.review });
}
