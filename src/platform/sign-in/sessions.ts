import type { Actor } from "../review/roles.ts";
import { createBoundedEntries } from "./bounded-entries.ts";

const HOUR_MILLIS = 3_600_000;
/** Eight hours, and an hour without a request. */
const SESSION_LIMITS = { count: 10_000, millis: 8 * HOUR_MILLIS, idleMillis: HOUR_MILLIS };

const COOKIE = "agent-monitor-session";

/** Reads a cookie. @see RFC 6265, 4.2 */
export function readCookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const [key, ...value] = pair.trim().split("=");
    if (key === name) return value.join("=");
  }
  return undefined;
}

/** Writes a cookie that scripts can't read; over https no other host can have set it. @see RFC 6265bis, 4.1.3.2 */
export function writeCookie(
  name: string,
  value: string,
  { isSecure, sameSite, seconds }: CookieOptions,
): string {
  const attributes = `Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${seconds}`;
  return `${name}=${value}; ${attributes}${isSecure ? "; Secure" : ""}`;
}

interface CookieOptions {
  readonly isSecure: boolean;
  readonly sameSite: "Lax" | "Strict";
  readonly seconds: number;
}

/** Creates the sessions of who has signed in. They are in memory: a restart ends them. */
export function createSessions(now: () => number, isSecure: boolean) {
  const sessions = createBoundedEntries<Actor>(now, SESSION_LIMITS);
  const name = isSecure ? `__Host-${COOKIE}` : COOKIE;
  const write = (value: string, seconds: number): string =>
    writeCookie(name, value, { isSecure, sameSite: "Strict", seconds });
  const readKey = (request: Request): string => readCookie(request, name) ?? "";
  return {
    /** Whether the platform is reached over https. */
    isSecure,
    /** Name of the cookie. */
    cookieName: name,
    /** Starts a session, and returns the header that sets its cookie. */
    start: (actor: Actor): string => write(sessions.add(actor), SESSION_LIMITS.millis / 1000),
    /** Returns whose session a request is of. */
    find: (request: Request): Actor | undefined => sessions.find(readKey(request)),
    /** Ends the session of a request; returns the header that removes its cookie, and whose it was. */
    end(request: Request): { readonly cookie: string; readonly actor: Actor | undefined } {
      return { actor: sessions.take(readKey(request)), cookie: write("", 0) };
    },
  };
}

/** Knows who has signed in. */
export type Sessions = ReturnType<typeof createSessions>;
