import type { AuthorizationServer, Client, ClientAuth, IDToken } from "oauth4webapi";
import type { Clock } from "../../util/clock.ts";
import { isLoopback } from "../loopback.ts";
import type { Oidc } from "./oidc-options.ts";

/** The one library of the protocol; whoever has no provider does not load it. */
const loadLibrary = () => import("oauth4webapi");
type Library = Awaited<ReturnType<typeof loadLibrary>>;

const REQUEST_MILLIS = 10_000;
const METADATA_MILLIS = 3_600_000;

/** What a sign-in that has begun has to end with. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly redirectUrl: string;
}

/** Thrown when the provider does not respond: it may later. */
export class ProviderUnavailableError extends Error {
  override readonly name = "ProviderUnavailableError" as const;
}

function chooseAuthentication(
  library: Library,
  { token_endpoint_auth_methods_supported: methods }: AuthorizationServer,
  secret: string | undefined,
): ClientAuth {
  if (secret === undefined) return library.None();
  const isPost = methods !== undefined && !methods.includes("client_secret_basic");
  return isPost ? library.ClientSecretPost(secret) : library.ClientSecretBasic(secret);
}

/** Options of requests to the provider. */
function toRequest(library: Library, issuer: URL) {
  return {
    // oxlint-disable-next-line typescript/no-deprecated -- marked so to warn: options say http for loopback only
    [library.allowInsecureRequests]: isLoopback(issuer.hostname),
    signal: () => AbortSignal.timeout(REQUEST_MILLIS),
  };
}

/** Creates the look-up of what the provider says of itself. */
function createServerFinder(issuer: URL, clock: Clock) {
  let known: { readonly server: AuthorizationServer; readonly at: number } | undefined;
  return async (library: Library): Promise<AuthorizationServer> => {
    const at = clock.monotonic();
    if (known && at - known.at < METADATA_MILLIS) return known.server;
    try {
      const response = await library.discoveryRequest(issuer, toRequest(library, issuer));
      known = { server: await library.processDiscoveryResponse(issuer, response), at };
      return known.server;
    } catch (error) {
      throw new ProviderUnavailableError("the identity provider can't be read", { cause: error });
    }
  };
}

/** Writes the address at which people sign in. */
async function toSignInUrl(
  library: Library,
  endpoint: string,
  { clientId, scope }: Oidc,
  { state, nonce, codeVerifier, redirectUrl }: PendingSignIn,
): Promise<string> {
  const url = new URL(endpoint);
  const members = {
    client_id: clientId,
    redirect_uri: redirectUrl,
    response_type: "code",
    scope,
    state,
    nonce,
    code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(members)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Creates the client of an OpenID provider: the authorization code flow with PKCE, state and nonce.
 *
 * The provider is asked when somebody signs in, so that a platform starts without it.
 *
 * @see https://openid.net/specs/openid-connect-core-1_0.html
 */
export function createOidcClient(oidc: Oidc, clock: Clock) {
  const issuer = new URL(oidc.issuer);
  const keys = {};
  const findServer = createServerFinder(issuer, clock);

  const toClient = ({ clockSkew, clockTolerance }: Library): Client => ({
    client_id: oidc.clientId,
    // Tokens end by the platform's clock.
    [clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
    [clockTolerance]: 30,
  });

  return {
    /** Begins a sign-in; returns the provider's address for it, and what it has to end with. */
    async begin(redirectUrl: string): Promise<{ url: string; pending: PendingSignIn }> {
      const library = await loadLibrary();
      const server = await findServer(library);
      if (server.authorization_endpoint === undefined)
        throw new ProviderUnavailableError("the identity provider has no page to sign in");
      const pending = {
        state: library.generateRandomState(),
        nonce: library.generateRandomNonce(),
        codeVerifier: library.generateRandomCodeVerifier(),
        redirectUrl,
      };
      const url = await toSignInUrl(library, server.authorization_endpoint, oidc, pending);
      return { url, pending };
    },
    /** Ends a sign-in; returns the claims of the ID token. Throws what the library finds wrong with it. */
    async finish(parameters: URLSearchParams, pending: PendingSignIn): Promise<IDToken> {
      const library = await loadLibrary();
      const server = await findServer(library);
      const client = toClient(library);
      const { state, nonce, codeVerifier, redirectUrl } = pending;
      const valid = library.validateAuthResponse(server, client, parameters, state);
      const response = await library.authorizationCodeGrantRequest(
        server,
        client,
        chooseAuthentication(library, server, oidc.clientSecret),
        valid,
        redirectUrl,
        codeVerifier,
        toRequest(library, issuer),
      );
      const result = await library.processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: nonce,
        requireIdToken: true,
      });
      const request = { ...toRequest(library, issuer), [library.jwksCache]: keys };
      await library.validateApplicationLevelSignature(server, response, request);
      const claims = library.getValidatedIdTokenClaims(result);
      if (!claims) throw new Error("the identity provider has sent no ID token");
      return claims;
    },
  };
}

/** Signs people in with the bank's identity provider. */
export type OidcClient = ReturnType<typeof createOidcClient>;
