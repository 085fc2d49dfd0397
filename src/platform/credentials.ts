import { createHash, timingSafeEqual } from "node:crypto";
import { isIdentifier } from "../events/base-event.ts";
import { ORGANIZATION_HEADER, fromOrganizationHeader } from "../events/wire.ts";
import { ProblemError } from "./problem.ts";

/** Compares two keys in a time that says nothing about them. */
export function isSame(left: string, right: string): boolean {
  // Digests have one length, which timingSafeEqual needs and which hides the length of the key.
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** Returns the problem of a request without a key that is accepted. */
export function unauthorized(detail: string): ProblemError {
  const headers = { "www-authenticate": "Bearer" };
  return new ProblemError("unauthorized", detail, { headers });
}

const BEARER = /^bearer +(\S+) *$/i;

/** Reads the key of a request; throws a problem where it has none. */
export function readKey(request: Request): string {
  const key = BEARER.exec(request.headers.get("authorization") ?? "")?.[1];
  if (key === undefined) throw unauthorized("expected the header Authorization: Bearer <key>");
  return key;
}

/** Organization of OpenTelemetry data that names none, where any is accepted. */
export const DEFAULT_ORGANIZATION = "local";

/**
 * Reads the organization that a request names; throws a problem where it names none.
 *
 * @param fallback - Organization of a request without the header.
 */
export function readOrganization(request: Request, fallback?: string): string {
  const header = request.headers.get(ORGANIZATION_HEADER);
  const organization = header === null ? fallback : fromOrganizationHeader(header);
  if (isIdentifier(organization)) return organization;
  throw new ProblemError("organization_mismatch", "expected the header X-Organization-Id");
}
