import type { PendingSignIn } from "../sign-in/oidc-client.ts";
import { change, createStatement, db, readRow, type RowOf } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** Limits of what is kept under a key, in milliseconds. */
export interface KeptLimits {
  readonly count: number;
  readonly millis: number;
}

/** Removes what has ended, and the oldest of what there is too much of once another one is added. In a transaction. */
function* makeRoom(
  transaction: Transaction,
  table: "pending_sign_in" | "session",
  { count, now }: { readonly count: number; readonly now: number },
): Steps<void> {
  yield* change(transaction, db.deleteFrom(table).where("ends_at", "<=", now));
  const last = yield* readRow(
    transaction,
    db
      .selectFrom(table)
      .select(["ends_at", "digest"])
      .orderBy("ends_at", "desc")
      .orderBy("digest", "desc")
      .limit(1)
      .offset(count - 1),
  );
  if (!last) return;
  yield* change(
    transaction,
    db
      .deleteFrom(table)
      .where((eb) =>
        eb(eb.refTuple("ends_at", "digest"), "<=", eb.tuple(last.ends_at, last.digest)),
      ),
  );
}

const FIND_SESSION = createStatement((given: { readonly digest: string }) =>
  db
    .selectFrom("session")
    .select(["digest", "actor", "role", "ends_at as endsAt", "used_at as usedAt", "mac"])
    .where("digest", "=", given.digest),
);

/** Session of who has signed in. */
export type StoredSession = RowOf<typeof FIND_SESSION>;

/** Finds a session by the digest of its key, also one that has ended. */
export function* findSession(
  database: SqlDatabase,
  digest: string,
): Steps<StoredSession | undefined> {
  return (yield* FIND_SESSION.rows(database, { digest }))[0];
}

/** Adds a session, in the place of those that have ended. In a transaction. @param idleMillis - Longest time between two uses. */
export function* addSession(
  transaction: Transaction,
  { endsAt, usedAt, ...rest }: StoredSession,
  { count, idleMillis }: { readonly count: number; readonly idleMillis: number },
): Steps<void> {
  const isIdle = db.deleteFrom("session").where("used_at", "<=", usedAt - idleMillis);
  yield* change(transaction, isIdle);
  yield* makeRoom(transaction, "session", { count, now: usedAt });
  const row = { ...rest, ends_at: endsAt, used_at: usedAt };
  yield* change(transaction, db.insertInto("session").values(row));
}

/** Notes when a session was used, unless it is known to have been used later. In a transaction. */
export function* noteUse(
  transaction: Transaction,
  { digest, usedAt }: Pick<StoredSession, "digest" | "usedAt">,
): Steps<void> {
  const update = db.updateTable("session").set({ used_at: usedAt });
  yield* change(transaction, update.where("digest", "=", digest).where("used_at", "<", usedAt));
}

/** Removes a session; returns whether it was there, which it is for one of those who remove it. In a transaction. */
export function* removeSession(transaction: Transaction, digest: string): Steps<boolean> {
  return (yield* change(transaction, db.deleteFrom("session").where("digest", "=", digest))) === 1;
}

/** Adds a sign-in that has begun. In a transaction. */
export function* addPending(
  transaction: Transaction,
  digest: string,
  pending: PendingSignIn,
  { count, millis, now }: KeptLimits & { readonly now: number },
): Steps<void> {
  yield* makeRoom(transaction, "pending_sign_in", { count, now });
  const { state, nonce, codeVerifier, redirectUrl } = pending;
  yield* change(
    transaction,
    db.insertInto("pending_sign_in").values({
      digest,
      state,
      nonce,
      code_verifier: codeVerifier,
      redirect_url: redirectUrl,
      ends_at: now + millis,
    }),
  );
}

/** Removes a sign-in that has begun, and returns it to one of those who ask for it. In a transaction. */
export function* takePending(
  transaction: Transaction,
  digest: string,
  now: number,
): Steps<PendingSignIn | undefined> {
  const found = yield* readRow(
    transaction,
    db
      .selectFrom("pending_sign_in")
      .select([
        "state",
        "nonce",
        "code_verifier as codeVerifier",
        "redirect_url as redirectUrl",
        "ends_at as endsAt",
      ])
      .where("digest", "=", digest),
  );
  const removal = db.deleteFrom("pending_sign_in").where("digest", "=", digest);
  const isTaken = (yield* change(transaction, removal)) === 1;
  return found && isTaken && now < found.endsAt ? found : undefined;
}
