import { DEFAULT_ENDPOINT } from "../config/config.ts";
import { isRecord, type JsonRecord } from "../util/values.ts";
import { UsageError } from "./parse-arguments.ts";
import { isPlatformUrl, type PlatformAccess, toFailure, toPlatformUrl } from "./read-platform.ts";

const TIMEOUT_MILLIS = 30_000;
/** Statuses that a later attempt may not have. */
const TEMPORARY = new Set([408, 429, 500, 502, 503, 504]);

/** Thrown when a platform does not do what it is asked; its message holds no content. */
export class PlatformCallError extends Error {
  override readonly name = "PlatformCallError" as const;
  /** Whether the same call may succeed later. */
  readonly isTemporary: boolean;
  /** Absent where there was no response. */
  readonly status: number | undefined;

  constructor(message: string, isTemporary: boolean, status?: number) {
    super(message);
    this.isTemporary = isTemporary;
    this.status = status;
  }
}

/** Something that a platform is asked for. */
export interface PlatformCall {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** With it the call is a POST. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Asks a platform, and returns the object that it answers. @throws PlatformCallError */
export type CallPlatform = (call: PlatformCall) => Promise<JsonRecord>;

/** Returns the platform that arguments name: that of the environment or of the SDK's default, without one. @throws UsageError */
export function readTarget(positional: string | undefined): string {
  const target = positional ?? (process.env["AGENT_MONITOR_ENDPOINT"] || DEFAULT_ENDPOINT);
  if (isPlatformUrl(target)) return target;
  throw new UsageError(`expected the URL of a platform (got ${target})`);
}

function toProblem({ status }: Response, body: unknown): PlatformCallError {
  const { code, detail } = isRecord(body) ? body : {};
  const said = typeof code === "string" && typeof detail === "string" ? `: ${detail}` : "";
  const reason =
    status === 401 ? `status ${status}: the API key is not accepted` : `status ${status}${said}`;
  return new PlatformCallError(reason, TEMPORARY.has(status), status);
}

async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

/** Creates the client of a platform's interface. @throws UsageError for an invalid URL, key or organization. */
export function createCallPlatform(target: string, access: PlatformAccess): CallPlatform {
  const { origin } = toPlatformUrl(target, access, "/");
  const { apiKey } = access;
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  return async ({ path, query = {}, body, headers, signal }) => {
    const url = toPlatformUrl(target, access, path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const timeout = AbortSignal.timeout(TIMEOUT_MILLIS);
    const posted = body && { method: "POST", body: JSON.stringify(body) };
    let response: Response;
    try {
      response = await fetch(url, {
        ...posted,
        headers: {
          ...authorization,
          ...(body && { "content-type": "application/json" }),
          ...headers,
        },
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
    } catch (error) {
      throw new PlatformCallError(`${origin}: ${toFailure(error, timeout.aborted)}`, true);
    }
    const answer = await readBody(response);
    if (!response.ok) throw toProblem(response, answer);
    if (isRecord(answer)) return answer;
    throw new PlatformCallError(`${origin}: this is no local platform`, false, response.status);
  };
}
