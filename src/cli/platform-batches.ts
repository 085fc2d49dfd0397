import { agentMonitoringConfigSchema } from "../config.ts";
import { BATCH_EXPORT_PATH, BATCH_LINES_MEDIA_TYPE } from "../events/batch-export.ts";
import { toOrganizationHeader } from "../events/organization-header.ts";
import { ORGANIZATION_HEADER } from "../events/wire.ts";
import type { VerifiableBatch } from "../exporter/chain/chain-report.ts";
import { readBatchLines, type OnUnreadable } from "./batch-lines.ts";
import { UsageError } from "./command.ts";

/** How long a platform may be silent. */
const IDLE_TIMEOUT_MILLIS = 60_000;

/** What a platform asks of who reads. */
export interface PlatformAccess {
  readonly apiKey: string | undefined;
  /** The only organization whose batches are read; absent reads all. */
  readonly organizationId: string | undefined;
}

function toExportUrl(text: string, { apiKey, organizationId }: PlatformAccess): URL {
  const { shape } = agentMonitoringConfigSchema;
  const checks = { endpoint: text, apiKey, organizationId };
  for (const name of ["endpoint", "apiKey", "organizationId"] as const) {
    const value = checks[name];
    const parsed = value === undefined ? undefined : shape[name].safeParse(value);
    // The value may be a credential, or have one in it: only the reason is told.
    if (parsed?.error) throw new UsageError(`${name}: ${parsed.error.issues[0]?.message}`);
  }
  const url = new URL(text);
  url.pathname = url.pathname.replace(/\/$/, "") + BATCH_EXPORT_PATH;
  if (organizationId !== undefined) url.searchParams.set("organization", organizationId);
  return url;
}

function toHeaders({ apiKey, organizationId }: PlatformAccess): Record<string, string> {
  return {
    accept: BATCH_LINES_MEDIA_TYPE,
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    ...(organizationId !== undefined && {
      [ORGANIZATION_HEADER]: toOrganizationHeader(organizationId),
    }),
  };
}

function findProblem({ status, headers, body }: Response): string | undefined {
  if (status === 401 || status === 403) return `status ${status}: the API key may not read here`;
  if (status >= 300 && status < 400) return `status ${status}: redirects are not followed`;
  if (status !== 200) return `status ${status}`;
  const isExport = headers.get("content-type")?.startsWith(BATCH_LINES_MEDIA_TYPE) ?? false;
  return isExport && body ? undefined : "expected an export of batches: this is no local platform";
}

/** Reads every batch that a platform has, as it was received. @throws UsageError for a URL that is none. */
export async function* readPlatformBatches(
  target: string,
  access: PlatformAccess,
  onUnreadable: OnUnreadable,
): AsyncGenerator<VerifiableBatch> {
  const url = toExportUrl(target, access);
  const name = url.origin;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), IDLE_TIMEOUT_MILLIS);
  const watch = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      timer.refresh();
      yield chunk;
    }
  };
  try {
    const headers = toHeaders(access);
    const answer = await fetch(url, { headers, redirect: "manual", signal: silence.signal });
    const problem = findProblem(answer);
    if (problem === undefined && answer.body)
      yield* readBatchLines(watch(answer.body), name, onUnreadable);
    else onUnreadable(`${name}: ${problem}`);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "cut off";
    onUnreadable(`${name}: can't be read (${silence.signal.aborted ? "silent" : code})`);
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}
