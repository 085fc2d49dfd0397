import { agentMonitoringConfigSchema } from "../config/config.ts";
import { ORGANIZATION_HEADER, toOrganizationHeader } from "../events/wire.ts";
import { UsageError } from "./parse-arguments.ts";

/** Credentials of a platform's reader. */
export interface PlatformAccess {
  readonly apiKey: string | undefined;
  /** The only organization that is read; absent reads all. */
  readonly organizationId: string | undefined;
}

/** Returns whether an argument is the URL of a platform. */
export function isPlatformUrl(target: string): boolean {
  return /^https?:\/\//i.test(target);
}

/** Rejects options without effect here: an ignored filter would lead to wrong conclusions. */
export function verifyPlatformUse(target: string, given: Readonly<Record<string, unknown>>): void {
  if (isPlatformUrl(target)) return;
  for (const name of ["api-key", "organization"])
    if (given[name] !== undefined)
      throw new UsageError(`--${name} is for the URL of a platform, not for ${target}`);
}

/**
 * Returns the URL of a path of a platform.
 *
 * @throws UsageError for an invalid URL, key or organization.
 */
export function toPlatformUrl(
  target: string,
  { apiKey, organizationId }: PlatformAccess,
  path: string,
): URL {
  const { shape } = agentMonitoringConfigSchema;
  const checks = { endpoint: target, apiKey, organizationId };
  for (const name of ["endpoint", "apiKey", "organizationId"] as const) {
    const value = checks[name];
    const parsed = value === undefined ? undefined : shape[name].safeParse(value);
    // The value may be or contain a credential: only the reason is reported.
    if (parsed?.error) throw new UsageError(`${name}: ${parsed.error.issues[0]?.message}`);
  }
  const url = new URL(target);
  url.pathname = url.pathname.replace(/\/$/, "") + path;
  return url;
}

/** Returns the headers of a request that reads. */
export function toPlatformHeaders(
  { apiKey, organizationId }: PlatformAccess,
  accept: string,
): Record<string, string> {
  return {
    accept,
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    ...(organizationId !== undefined && {
      [ORGANIZATION_HEADER]: toOrganizationHeader(organizationId),
    }),
  };
}

/**
 * Describes why a response is not a platform's, or can't be read.
 *
 * @param expected - Text for a response of another server.
 */
export function findAnswerProblem(
  { status, headers, body }: Response,
  mediaType: string,
  expected: string,
): string | undefined {
  if (status === 401 || status === 403) return `status ${status}: the API key may not read here`;
  if (status >= 300 && status < 400) return `status ${status}: redirects are not followed`;
  if (status === 404) return "status 404: this is no local platform";
  if (status !== 200) return `status ${status}`;
  const isMeant = headers.get("content-type")?.startsWith(mediaType) ?? false;
  return isMeant && body ? undefined : `expected ${expected}: this is no local platform`;
}

/** Describes why a request failed; the message of an error may repeat its URL. */
export function toFailure(error: unknown, isSilent: boolean): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "cut off";
  return `can't be read (${isSilent ? "silent" : code})`;
}
