import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { isIdentifier } from "../events/base-event.ts";
import { fromOrganizationHeader, ORGANIZATION_HEADER } from "../events/wire.ts";
import { ProblemError } from "./problem.ts";
import type { SignatureCheck } from "./request-signature.ts";

/** Decides who may deliver and who may read. */
export interface Authenticator {
  /** Returns the organization of a delivery; throws a problem when it is not allowed. */
  authenticateDelivery(request: Request): string;
  /**
   * Returns the organization of OpenTelemetry data; throws a problem when it is not allowed.
   *
   * A stock exporter sends no key and no organization: each is needed only where one is configured, the organization
   * not even there, because only one is possible.
   */
  authenticateTelemetry(request: Request): string;
  /** Throws a problem when a request may not read. */
  authenticateReading(request: Request): void;
  /** Token with which the viewer reads; absent when reading is open. */
  readonly viewerToken: string | undefined;
}

const BEARER = /^bearer +(\S+) *$/i;

function isSame(left: string, right: string): boolean {
  // Digests have one length, which timingSafeEqual needs and which hides the length of the key.
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

function unauthorized(detail: string): ProblemError {
  return new ProblemError(401, "unauthorized", detail, {
    headers: { "www-authenticate": "Bearer" },
  });
}

/** Accepted credentials; an absent option accepts any. */
export interface AuthenticatorOptions {
  readonly apiKey: string | undefined;
  readonly organizationId: string | undefined;
  readonly checkSignature?: SignatureCheck | undefined;
}

/** Organization of OpenTelemetry data that names none, where any is accepted. */
const DEFAULT_ORGANIZATION = "local";

/** Creates the checks for one key and organization. */
export function createAuthenticator({
  apiKey,
  organizationId,
  checkSignature,
}: AuthenticatorOptions): Authenticator {
  // The viewer's token is visible in an address bar: it allows reading, but it is not the key and can't deliver.
  const viewerToken =
    apiKey === undefined
      ? undefined
      : createHmac("sha256", apiKey).update("agent-monitor viewer").digest("base64url");

  const readKey = (request: Request): string => {
    const key = BEARER.exec(request.headers.get("authorization") ?? "")?.[1];
    if (key === undefined) throw unauthorized("expected the header Authorization: Bearer <key>");
    return key;
  };

  const readAcceptedKey = (request: Request): void => {
    const key = readKey(request);
    if (apiKey !== undefined && !isSame(key, apiKey)) throw unauthorized("the key is not accepted");
  };

  const readOrganization = (request: Request, fallback?: string): string => {
    const header = request.headers.get(ORGANIZATION_HEADER);
    const organization = header === null ? fallback : fromOrganizationHeader(header);
    if (!isIdentifier(organization)) {
      throw new ProblemError(403, "organization_mismatch", "expected the header X-Organization-Id");
    }
    if (organizationId !== undefined && organization !== organizationId) {
      throw new ProblemError(403, "organization_mismatch", "the organization is not accepted");
    }
    return organization;
  };

  const verifySignature = (request: Request): void => {
    const problem = checkSignature?.(request);
    if (problem !== undefined) throw unauthorized(problem);
  };

  return {
    viewerToken,
    authenticateDelivery(request) {
      readAcceptedKey(request);
      const organization = readOrganization(request);
      verifySignature(request);
      return organization;
    },
    authenticateTelemetry(request) {
      if (apiKey !== undefined) readAcceptedKey(request);
      const organization = readOrganization(request, organizationId ?? DEFAULT_ORGANIZATION);
      verifySignature(request);
      return organization;
    },
    authenticateReading(request) {
      if (apiKey === undefined || viewerToken === undefined) return;
      const key = readKey(request);
      // No short circuit: the response time must not reveal which of the two came close.
      const isViewer = isSame(key, viewerToken);
      const isOwner = isSame(key, apiKey);
      if (!isViewer && !isOwner) throw unauthorized("the token is not accepted");
    },
  };
}
