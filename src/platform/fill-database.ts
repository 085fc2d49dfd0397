import { createApp } from "./app.ts";
import { createAuthenticator } from "./authentication.ts";
import type { PlatformContext } from "./platform-context.ts";
import { readUsers, type PlatformUser } from "./review/users.ts";
import { SYSTEM } from "./review/roles.ts";
import { listAudit } from "./store/audit-store.ts";
import type { Store } from "./store/store.ts";
import { loadUiAssets } from "./ui-assets.ts";
import { writeAudit } from "./write-audit.ts";
import { type Steps, followSteps } from "./turns.ts";

const FILL_ACTION = "platform.fill";

/** A request to the platform as it was at a time. */
export interface PastRequest {
  /** Method of HTTP. */
  readonly method: "GET" | "POST" | "PUT";
  /** Path with its query: `/api/reviews?limit=1`. */
  readonly path: string;
  /** Headers by their names in lower case; default none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body as it is sent; absent for a request without one. */
  readonly body?: Uint8Array | string;
  /** Milliseconds since the Unix epoch: the platform takes it for the time of arrival. */
  readonly at: number;
}

/** Sends a request to the platform's own routes, without a port. */
export type SendPast = (request: PastRequest) => Promise<Response>;

/** A history that a database is filled with. */
export interface Filling {
  /** Stands in the audit trail, so that it is known which data is made up; a database has one filling at most. */
  readonly name: string;
  /** Who decides in that history; they have no access afterwards. */
  readonly users: readonly PlatformUser[];
  /** Sends everything, in the order of time. */
  run(send: SendPast): Promise<void>;
}

/** Thrown when a database may not be filled. */
class FillError extends Error {
  override readonly name = "FillError" as const;
}

function* findFilling({ database }: Store): Steps<string | undefined> {
  const filter = { subject: undefined, actor: SYSTEM.name, action: FILL_ACTION };
  const [record] = yield* listAudit(database, {
    ...filter,
    limit: 1,
    before: Number.MAX_SAFE_INTEGER,
  });
  return record && (JSON.parse(record.detail) as { name: string }).name;
}

function* findRefusal(store: Store, { name }: Filling): Steps<string | undefined> {
  const filled = yield* findFilling(store);
  if (filled !== undefined)
    return `the database was filled before, with ${filled}: take a new file for ${name}`;
  const { batches, agents, spans, logRecords } = yield* store.stats();
  if (batches + agents + spans + logRecords === 0) return undefined;
  return "the database has data already: take a new file, what is made up must not stand beside it";
}

/** Creates the interface of the platform at another time, with users of its own and without its keys. */
async function createPast(room: PlatformContext, users: Filling["users"]): Promise<SendPast> {
  const time = { now: 0 };
  const { apiKey: _key, organizationId: _organization, ...given } = room.options;
  const options = {
    ...given,
    users: readUsers(users),
    signingKeys: new Map(),
    clock: { ...room.options.clock, now: () => time.now },
    logger: { ...room.options.logger, info: () => undefined },
  };
  const past = {
    ...room,
    options,
    authenticator: createAuthenticator(options, room.signIn.sessions),
  };
  const app = createApp(past, await loadUiAssets());
  const base = "http://localhost";
  return async ({ method, path, headers, body, at }) => {
    time.now = at;
    const init = { method, headers: { host: "localhost", ...headers } };
    return app.fetch(new Request(`${base}${path}`, body === undefined ? init : { ...init, body }));
  };
}

/**
 * Fills an empty database by the platform's own routes, and writes into the audit trail that it did.
 *
 * @returns Whether it was filled now; false where it has this filling already.
 * @throws FillError for a database with other data, which a filling that was interrupted has as well.
 */
export async function fillDatabase(room: PlatformContext, filling: Filling): Promise<boolean> {
  const { store } = room;
  const { name } = filling;
  if ((await followSteps(findFilling(store))) === name) return false;
  const refusal = await followSteps(findRefusal(store, filling));
  if (refusal !== undefined) throw new FillError(refusal);
  await filling.run(await createPast(room, filling.users));
  await writeAudit(room, SYSTEM, { action: FILL_ACTION, detail: { name }, organizationId: "" });
  return true;
}
