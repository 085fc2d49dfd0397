import type { Clock } from "../../util/clock.ts";
import { addPending, takePending } from "../store/sign-in-store.ts";
import type { Store } from "../store/store.ts";
import { createBrowserKey, toKeyDigest } from "./browser-key.ts";
import { readCookie, writeCookie } from "./cookie.ts";
import type { PendingSignIn } from "./oidc-client.ts";

/** Sign-ins that may be under way, and for how long. */
const PENDING_LIMITS = { count: 1000, millis: 600_000 };

const COOKIE = "agent-monitor-login";

/** Creates the sign-ins that have begun. They are in the database: any replica may end them. @param isSecure - Whether the platform is reached over https. */
export function createPendingSignIns(store: Store, clock: Clock, isSecure: boolean) {
  // The way back from the provider's page begins at another site: Strict would not send it.
  const write = (value: string, seconds: number): string =>
    writeCookie(COOKIE, value, { isSecure, sameSite: "Lax", seconds });
  return {
    /** Header that removes the cookie. */
    endedCookie: write("", 0),
    /** Adds one, and returns the header that sets its cookie. */
    async add(pending: PendingSignIn): Promise<string> {
      const key = createBrowserKey();
      const limits = { ...PENDING_LIMITS, now: clock.now() };
      await store.writeShared((transaction) =>
        addPending(transaction, toKeyDigest(key), pending, limits),
      );
      return write(key, PENDING_LIMITS.millis / 1000);
    },
    /** Returns the one of a request to the first who asks for it; to others it has ended. */
    async take(request: Request): Promise<PendingSignIn | undefined> {
      const key = readCookie(request, COOKIE);
      if (key === undefined) return undefined;
      return store.write((transaction) => takePending(transaction, toKeyDigest(key), clock.now()));
    },
  };
}
