import { agentMonitoringConfigSchema } from "../config/config.ts";
import { ORGANIZATION_HEADER, toOrganizationHeader } from "../events/wire.ts";
import { isRecord, parseJson, type JsonRecord } from "../util/values.ts";
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

/** Options of a command that may read a platform. */
export const ACCESS_OPTIONS = {
  "api-key": { type: "string" },
  organization: { type: "string" },
} as const;

/**
 * Reads the credentials for a target.
 *
 * @throws UsageError for options without effect there: an ignored filter would lead to wrong conclusions.
 */
export function readAccess(
  target: string,
  given: Readonly<Partial<Record<keyof typeof ACCESS_OPTIONS, string | undefined>>>,
): PlatformAccess {
  for (const name of ["api-key", "organization"] as const)
    if (given[name] !== undefined && !isPlatformUrl(target))
      throw new UsageError(`--${name} is for the URL of a platform, not for ${target}`);
  return {
    apiKey: given["api-key"] ?? process.env["AGENT_MONITOR_API_KEY"],
    organizationId: given.organization,
  };
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

/** Thrown when a platform can't be read; never contains its response. */
class PlatformProblem extends Error {
  override readonly name = "PlatformProblem";
}

/** Data that a platform is asked for. */
interface Wanted {
  readonly mediaType: string;
  /** Name of the data, for messages. */
  readonly name: string;
}

function findProblem({ status, headers, body }: Response, { mediaType, name }: Wanted) {
  if (status === 401 || status === 403) return `status ${status}: the API key may not read here`;
  if (status >= 300 && status < 400) return `status ${status}: redirects are not followed`;
  if (status === 404) return "status 404: this is no local platform";
  if (status !== 200) return `status ${status}`;
  const isMeant = headers.get("content-type")?.startsWith(mediaType) ?? false;
  return isMeant && body ? undefined : `expected ${name}: this is no local platform`;
}

/** Requests data of a platform, and returns the bytes of its response. @throws PlatformProblem */
export async function requestPlatform(
  url: URL,
  { apiKey, organizationId }: PlatformAccess,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const headers = {
    accept: wanted.mediaType,
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    ...(organizationId !== undefined && {
      [ORGANIZATION_HEADER]: toOrganizationHeader(organizationId),
    }),
  };
  const response = await fetch(url, { headers, redirect: "manual", signal });
  const problem = findProblem(response, wanted);
  if (problem !== undefined || !response.body) throw new PlatformProblem(problem);
  return response.body;
}

/** Describes why a platform can't be read; the message of another error may repeat its URL. */
export function toFailure(error: unknown, isSilent: boolean): string {
  if (error instanceof PlatformProblem) return error.message;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "cut off";
  return `can't be read (${isSilent ? "silent" : code})`;
}

const CONVERSATIONS_PATH = "/api/conversations";
const PAGE_CONVERSATIONS = 200;
const PAGE_EVENTS = 1000;
/** Limit of conversations whose keys are remembered, so that each is read once. */
const MAX_CONVERSATIONS = 200_000;
/** A page of a platform has some 12 MiB, and the event that crosses that limit. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MILLIS = 60_000;

const WANTED = { mediaType: "application/json", name: "conversations" };
const NOT_A_PLATFORM = `expected ${WANTED.name}: this is no local platform`;

/** Requests a page. @throws PlatformProblem */
type Ask = (path: string, query: Readonly<Record<string, string>>) => Promise<JsonRecord>;

async function readBytes(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES)
      throw new PlatformProblem(`expected at most ${MAX_ANSWER_BYTES} bytes, got more`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(bytes: Buffer): JsonRecord {
  const value = parseJson(bytes.toString("utf8"));
  if (!isRecord(value)) throw new PlatformProblem(NOT_A_PLATFORM);
  return value;
}

function createAsk(target: string, access: PlatformAccess): Ask {
  return async (path, query) => {
    const url = toPlatformUrl(target, access, path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signal = AbortSignal.timeout(TIMEOUT_MILLIS);
    try {
      return parse(await readBytes(await requestPlatform(url, access, WANTED, signal)));
    } catch (error) {
      throw new PlatformProblem(toFailure(error, signal.aborted));
    }
  };
}

function readList(page: JsonRecord, name: string): readonly unknown[] {
  const list = page[name];
  if (!Array.isArray(list)) throw new PlatformProblem(NOT_A_PLATFORM);
  return list;
}

function readListed(page: JsonRecord) {
  return readList(page, "conversations").map((row) => {
    const key = isRecord(row) ? row["key"] : undefined;
    if (!isRecord(row) || typeof key !== "string") throw new PlatformProblem(NOT_A_PLATFORM);
    return { key, organizationId: row["organizationId"] };
  });
}

async function* readEvents(ask: Ask, key: string): AsyncGenerator<readonly unknown[]> {
  const path = `${CONVERSATIONS_PATH}/${encodeURIComponent(key)}`;
  for (let offset = 0; ;) {
    const page = await ask(path, { limit: String(PAGE_EVENTS), offset: String(offset) });
    const events = readList(page, "events");
    yield events;
    const next = page["next"];
    if (next === null) return;
    if (typeof next !== "number" || next <= offset) throw new PlatformProblem(NOT_A_PLATFORM);
    offset = next;
  }
}

/** Lists the conversations that are not known yet, the newest first, up to a page with known ones only. */
async function* listUnknown(
  ask: Ask,
  known: Set<string>,
): AsyncGenerator<ReturnType<typeof readListed>[number]> {
  for (let before: string | undefined; ;) {
    const page = await ask(CONVERSATIONS_PATH, {
      limit: String(PAGE_CONVERSATIONS),
      ...(before !== undefined && { before }),
    });
    const unknown = readListed(page).filter(({ key }) => !known.has(key));
    for (const listed of unknown) {
      if (known.size >= MAX_CONVERSATIONS)
        throw new PlatformProblem(
          `has more than ${MAX_CONVERSATIONS} conversations: the rest is left`,
        );
      known.add(listed.key);
      yield listed;
    }
    const { next } = page;
    if (next === null || unknown.length === 0) return;
    if (typeof next !== "string") throw new PlatformProblem(NOT_A_PLATFORM);
    before = next;
  }
}

/**
 * Reads the events of every conversation that a platform has, a page of one conversation at a time: the conversations
 * from the newest to the oldest, the events of each in order of time.
 *
 * A part that can't be read is reported, and ends the reading.
 *
 * @throws UsageError for an invalid URL, key or organization.
 */
export async function* readPlatformConversations(
  target: string,
  access: PlatformAccess,
  onUnreadable: (problem: string) => void,
): AsyncGenerator<readonly unknown[]> {
  const { origin } = toPlatformUrl(target, access, CONVERSATIONS_PATH);
  const { organizationId } = access;
  const ask = createAsk(target, access);
  const known = new Set<string>();
  try {
    // A new event moves its conversation to the beginning of the list: that is read a second time.
    for (let pass = 0; pass < 2; pass++)
      for await (const listed of listUnknown(ask, known))
        if (organizationId === undefined || listed.organizationId === organizationId)
          yield* readEvents(ask, listed.key);
  } catch (error) {
    if (!(error instanceof PlatformProblem)) throw error;
    onUnreadable(`${origin}: ${error.message}`);
  }
}
