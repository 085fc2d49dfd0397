import type { Context } from "hono";
import * as z from "zod";
import { changeInPartsOnce, changeOnce } from "../change-once.ts";
import type { PlatformContext } from "../platform-context.ts";
import { COUNT, pageOf } from "../openapi/json-schema.ts";
import { jsonOf } from "../openapi/route-doc.ts";
import { ProblemError } from "../problem.ts";
import type { BodyLease } from "../read-body.ts";
import { BEFORE, choiceMember, LIST_LIMIT, type Query } from "../read-query.ts";
import { get, receive, type Route } from "../route.ts";
import {
  findHold,
  type Hold,
  listActiveHolds,
  listHolds,
  MAX_ACTIVE_HOLDS,
  placeHold,
  releaseHold,
} from "../store/hold-store.ts";
import { placeHoldSchema, releaseHoldSchema } from "./legal-hold.ts";
import { readAction } from "../read-action.ts";
import { requireRole } from "../require-role.ts";
import { HOLD, ONE_HOLD, PURGED, RETENTION } from "./record-answers.ts";
import { countDue, purge, type PurgeRoom } from "./purge.ts";
import { followSteps, type Steps } from "../turns.ts";
import type { SqlDatabase } from "../store/sql-database.ts";

/** Returns what a purge works with. */
export function toPurgeRoom({ store, turns, options, steadyTime }: PlatformContext): PurgeRoom {
  const { clock, retention: policy } = options;
  return { store, turns, policy, asOf: steadyTime, now: () => clock.now() };
}

function report({ store, turns, options, steadyTime }: PlatformContext) {
  return turns.take(countDue(store.database, { policy: options.retention, asOf: steadyTime() }));
}

/** Returns the classes, and what a purge would remove: `GET /api/retention`. */
async function answerRetention(platform: PlatformContext, context: Context): Promise<Response> {
  return context.json(await report(platform));
}

const HOLDS_QUERY = {
  limit: LIST_LIMIT,
  before: BEFORE,
  active: choiceMember(["true", "false"]),
};

/** Lists holds, the newest first: `GET /api/holds`. */
function* answerHolds(
  { store }: PlatformContext,
  context: Context,
  { limit, before, active }: Query<typeof HOLDS_QUERY>,
): Steps<Response> {
  const isActive = active === undefined ? undefined : active === "true";
  const holds = yield* listHolds(store.database, { limit, before, isActive });
  return context.json({ holds, next: holds.length === limit ? (holds.at(-1)?.id ?? null) : null });
}

/** Places a hold: `POST /api/holds`. */
async function takeHold(
  platform: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const actor = await requireRole(platform, context, "supervisor", { action: "hold.place" });
  const given = await readAction(platform, context, lease, placeHoldSchema);
  const { store, options, customers } = platform;
  const { customer } = given.selector;
  // A hold is placed for whom a court names, and outlasts the key of the pseudonyms.
  const request =
    customers && customer !== undefined
      ? {
          ...given,
          selector: { ...given.selector, customer: await followSteps(customers.toMeant(customer)) },
        }
      : given;
  return changeOnce(platform, context, { actor, request }, function* (transaction) {
    if ((yield* listActiveHolds(transaction)).length >= MAX_ACTIVE_HOLDS)
      return new ProblemError("hold_conflict", `there are ${MAX_ACTIVE_HOLDS} holds already`);
    const by = { actor, now: options.clock.now() };
    const hold = yield* placeHold(transaction, request, by, store.review);
    return { status: 201, body: { hold }, organizationId: hold.organizationId };
  });
}

function* readHold(database: SqlDatabase, context: Context): Steps<Hold> {
  const text = context.req.param("id") ?? "";
  const hold = /^\d{1,15}$/.test(text) ? yield* findHold(database, Number(text)) : undefined;
  if (!hold) throw new ProblemError("not_found", "there is no such hold");
  return hold;
}

/** Releases a hold: `POST /api/holds/{id}/release`. */
async function takeRelease(
  platform: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const actor = await requireRole(platform, context, "supervisor", { action: "hold.release" });
  const request = await readAction(platform, context, lease, releaseHoldSchema);
  const { store, options } = platform;
  return changeOnce(platform, context, { actor, request }, function* (transaction) {
    const held = yield* readHold(transaction, context);
    if (held.release) return new ProblemError("hold_conflict", "the hold was released before");
    const by = { actor, now: options.clock.now() };
    const hold = yield* releaseHold(transaction, held, request.reason, by, store.review);
    return { body: { hold }, organizationId: hold.organizationId };
  });
}

/** Conversations that one request removes: the rest is for the next one. */
const PURGE_LIMIT = 500;

const cursorSchema = z.strictObject({
  lastAt: z.int().nonnegative(),
  seq: z.int().nonnegative(),
});

const purgeSchema = z.strictObject({
  dryRun: z.boolean().optional().describe("Only says what would be removed."),
  reason: z.string().trim().min(1).max(4000).optional(),
  after: cursorSchema.optional().describe("`next` of the purge before."),
});

/** Removes what is due, or says what would be: `POST /api/purge`. */
async function takePurge(
  platform: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const actor = await requireRole(platform, context, "admin", { action: "records.purge" });
  const request = await readAction(platform, context, lease, purgeSchema);
  const { dryRun = false, reason, after } = request;
  if (dryRun) return context.json(await report(platform));
  const part = { actor, reason, after, limit: PURGE_LIMIT };
  return changeInPartsOnce(platform, context, { actor, request }, async () => ({
    body: await purge(toPurgeRoom(platform), part),
  }));
}

/** Routes of records: what is kept how long, holds, purges. */
export const RECORD_ROUTES: readonly Route[] = [
  get(
    "/api/retention",
    {},
    {
      summary: "Returns the retention classes, and what a purge would remove.",
      answers: { 200: jsonOf(RETENTION) },
    },
    answerRetention,
  ),
  get(
    "/api/holds",
    HOLDS_QUERY,
    {
      summary: "Lists legal holds, the newest first.",
      answers: { 200: jsonOf(pageOf("holds", HOLD, COUNT)) },
    },
    answerHolds,
  ),
  receive(
    "POST",
    "/api/holds",
    {
      summary: "Places a legal hold.",
      body: placeHoldSchema,
      answers: { 201: jsonOf(ONE_HOLD) },
      problems: ["hold_conflict"],
      role: "supervisor",
      isOnce: true,
    },
    takeHold,
  ),
  receive(
    "POST",
    "/api/holds/:id/release",
    {
      summary: "Releases a legal hold.",
      body: releaseHoldSchema,
      answers: { 200: jsonOf(ONE_HOLD) },
      problems: ["hold_conflict", "not_found"],
      role: "supervisor",
      isOnce: true,
    },
    takeRelease,
  ),
  receive(
    "POST",
    "/api/purge",
    {
      summary: "Removes what is due, or says what would be.",
      body: purgeSchema,
      answers: { 200: jsonOf(PURGED) },
      role: "admin",
      isOnce: true,
    },
    takePurge,
  ),
];
