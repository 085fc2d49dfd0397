import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { isUnobserved } from "../../scope/scopes.ts";
import { BoundedMap } from "../../util/bounded-map.ts";
import { systemClock, type Clock } from "../../util/clock.ts";
import { isRecord, parseJson, toRecord, type JsonRecord } from "../../util/values.ts";
import type { Protocol, Target } from "../protocol.ts";
import { findByPath } from "../protocols/index.ts";
import type { KnownCall } from "../spans/call-span.ts";

/** Provider names of the conventions, by the end of the host. */
const PROVIDERS: readonly (readonly [string, string])[] = [
  [".openai.azure.com", "azure.ai.openai"],
  [".cognitiveservices.azure.com", "azure.ai.openai"],
  [".services.ai.azure.com", "azure.ai.inference"],
  [".models.ai.azure.com", "azure.ai.inference"],
  ["api.openai.com", "openai"],
  ["api.anthropic.com", "anthropic"],
  ["api.groq.com", "groq"],
  ["api.deepseek.com", "deepseek"],
  ["api.perplexity.ai", "perplexity"],
  ["api.x.ai", "x_ai"],
  ["mistral.ai", "mistral_ai"],
  ["cohere.com", "cohere"],
  ["cohere.ai", "cohere"],
  ["generativelanguage.googleapis.com", "gcp.gemini"],
  ["aiplatform.googleapis.com", "gcp.vertex_ai"],
  ["openrouter.ai", "openrouter"],
];
const BEDROCK_HOST = /^bedrock[\w-]*\.[\w-]+\.amazonaws\.com/;

/** Returns the provider's name by the address; `undefined` for an unknown address. */
function toProviderName(host: string, path: string): string | undefined {
  for (const [ending, name] of PROVIDERS) if (host.endsWith(ending)) return name;
  if (BEDROCK_HOST.test(host)) return "aws.bedrock";
  return path.includes("/openai/deployments/") ? "azure.ai.openai" : undefined;
}

/** Returns the path of a URL; for an absolute URL everything before the query and the fragment. */
function readPath(url: string): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

/** Reads the destination of a request. */
function toTarget(url: string): Target | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname: host, port, pathname: path } = new URL(url);
  const provider = toProviderName(host, path);
  return { host, port: port === "" ? undefined : Number(port), path, provider };
}

/** An address of model calls. */
export interface Address {
  readonly protocols: readonly Protocol[];
  readonly target: Target;
}

/** Most remembered addresses; clients use few. */
const MAX_ADDRESSES = 200;

const knownAddresses = new BoundedMap<string, Address>(MAX_ADDRESSES);

/** Finds the address of a request; `undefined` if it is not a model call. Runs for all of the application's requests. */
export function findAddress(url: string): Address | undefined {
  const path = readPath(url);
  const known = knownAddresses.get(path);
  if (known) return known;
  const found = findByPath(path);
  const target = found && toTarget(url);
  if (!target) return undefined;
  const protocols = found.filter((protocol) => protocol.matches?.(target) ?? true);
  if (protocols.length === 0) return undefined;
  const address = { protocols, target };
  knownAddresses.set(path, address);
  return address;
}

/** Returns the call with its protocol, found by the body, or by the path alone when the body can't be read. */
export function toKnownCall(
  { protocols, target }: Address,
  text: string | undefined,
): KnownCall | undefined {
  const body = text === undefined ? undefined : parseJson(text);
  if (isRecord(body)) {
    for (const protocol of protocols) {
      const request = protocol.readRequest(body, target);
      if (request) return { protocol, target, request };
    }
    return undefined;
  }
  const protocol = protocols.find(({ isPathEnough }) => isPathEnough);
  return protocol && { protocol, target, request: undefined };
}

/** Node's channel of all requests that `fetch` sends. */
const CHANNEL = "undici:request:create";
/** How long after a call its further requests may follow: redirects, retries of a dispatcher. */
const FOLLOWING_MILLIS = 60_000;

/** Time of a protocol's last observed call, in monotonic ms; shared by all copies of the package. */
const PASSED = Symbol.for("agent-monitor.fetch-passed");
const passed = ((globalThis as { [PASSED]?: Map<string, number> })[PASSED] ??= new Map());

/** Records that a call of a protocol passes an observer. */
export function notePassing(protocol: string, clock: Clock): void {
  passed.set(protocol, clock.monotonic());
}

/** Returns host and protocol of a request whose address alone identifies a model call. */
function readCall(sent: JsonRecord): { host: string; name: string } | undefined {
  const { origin, path, method } = sent;
  if (method !== "POST" || typeof path !== "string") return undefined;
  const address = findAddress(`${String(origin)}${path}`);
  if (!address) return undefined;
  const { host, provider } = address.target;
  const found = address.protocols.find(
    ({ isPathEnough }) => isPathEnough || provider !== undefined,
  );
  return found && { host, name: found.name };
}

/**
 * Watches for model calls that no observer has seen: those of clients that kept the `fetch` which they found at
 * construction, before there was an observer.
 *
 * @param onMissed - Called with the host of each missed call.
 * @returns A function that stops watching.
 */
export function watchMissedCalls(
  onMissed: (host: string) => void,
  clock: Clock = systemClock,
): () => void {
  const onRequest = (message: unknown): void => {
    if (isUnobserved()) return;
    try {
      const call = readCall(toRecord((message as { request?: unknown }).request));
      if (!call) return;
      const last = passed.get(call.name) ?? Number.NEGATIVE_INFINITY;
      if (clock.monotonic() - last > FOLLOWING_MILLIS) onMissed(call.host);
    } catch {
      // A malformed request is its sender's problem.
    }
  };
  subscribe(CHANNEL, onRequest);
  return () => void unsubscribe(CHANNEL, onRequest);
}
