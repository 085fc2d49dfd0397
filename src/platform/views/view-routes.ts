import type { Context } from "hono";
import { uuidV7 } from "../../util/ids.ts";
import { CONVERSATIONS_QUERY } from "../conversation-routes.ts";
import type { Customers } from "../customers/customers.ts";
import type { PlatformContext } from "../delivery-routes.ts";
import { maskJson, maskText } from "../masking.ts";
import { ProblemError } from "../problem.ts";
import { readAction } from "../read-action.ts";
import type { BodyLease } from "../read-body.ts";
import { choiceMember, type Query, type QueryMembers, readMembers } from "../read-query.ts";
import { requireRole } from "../require-role.ts";
import { QUEUE_QUERY } from "../review-queries.ts";
import { type Actor, mayActAs, type Role } from "../review/roles.ts";
import { get, receive, remove, type Route } from "../route.ts";
import { appendAudit } from "../store/audit-store.ts";
import {
  addView,
  changeView,
  countViews,
  findView,
  hasName,
  listViews,
  removeView,
  type ViewOwner,
} from "../store/view-store.ts";
import {
  type ChangedView,
  changedViewSchema,
  MAX_VIEWS,
  newViewSchema,
  type SavedView,
  type ShownView,
  VIEW_PAGES,
  type ViewPage,
} from "./saved-view.ts";

/** Who may change what everybody sees. */
const SHARING: Role = "supervisor";

const { limit: _limit, before: _before, ...CONVERSATIONS } = CONVERSATIONS_QUERY;
const { limit: _queueLimit, after: _after, ...QUEUE } = QUEUE_QUERY;
/** Members of the address of each page. */
const MEMBERS: Readonly<Record<ViewPage, QueryMembers>> = {
  conversations: CONVERSATIONS,
  queue: QUEUE,
};

function invalidView(member: "name" | "query", detail: string): ProblemError {
  const errors = [{ pointer: `/${member}`, code: "invalid_view", detail }];
  return new ProblemError("invalid_action", "the view is invalid", { errors });
}

/** Returns whether an answer would hide something of it. */
function isMasked(value: object, customers: Customers | undefined): boolean {
  const json = JSON.stringify(value);
  return maskJson(json, customers) !== json;
}

/** Reads the filters of a page, as its address has them: those that it would refuse are refused here. */
function readFilters(text: string, page: ViewPage, customers: Customers | undefined): string {
  const given = new URLSearchParams(text);
  try {
    readMembers(given, MEMBERS[page]);
  } catch (error) {
    throw error instanceof ProblemError ? invalidView("query", error.message) : error;
  }
  const query = given.toString();
  if (isMasked({ query }, customers) || isMasked(Object.fromEntries(given), customers))
    throw invalidView("query", "expected no cards, accounts, secrets or ids of customers");
  return query;
}

/** Reads what somebody saves; a name is read by others as well. */
function readView<View extends ChangedView>(
  { customers }: PlatformContext,
  given: View,
  page: ViewPage,
): View {
  const query = readFilters(given.query, page, customers);
  return { ...given, query, name: maskText(given.name, customers) };
}

function toOwner({ options }: PlatformContext, { name }: Actor): ViewOwner {
  return { organizationId: options.organizationId ?? "", owner: name };
}

function toShown(view: SavedView, { name, role }: Actor): ShownView {
  const mayChange = view.isShared ? mayActAs(role, SHARING) : view.owner === name;
  return { ...view, mayChange };
}

const VIEWS_QUERY = { page: choiceMember(VIEW_PAGES) };

/** Lists the views of a page that somebody sees, by name: `GET /api/views`. */
function answerViews(
  platform: PlatformContext,
  context: Context,
  { page = "conversations" }: Query<typeof VIEWS_QUERY>,
): Response {
  const { authenticator, store } = platform;
  const actor = authenticator.authenticateReading(context.req.raw);
  const views = listViews(store.database, toOwner(platform, actor), page);
  return context.json({
    views: views.map((view) => toShown(view, actor)),
    mayShare: mayActAs(actor.role, SHARING),
  });
}

/** @throws ProblemError 409 where the name is taken, or there are too many */
function verifyRoom(
  { store: { database } }: PlatformContext,
  by: ViewOwner,
  view: SavedView,
  before?: SavedView,
): void {
  const conflict = (detail: string): ProblemError => new ProblemError("view_conflict", detail);
  const owner = { ...by, owner: view.owner };
  if (hasName(database, owner, view)) throw conflict("there is a view of this name");
  if (!before && countViews(database, owner, "own") >= MAX_VIEWS)
    throw conflict(`at most ${MAX_VIEWS} views may be saved: remove one`);
  const isNewlyShared = view.isShared && before?.isShared !== true;
  if (isNewlyShared && countViews(database, owner, "shared") >= MAX_VIEWS)
    throw conflict(`at most ${MAX_VIEWS} views may be shared: remove one`);
}

/** Does something with views, and writes it down, in one transaction. */
async function answerChange(
  platform: PlatformContext,
  context: Context,
  { actor, verb, status = 200 }: { actor: Actor; verb: string; status?: 200 | 201 },
  work: (by: ViewOwner, now: number) => SavedView,
): Promise<Response> {
  const { store, options } = platform;
  const by = toOwner(platform, actor);
  const at = options.clock.now();
  // oxlint-disable-next-line require-yield -- a few statements, done in one turn
  const view = await store.write(function* () {
    const done = work(by, at);
    const { id, page, name, isShared, owner } = done;
    const entry = { organizationId: by.organizationId, at, actor: actor.name, role: actor.role };
    // Without the filters: words that are searched for may be a customer's.
    const detail = JSON.stringify({ page, name, isShared, owner });
    appendAudit(
      store.database,
      { ...entry, action: `view.${verb}`, subject: id, detail },
      { key: store.review.auditKey },
    );
    return done;
  });
  return context.json({ view: toShown(view, actor) }, status);
}

/** Saves the filters of a page under a name: `POST /api/views`. */
async function saveView(
  platform: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const { database } = platform.store;
  const read = await readAction(platform, context, lease, newViewSchema);
  const needed = read.isShared ? SHARING : "viewer";
  const actor = await requireRole(platform, context, needed, { action: "view.save" });
  const given = readView(platform, read, read.page);
  return answerChange(platform, context, { actor, verb: "save", status: 201 }, (by, now) => {
    const view = { id: uuidV7(now), owner: by.owner, createdAt: now, changedAt: now, ...given };
    verifyRoom(platform, by, view);
    addView(database, by.organizationId, view);
    return view;
  });
}

function readShown({ store }: PlatformContext, by: ViewOwner, context: Context): SavedView {
  const view = findView(store.database, by, context.req.param("id") ?? "");
  if (!view) throw new ProblemError("not_found", "there is no such view");
  return view;
}

/** Finds the view of a request, and who may change it. */
async function findChangeable(
  platform: PlatformContext,
  context: Context,
  action: string,
  willBeShared = false,
): Promise<{ actor: Actor; view: SavedView }> {
  const actor = platform.authenticator.authenticateReading(context.req.raw);
  const view = readShown(platform, toOwner(platform, actor), context);
  const needed = view.isShared || willBeShared ? SHARING : "viewer";
  await requireRole(platform, context, needed, { action, subject: view.id });
  return { actor, view };
}

/** Changes the name, the filters or the readers of a view: `PUT /api/views/{id}`. */
async function replaceView(
  platform: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const { database } = platform.store;
  const read = await readAction(platform, context, lease, changedViewSchema);
  const { actor, view } = await findChangeable(platform, context, "view.change", read.isShared);
  const given = readView(platform, read, view.page);
  return answerChange(platform, context, { actor, verb: "change" }, (by, now) => {
    readShown(platform, by, context);
    const changed = { ...view, ...given, changedAt: now };
    verifyRoom(platform, by, changed, view);
    changeView(database, view.id, given, now);
    return changed;
  });
}

/** Removes a view: `DELETE /api/views/{id}`. */
async function deleteView(platform: PlatformContext, context: Context): Promise<Response> {
  const { actor, view } = await findChangeable(platform, context, "view.remove");
  return answerChange(platform, context, { actor, verb: "remove" }, (by) => {
    readShown(platform, by, context);
    removeView(platform.store.database, view.id);
    return view;
  });
}

/** Routes of views: filters of a page that somebody has given a name. */
export const VIEW_ROUTES: readonly Route[] = [
  get("/api/views", VIEWS_QUERY, answerViews),
  receive("POST", "/api/views", saveView),
  receive("PUT", "/api/views/:id", replaceView),
  remove("/api/views/:id", deleteView),
];
