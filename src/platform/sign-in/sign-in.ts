import type { ResolvedOptions } from "../options.ts";
import { createBoundedEntries } from "./bounded-entries.ts";
import { createOidcClient, type OidcClient, type PendingSignIn } from "./oidc-client.ts";
import type { Oidc } from "./oidc-options.ts";
import { createSessions, type Sessions } from "./sessions.ts";

/** Sign-ins that may be under way, and for how long. */
export const PENDING_LIMITS = { count: 1000, millis: 600_000 };

/** What signs people in. */
export interface SignIn {
  readonly sessions: Sessions;
  /** Absent where no provider is configured. */
  readonly provider: { readonly oidc: Oidc; readonly client: OidcClient } | undefined;
  /** Sign-ins that have begun. */
  readonly pending: ReturnType<typeof createBoundedEntries<PendingSignIn>>;
}

/** Creates what signs people in, as the options say. */
export function createSignIn({ oidc, publicUrl, clock }: ResolvedOptions): SignIn {
  const now = () => clock.now();
  return {
    sessions: createSessions(now, publicUrl?.startsWith("https:") === true),
    provider: oidc && { oidc, client: createOidcClient(oidc, clock) },
    pending: createBoundedEntries<PendingSignIn>(now, PENDING_LIMITS),
  };
}
