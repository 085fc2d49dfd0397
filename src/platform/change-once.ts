import { createHash } from "node:crypto";
import type { Context } from "hono";
import { IDEMPOTENCY_HEADER } from "../events/wire.ts";
import type { PlatformContext } from "./platform-context.ts";
import { ProblemError } from "./problem.ts";
import type { Actor } from "./review/roles.ts";
import {
  type AnsweredRequest,
  findAnswered,
  keepAnswered,
  type RequestIdentity,
} from "./store/request-store.ts";
import type { SqlDatabase, Transaction } from "./store/sql-database.ts";
import { type Steps, followSteps } from "./turns.ts";

/** What somebody has asked for. */
export interface AskedChange {
  readonly actor: Actor;
  /** What the body says. */
  readonly request: object;
}

/** What was done. */
export interface DoneChange {
  /** Default 200. */
  readonly status?: 200 | 201 | 202;
  readonly body: object;
  readonly etag?: string;
  /** The organization that it concerns, and the conversation, where the answer says something of one. */
  readonly organizationId?: string;
  readonly conversationKey?: string;
}

/** Does something, in a transaction. A problem that it throws undoes it; what it returns instead stays written down. */
type Work = (transaction: Transaction) => Steps<DoneChange | ProblemError>;

function readIdentity(context: Context, { name: actor }: Actor): RequestIdentity | undefined {
  const header = context.req.header(IDEMPOTENCY_HEADER);
  if (header === undefined) return undefined;
  const key = /^"?([\x21\x23-\x7e]{1,128})"?$/.exec(header.trim())?.[1];
  if (key !== undefined) return { actor, key };
  const detail = "expected 1 to 128 visible characters in Idempotency-Key";
  throw new ProblemError("invalid_action", detail);
}

function toDigest({ method, path }: Context["req"], request: object): string {
  const text = JSON.stringify([method, path, request]);
  return createHash("sha256").update(text).digest("base64url");
}

function toResponse({ status, etag, body }: AnsweredRequest): Response {
  const headers = { "content-type": "application/json", ...(etag !== "" && { etag }) };
  return new Response(body, { status, headers });
}

/** Finds what was answered before. @throws ProblemError 422 where it was the answer to another request */
function* findRepeated(
  database: SqlDatabase,
  identity: RequestIdentity | undefined,
  digest: string,
  now: number,
): Steps<AnsweredRequest | undefined> {
  const known = identity && (yield* findAnswered(database, identity, now));
  if (!known || known.digest === digest) return known;
  const detail = "another request was sent with this Idempotency-Key";
  throw new ProblemError("idempotency_conflict", detail);
}

/** Keeps what was done for the next request with the same key. In a transaction. */
function* toAnswer(
  { options }: PlatformContext,
  transaction: Transaction,
  { identity, digest }: { readonly identity: RequestIdentity | undefined; readonly digest: string },
  done: DoneChange,
): Steps<AnsweredRequest> {
  const { status = 200, etag = "", conversationKey = "" } = done;
  const { organizationId = options.organizationId ?? "" } = done;
  const answer = { digest, status, etag, body: JSON.stringify(done.body) };
  const place = { at: options.clock.now(), organizationId, conversationKey };
  if (identity) yield* keepAnswered(transaction, identity, { ...answer, ...place });
  return answer;
}

/**
 * Does what a request asks for, and answers. Of several requests of one person with one `Idempotency-Key` the first is done, and all
 * get its answer, also when the platform was restarted meanwhile.
 *
 * A refusal is not kept: the request may be sent again once nothing is against it.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 */
export async function changeOnce(
  platform: PlatformContext,
  context: Context,
  { actor, request }: AskedChange,
  work: Work,
): Promise<Response> {
  const identity = readIdentity(context, actor);
  const digest = toDigest(context.req, request);
  const result = await platform.store.write(function* (transaction): Steps<
    AnsweredRequest | ProblemError
  > {
    const now = platform.options.clock.now();
    const known = yield* findRepeated(transaction, identity, digest, now);
    if (known) return known;
    const done = yield* work(transaction);
    if (done instanceof ProblemError) return done;
    return yield* toAnswer(platform, transaction, { identity, digest }, done);
  });
  if (result instanceof ProblemError) throw result;
  return toResponse(result);
}

/**
 * Does the same with work of several transactions, which goes on where it was when it is done again: its answer is kept at its end.
 */
export async function changeInPartsOnce(
  platform: PlatformContext,
  context: Context,
  asked: AskedChange,
  work: () => Promise<DoneChange>,
): Promise<Response> {
  const identity = readIdentity(context, asked.actor);
  const { store, options } = platform;
  const digest = toDigest(context.req, asked.request);
  const known = await followSteps(
    findRepeated(store.database, identity, digest, options.clock.now()),
  );
  if (known) return toResponse(known);
  const done = await work();
  // oxlint-disable-next-line require-yield -- what was done is handed on
  return changeOnce(platform, context, asked, function* () {
    return done;
  });
}
