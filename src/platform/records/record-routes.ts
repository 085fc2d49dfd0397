import type { Context } from "hono";
import * as z from "zod";
import type { PlatformContext } from "../delivery-routes.ts";
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
import { countDue, purge, type PurgeRoom } from "./purge.ts";

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
function answerHolds(
  { store }: PlatformContext,
  context: Context,
  { limit, before, active }: Query<typeof HOLDS_QUERY>,
): Response {
  const isActive = active === undefined ? undefined : active === "true";
  const holds = listHolds(store.database, { limit, before, isActive });
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
      ? { ...given, selector: { ...given.selector, customer: customers.toMeant(customer) } }
      : given;
  // oxlint-disable-next-line require-yield -- a few statements, done in one turn
  const hold = await store.write(function* () {
    if (listActiveHolds(store.database).length >= MAX_ACTIVE_HOLDS)
      throw new ProblemError("hold_conflict", `there are ${MAX_ACTIVE_HOLDS} holds already`);
    return placeHold(store.database, request, { actor, now: options.clock.now() }, store.review);
  });
  return context.json({ hold }, 201);
}

function readHold({ store }: PlatformContext, context: Context): Hold {
  const text = context.req.param("id") ?? "";
  const hold = /^\d{1,15}$/.test(text) ? findHold(store.database, Number(text)) : undefined;
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
  const { reason } = await readAction(platform, context, lease, releaseHoldSchema);
  const { store, options } = platform;
  // oxlint-disable-next-line require-yield -- a few statements, done in one turn
  const hold = await store.write(function* () {
    const held = readHold(platform, context);
    if (held.release) throw new ProblemError("hold_conflict", "the hold was released before");
    const by = { actor, now: options.clock.now() };
    return releaseHold(store.database, held, reason, by, store.review);
  });
  return context.json({ hold });
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
  const body = await readAction(platform, context, lease, purgeSchema);
  const { dryRun = false, reason, after } = body;
  if (dryRun) return context.json(await report(platform));
  const part = { actor, reason, after, limit: PURGE_LIMIT };
  return context.json(await purge(toPurgeRoom(platform), part));
}

/** Routes of records: what is kept how long, holds, purges. */
export const RECORD_ROUTES: readonly Route[] = [
  get("/api/retention", {}, answerRetention),
  get("/api/holds", HOLDS_QUERY, answerHolds),
  receive("POST", "/api/holds", takeHold),
  receive("POST", "/api/holds/:id/release", takeRelease),
  receive("POST", "/api/purge", takePurge),
];
