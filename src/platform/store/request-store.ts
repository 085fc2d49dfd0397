import { change, createStatement, db } from "./query.ts";
import type { SqlDatabase, Transaction } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** How long an answer is known, in milliseconds. */
const KEPT_MILLIS = 24 * 3_600_000;

/** Who has sent a request, and under which key. */
export interface RequestIdentity {
  readonly actor: string;
  readonly key: string;
}

/** An answer to a request that was sent under a key. */
export interface AnsweredRequest {
  /** Of the request: another one under its key has another. */
  readonly digest: string;
  readonly status: number;
  /** Empty for none. */
  readonly etag: string;
  /** As JSON. */
  readonly body: string;
}

const FIND = createStatement((values: RequestIdentity & { readonly since: number }) =>
  db
    .selectFrom("answered_request")
    .select(["digest", "status", "etag", "body"])
    .where("actor", "=", values.actor)
    .where("idempotency_key", "=", values.key)
    .where("at", ">", values.since),
);

/** Finds what was answered to a request, in the last 24 hours. */
export function* findAnswered(
  database: SqlDatabase,
  { actor, key }: RequestIdentity,
  now: number,
): Steps<AnsweredRequest | undefined> {
  return (yield* FIND.rows(database, { actor, key, since: now - KEPT_MILLIS }))[0];
}

/** Keeps an answer, and forgets those that are older than 24 hours. In the transaction of what was done. */
export function* keepAnswered(
  database: Transaction,
  { actor, key }: RequestIdentity,
  answer: AnsweredRequest & {
    readonly at: number;
    readonly organizationId: string;
    readonly conversationKey: string;
  },
): Steps<void> {
  const { at, organizationId, conversationKey, ...rest } = answer;
  yield* change(database, db.deleteFrom("answered_request").where("at", "<=", at - KEPT_MILLIS));
  yield* change(
    database,
    db.insertInto("answered_request").values({
      ...rest,
      at,
      actor,
      idempotency_key: key,
      organization_id: organizationId,
      conversation_key: conversationKey,
    }),
  );
}
