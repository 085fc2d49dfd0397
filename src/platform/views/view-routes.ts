import type { Context } from "hono";
import { uuidV7 } from "../../util/ids.ts";
import { changeOnce } from "../change-once.ts";
import type { PlatformContext } from "../platform-context.ts";
import { readVersion, toEntityTag, toOutdated } from "../entity-tag.ts";
import { jsonOf } from "../openapi/route-doc.ts";
import { ProblemError } from "../problem.ts";
import { readAction } from "../read-action.ts";
import type { BodyLease } from "../read-body.ts";
import { choiceMember, type Query } from "../read-query.ts";
import { requireRole } from "../require-role.ts";
import { type Actor, mayActAs, type Role } from "../review/roles.ts";
import { get, receive, remove, type Route } from "../route.ts";
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
  changedViewSchema,
  MAX_VIEWS,
  newViewSchema,
  type SavedView,
  type ShownView,
  VIEW_PAGES,
} from "./saved-view.ts";
import { noteAct } from "../write-audit.ts";
import { readView } from "./read-view.ts";
import { ONE_VIEW, VIEWS } from "./view-answers.ts";
import { type Steps, followSteps } from "../turns.ts";
import type { SqlDatabase, Transaction } from "../store/sql-database.ts";

/** Who may change what everybody sees. */
const SHARING: Role = "supervisor";

function toOwner({ options }: PlatformContext, { name }: Actor): ViewOwner {
  return { organizationId: options.organizationId ?? "", owner: name };
}

function toShown(view: SavedView, { name, role }: Actor): ShownView {
  const mayChange = view.isShared ? mayActAs(role, SHARING) : view.owner === name;
  return { ...view, mayChange };
}

const VIEWS_QUERY = { page: choiceMember(VIEW_PAGES) };

/** Lists the views of a page that somebody sees, by name: `GET /api/views`. */
function* answerViews(
  platform: PlatformContext,
  context: Context,
  { page = "conversations" }: Query<typeof VIEWS_QUERY>,
): Steps<Response> {
  const { authenticator, store } = platform;
  const actor = authenticator.readerOf(context.req.raw);
  const views = yield* listViews(store.database, toOwner(platform, actor), page);
  return context.json({
    views: views.map((view) => toShown(view, actor)),
    mayShare: mayActAs(actor.role, SHARING),
  });
}

/** @throws ProblemError 409 where the name is taken, or there are too many */
function* verifyRoom(
  database: SqlDatabase,
  by: ViewOwner,
  view: SavedView,
  before?: SavedView,
): Steps<void> {
  const conflict = (detail: string): ProblemError => new ProblemError("view_conflict", detail);
  const owner = { ...by, owner: view.owner };
  if (yield* hasName(database, owner, view)) throw conflict("there is a view of this name");
  if (!before && (yield* countViews(database, owner, "own")) >= MAX_VIEWS)
    throw conflict(`at most ${MAX_VIEWS} views may be saved: remove one`);
  const isNewlyShared = view.isShared && before?.isShared !== true;
  if (isNewlyShared && (yield* countViews(database, owner, "shared")) >= MAX_VIEWS)
    throw conflict(`at most ${MAX_VIEWS} views may be shared: remove one`);
}

/** A change of a view that somebody asks for. */
interface AskedView {
  readonly actor: Actor;
  readonly request: object;
  readonly verb: "change" | "remove" | "save";
}

/** Does something with views once, and writes it down, in one transaction. */
async function answerChange(
  platform: PlatformContext,
  context: Context,
  { actor, request, verb }: AskedView,
  work: (transaction: Transaction, by: ViewOwner, now: number) => Steps<SavedView>,
): Promise<Response> {
  const by = toOwner(platform, actor);
  return changeOnce(platform, context, { actor, request }, function* (transaction) {
    const view = yield* work(transaction, by, platform.options.clock.now());
    const { organizationId } = by;
    const { id, page, name, isShared, owner } = view;
    // Without the filters: words that are searched for may be a customer's.
    const detail = { page, name, isShared, owner };
    yield* noteAct(platform, transaction, actor, {
      action: `view.${verb}`,
      subject: id,
      detail,
      organizationId,
    });
    const status = verb === "save" ? 201 : 200;
    return {
      status,
      body: { view: toShown(view, actor) },
      etag: toEntityTag(view),
      organizationId,
    };
  });
}

/** Saves the filters of a page under a name: `POST /api/views`. */
async function saveView(
  platform: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const read = await readAction(platform, context, lease, newViewSchema);
  const needed = read.isShared ? SHARING : "viewer";
  const actor = await requireRole(platform, context, needed, { action: "view.save" });
  const given = await followSteps(readView(platform, read, read.page));
  const asked = { actor, request: given, verb: "save" } as const;
  return answerChange(platform, context, asked, function* (transaction, by, now) {
    const facts = { owner: by.owner, createdAt: now, changedAt: now, version: 1 };
    const view = { id: uuidV7(now), ...facts, ...given };
    yield* verifyRoom(transaction, by, view);
    yield* addView(transaction, by.organizationId, view);
    return view;
  });
}

function* readShown(database: SqlDatabase, by: ViewOwner, context: Context): Steps<SavedView> {
  const view = yield* findView(database, by, context.req.param("id") ?? "");
  if (!view) throw new ProblemError("not_found", "there is no such view");
  return view;
}

/** Reads a view that is about to be changed. @throws ProblemError 412 where somebody else has changed it since it was read */
function* readCurrent(database: SqlDatabase, by: ViewOwner, context: Context): Steps<SavedView> {
  const view = yield* readShown(database, by, context);
  const version = readVersion(context);
  if (version !== undefined && version !== view.version) throw toOutdated(view);
  return view;
}

/** Finds the view of a request, and who may change it. */
async function findChangeable(
  platform: PlatformContext,
  context: Context,
  action: string,
  willBeShared = false,
): Promise<{ actor: Actor; view: SavedView }> {
  const actor = platform.authenticator.readerOf(context.req.raw);
  const view = await followSteps(
    readShown(platform.store.database, toOwner(platform, actor), context),
  );
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
  const read = await readAction(platform, context, lease, changedViewSchema);
  const { actor, view } = await findChangeable(platform, context, "view.change", read.isShared);
  const given = await followSteps(readView(platform, read, view.page));
  const asked = { actor, request: given, verb: "change" } as const;
  return answerChange(platform, context, asked, function* (transaction, by, now) {
    const current = yield* readCurrent(transaction, by, context);
    const changed = { ...current, ...given, changedAt: now, version: current.version + 1 };
    yield* verifyRoom(transaction, by, changed, current);
    yield* changeView(transaction, changed);
    return changed;
  });
}

/** Removes a view: `DELETE /api/views/{id}`. */
async function deleteView(platform: PlatformContext, context: Context): Promise<Response> {
  const { actor } = await findChangeable(platform, context, "view.remove");
  const asked = { actor, request: {}, verb: "remove" } as const;
  return answerChange(platform, context, asked, function* (transaction, by) {
    const view = yield* readCurrent(transaction, by, context);
    yield* removeView(transaction, view.id);
    return view;
  });
}

/** Routes of views: filters of a page that somebody has given a name. */
export const VIEW_ROUTES: readonly Route[] = [
  get(
    "/api/views",
    VIEWS_QUERY,
    {
      summary: "Lists the saved views of a page that somebody sees.",
      answers: {
        200: jsonOf(VIEWS),
      },
    },
    answerViews,
  ),
  receive(
    "POST",
    "/api/views",
    {
      summary: "Saves the filters of a page under a name.",
      body: newViewSchema,
      answers: { 201: jsonOf(ONE_VIEW) },
      problems: ["forbidden", "view_conflict"],
      isOnce: true,
      version: "shown",
    },
    saveView,
  ),
  receive(
    "PUT",
    "/api/views/:id",
    {
      summary: "Changes the name, the filters or the readers of a view.",
      body: changedViewSchema,
      answers: { 200: jsonOf(ONE_VIEW) },
      problems: ["forbidden", "not_found", "view_conflict"],
      isOnce: true,
      version: "matched",
    },
    replaceView,
  ),
  remove(
    "/api/views/:id",
    {
      summary: "Removes a view.",
      answers: { 200: jsonOf(ONE_VIEW) },
      problems: ["forbidden", "not_found"],
      version: "matched",
    },
    deleteView,
  ),
];
