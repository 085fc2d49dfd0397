import type { ResolvedOptions } from "../options.ts";
import type { Store } from "../store/store.ts";
import { createOidcClient, type OidcClient } from "./oidc-client.ts";
import type { Oidc } from "./oidc-options.ts";
import { createPendingSignIns } from "./pending-sign-ins.ts";
import { createSessions, type Sessions } from "./sessions.ts";

/** What signs people in. */
export interface SignIn {
  readonly sessions: Sessions;
  /** Absent where no provider is configured. */
  readonly provider: { readonly oidc: Oidc; readonly client: OidcClient } | undefined;
  /** Sign-ins that have begun. */
  readonly pending: ReturnType<typeof createPendingSignIns>;
}

/** Creates what signs people in, as the options say. */
export function createSignIn(store: Store, options: ResolvedOptions): SignIn {
  const { oidc, clock } = options;
  const sessions = createSessions(store, options);
  return {
    sessions,
    provider: oidc && { oidc, client: createOidcClient(oidc, clock) },
    pending: createPendingSignIns(store, clock, sessions.isSecure),
  };
}
