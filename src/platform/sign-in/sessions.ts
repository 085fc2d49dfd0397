import { createHmac, type KeyObject } from "node:crypto";
import { isSame } from "../credentials.ts";
import type { ResolvedOptions } from "../options.ts";
import { type Actor, ROLES } from "../review/roles.ts";
import {
  addSession,
  findSession,
  noteUse,
  removeSession,
  type StoredSession,
} from "../store/sign-in-store.ts";
import type { Transaction } from "../store/sql-database.ts";
import type { Store } from "../store/store.ts";
import { followSteps, type Steps } from "../turns.ts";
import { createBrowserKey, toKeyDigest } from "./browser-key.ts";
import { readCookie, writeCookie } from "./cookie.ts";
import type { Oidc } from "./oidc-options.ts";

const HOUR_MILLIS = 3_600_000;
/** Eight hours, and an hour without a request. */
const SESSION_LIMITS = { count: 10_000, millis: 8 * HOUR_MILLIS, idleMillis: HOUR_MILLIS };
/** Uses are noted no closer together than this: a page asks every two seconds. */
const NOTED_MILLIS = 60_000;

const COOKIE = "agent-monitor-session";

/**
 * Creates what proves that a row of a session was written by a platform with the same audit key and rules of signing in: whoever may write
 * to the database alone can't become somebody else, and other rules end all sessions.
 */
function createMac(auditKey: KeyObject | undefined, oidc: Oidc | undefined) {
  const { issuer, clientId, groupsClaim, nameClaim, roles = {} } = oidc ?? {};
  const groups = Object.keys(roles).toSorted();
  const rules = [
    issuer,
    clientId,
    groupsClaim,
    nameClaim,
    groups.map((each) => [each, roles[each]]),
  ];
  const key = createHmac("sha256", auditKey ?? "")
    .update(`agent-monitor session ${JSON.stringify(rules)}`)
    .digest();
  return ({ digest, actor, role, endsAt }: Omit<StoredSession, "mac" | "usedAt">): string =>
    createHmac("sha256", key)
      .update(JSON.stringify([digest, actor, role, endsAt]))
      .digest("base64url");
}

/** Creates what finds sessions, and notes that they are used. */
function createUses({ database, writeShared }: Store) {
  /** Uses that are being noted, by the digests of their sessions. */
  const noting = new Map<string, number>();
  return {
    /** Finds a session, with its last use, also one that is being noted. */
    async find(digest: string): Promise<StoredSession | undefined> {
      // Behind the query it may be noted, and the row be of before.
      const last = noting.get(digest) ?? 0;
      const session = await followSteps(findSession(database, digest));
      return session && { ...session, usedAt: Math.max(session.usedAt, last) };
    },
    /** Notes a use; nobody waits for it, and where nothing can be written the session is one nevertheless. */
    note(digest: string, usedAt: number): void {
      noting.set(digest, usedAt);
      void writeShared((transaction) => noteUse(transaction, { digest, usedAt }))
        .catch(() => {})
        .finally(() => {
          // There may be a later one by now.
          if (noting.get(digest) === usedAt) noting.delete(digest);
        });
    },
  };
}

/** Creates the sessions of who has signed in. They are in the database: any replica knows them, and a restart ends none. */
export function createSessions(
  store: Store,
  { auditKey, clock, oidc, publicUrl }: ResolvedOptions,
) {
  const isSecure = publicUrl?.startsWith("https:") === true;
  const name = isSecure ? `__Host-${COOKIE}` : COOKIE;
  const toMac = createMac(auditKey, oidc);
  const uses = createUses(store);
  const write = (value: string, seconds: number): string =>
    writeCookie(name, value, { isSecure, sameSite: "Strict", seconds });

  /** Returns whose session a row is, unless it has ended. */
  const toActor = (session: StoredSession): Actor | undefined => {
    const now = clock.now();
    const isOver = now >= session.endsAt || now - session.usedAt >= SESSION_LIMITS.idleMillis;
    const role = ROLES.find((each) => each === session.role);
    if (isOver || !role || !isSame(session.mac, toMac(session))) return undefined;
    return { name: session.actor, role };
  };

  return {
    /** Whether the platform is reached over https. */
    isSecure,
    /** Name of the cookie. */
    cookieName: name,
    /** Header that removes the cookie. */
    endedCookie: write("", 0),
    /** Starts a session, and returns the header that sets its cookie. In a transaction. */
    *start(transaction: Transaction, actor: Actor): Steps<string> {
      const key = createBrowserKey();
      const now = clock.now();
      const row = {
        digest: toKeyDigest(key),
        actor: actor.name,
        role: actor.role,
        endsAt: now + SESSION_LIMITS.millis,
      };
      yield* addSession(transaction, { ...row, usedAt: now, mac: toMac(row) }, SESSION_LIMITS);
      return write(key, SESSION_LIMITS.millis / 1000);
    },
    /** Returns whose session a request is of. */
    async find(request: Request): Promise<Actor | undefined> {
      const key = readCookie(request, name);
      if (key === undefined) return undefined;
      const session = await uses.find(toKeyDigest(key));
      const actor = session && toActor(session);
      if (!actor) return undefined;
      const now = clock.now();
      if (now - session.usedAt >= NOTED_MILLIS) uses.note(session.digest, now);
      return actor;
    },
    /** Ends the session of a request, and returns whose it was: to one of those who end it. In a transaction. */
    *end(transaction: Transaction, request: Request): Steps<Actor | undefined> {
      const digest = toKeyDigest(readCookie(request, name) ?? "");
      const session = yield* findSession(transaction, digest);
      if (!session || !(yield* removeSession(transaction, digest))) return undefined;
      return toActor(session);
    },
  };
}

/** Knows who has signed in. */
export type Sessions = ReturnType<typeof createSessions>;
