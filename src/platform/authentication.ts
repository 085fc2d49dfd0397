import { createHmac } from "node:crypto";
import {
  DEFAULT_ORGANIZATION,
  isSame,
  readKey,
  readOrganization,
  unauthorized,
} from "./credentials.ts";
import type { ResolvedOptions } from "./options.ts";
import { ProblemError } from "./problem.ts";
import type { Actor } from "./review/roles.ts";
import type { Sessions } from "./sign-in/sessions.ts";
import { findUser } from "./review/users.ts";
import { findSignatureProblem } from "./verify-signature.ts";

/** Who works with a platform that has no users: whoever may reach it, or has its key or its viewer's token. */
const LOCAL_USER: Actor = { name: "local", role: "admin" };
/** Whoever reads with the key of deliveries, where there are users. */
const KEY_OWNER: Actor = { name: "api-key", role: "viewer" };

/** Creates the check of who reads, and the token with which the viewer does. */
function createReaderCheck({ apiKey, users, oidc }: ResolvedOptions, sessions: Sessions) {
  const hasUsers = users.length > 0 || oidc !== undefined;
  // The viewer's token is visible in an address bar: it allows reading, but it is not the key and can't deliver.
  const viewerToken =
    apiKey === undefined || hasUsers
      ? undefined
      : createHmac("sha256", apiKey).update("agent-monitor viewer").digest("base64url");

  const readUser = (request: Request): Actor => {
    const key = readKey(request);
    const user = findUser(users, key);
    if (user) return user;
    if (apiKey !== undefined && isSame(key, apiKey)) return KEY_OWNER;
    throw unauthorized("the key is not accepted");
  };

  const find = async (request: Request): Promise<Actor> => {
    const isSession = hasUsers && !request.headers.has("authorization");
    const signedIn = isSession ? await sessions.find(request) : undefined;
    if (signedIn) {
      verifySameOrigin(request);
      return signedIn;
    }
    if (hasUsers) return readUser(request);
    if (apiKey === undefined || viewerToken === undefined) return LOCAL_USER;
    const key = readKey(request);
    // No short circuit: the response time must not reveal which of the two came close.
    const isViewer = isSame(key, viewerToken);
    const isOwner = isSame(key, apiKey);
    if (!isViewer && !isOwner) throw unauthorized("the token is not accepted");
    return LOCAL_USER;
  };
  const readers = new WeakMap<Request, Actor>();

  return {
    /** Token with which the viewer reads; absent when reading is open, and where users have keys of their own. */
    viewerToken,
    /** Finds who sends a request; throws a problem when it may not read. */
    async authenticateReading(request: Request): Promise<void> {
      readers.set(request, await find(request));
    },
    /** Returns who sends a request that was authenticated: one person from its beginning to its end. */
    readerOf(request: Request): Actor {
      const actor = readers.get(request);
      if (actor) return actor;
      throw unauthorized("the request is not authenticated");
    },
  };
}

/**
 * Refuses what changes something unless the viewer itself sends it: a browser adds the cookie to requests of other sites' pages, too.
 *
 * Where there is an `Origin`, it has been compared with `Host` before.
 */
function verifySameOrigin({ method, headers }: Request): void {
  if (method === "GET" || method === "HEAD" || headers.has("origin")) return;
  if (headers.get("sec-fetch-site") === "same-origin") return;
  throw new ProblemError("unauthorized", "expected the header Origin", { status: 403 });
}

/** Creates the checks for one key and organization, and for the users. */
export function createAuthenticator(options: ResolvedOptions, sessions: Sessions) {
  const { apiKey, organizationId, signingKeys, clock } = options;

  const readAcceptedKey = (request: Request): void => {
    const key = readKey(request);
    if (apiKey !== undefined && !isSame(key, apiKey)) throw unauthorized("the key is not accepted");
  };

  const readAcceptedOrganization = (request: Request, fallback?: string): string => {
    const organization = readOrganization(request, fallback);
    if (organizationId !== undefined && organization !== organizationId) {
      throw new ProblemError("organization_mismatch", "the organization is not accepted");
    }
    return organization;
  };

  const verifySignature = (request: Request): void => {
    if (signingKeys.size === 0) return;
    const problem = findSignatureProblem(request, signingKeys, clock.now());
    if (problem !== undefined) throw unauthorized(problem);
  };

  return {
    ...createReaderCheck(options, sessions),
    /** Returns the organization of a delivery; throws a problem when it is not allowed. */
    authenticateDelivery(request: Request): string {
      readAcceptedKey(request);
      const organization = readAcceptedOrganization(request);
      verifySignature(request);
      return organization;
    },
    /**
     * Returns the organization of OpenTelemetry data; throws a problem when it is not allowed.
     *
     * A stock exporter sends no key and no organization: each is needed only where one is configured, the organization
     * not even there, because only one is possible.
     */
    authenticateTelemetry(request: Request): string {
      if (apiKey !== undefined) readAcceptedKey(request);
      const organization = readAcceptedOrganization(
        request,
        organizationId ?? DEFAULT_ORGANIZATION,
      );
      verifySignature(request);
      return organization;
    },
  };
}

/** Decides who may deliver and who may read. */
export type Authenticator = ReturnType<typeof createAuthenticator>;
