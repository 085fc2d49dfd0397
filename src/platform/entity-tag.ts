import type { Context } from "hono";
import { ProblemError } from "./problem.ts";

/** Something that counts its changes. */
interface Versioned {
  readonly version: number;
}

/** Writes the entity tag of something. @see RFC 9110, 8.8.3 */
export function toEntityTag({ version }: Versioned): string {
  return `"${version}"`;
}

/**
 * Reads `If-Match`: the version that the client has seen; `undefined` where it doesn't matter.
 *
 * @throws ProblemError 412 where it is none
 * @see RFC 9110, 13.1.1
 */
export function readVersion(context: Context): number | undefined {
  const header = context.req.header("if-match");
  if (header === undefined || header.trim() === "*") return undefined;
  const version = /^"(\d{1,15})"$/.exec(header.trim())?.[1];
  if (version === undefined) throw new ProblemError("outdated", "expected one ETag in If-Match");
  return Number(version);
}

/** Returns the problem that something has changed since its reader has read it. */
export function toOutdated(now: Versioned): ProblemError {
  const headers = { etag: toEntityTag(now) };
  return new ProblemError("outdated", "it has changed since it was read", { headers });
}
