import { MAX_VIEWS, type SavedView, type ViewPage } from "../views/saved-view.ts";
import { change, db, readNumber, readRow, readRows } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

const SELECT = db
  .selectFrom("saved_view")
  .select([
    "id",
    "page",
    "name",
    "query",
    "owner",
    "is_shared as isShared",
    "created_at as createdAt",
    "changed_at as changedAt",
    "version",
  ]);

type Row = Omit<SavedView, "isShared" | "page"> & {
  readonly isShared: number;
  readonly page: string;
};

const toView = ({ isShared, page, ...rest }: Row): SavedView => ({
  ...rest,
  page: page as ViewPage,
  isShared: isShared === 1,
});

/** Whose views are asked for. */
export interface ViewOwner {
  readonly organizationId: string;
  readonly owner: string;
}

const isOf = ({ organizationId }: ViewOwner) =>
  SELECT.where("organization_id", "=", organizationId);

/** Lists somebody's views of a page, and those that everybody sees, by name. */
export function* listViews(
  database: SqlDatabase,
  by: ViewOwner,
  page: ViewPage,
): Steps<SavedView[]> {
  const query = isOf(by)
    .where("page", "=", page)
    .where((eb) => eb.or([eb("owner", "=", by.owner), eb("is_shared", "=", eb.lit(1))]))
    .orderBy("name")
    .orderBy("id")
    .limit(2 * MAX_VIEWS);
  return (yield* readRows(database, query)).map(toView);
}

/** Finds a view that somebody sees. */
export function* findView(
  database: SqlDatabase,
  by: ViewOwner,
  id: string,
): Steps<SavedView | undefined> {
  const row = yield* readRow(database, isOf(by).where("id", "=", id));
  const view = row && toView(row);
  return view && (view.isShared || view.owner === by.owner) ? view : undefined;
}

/** Returns whether somebody has another view of a page with a name. */
export function* hasName(
  database: SqlDatabase,
  { organizationId, owner }: ViewOwner,
  { page, name, id }: Pick<SavedView, "id" | "name" | "page">,
): Steps<boolean> {
  const query = db
    .selectFrom("saved_view")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("owner", "=", owner)
    .where("page", "=", page)
    .where("name", "=", name)
    .where("id", "!=", id);
  return (yield* readRow(database, query)) !== undefined;
}

/** Counts the views that somebody has saved, or those that everybody sees. */
export function* countViews(
  database: SqlDatabase,
  { organizationId, owner }: ViewOwner,
  which: "own" | "shared",
): Steps<number> {
  const query = db
    .selectFrom("saved_view")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId);
  return yield* readNumber(
    database,
    which === "own" ? query.where("owner", "=", owner) : query.where("is_shared", "=", 1),
  );
}

/** Stores a view. In a transaction. */
export function* addView(
  database: Transaction,
  organizationId: string,
  view: SavedView,
): Steps<void> {
  const { id, owner, page, name, query, isShared, createdAt, changedAt, version } = view;
  yield* change(
    database,
    db.insertInto("saved_view").values({
      id,
      organization_id: organizationId,
      owner,
      page,
      name,
      query,
      is_shared: isShared ? 1 : 0,
      created_at: createdAt,
      changed_at: changedAt,
      version,
    }),
  );
}

/** Replaces a view. In a transaction. */
export function* changeView(
  database: Transaction,
  { id, name, query, isShared, changedAt, version }: SavedView,
): Steps<void> {
  const columns = { name, query, is_shared: isShared ? 1 : 0, changed_at: changedAt, version };
  yield* change(database, db.updateTable("saved_view").set(columns).where("id", "=", id));
}

/** Removes a view. In a transaction. */
export function* removeView(database: Transaction, id: string): Steps<void> {
  yield* change(database, db.deleteFrom("saved_view").where("id", "=", id));
}
