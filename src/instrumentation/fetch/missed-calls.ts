import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { systemClock, type Clock } from "../../util/clock.ts";
import { isUnobserved } from "../../scope/unobserved.ts";
import { findByPath } from "../protocols/index.ts";
import { readPath, toTarget } from "./request-parts.ts";

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

interface SentRequest {
  readonly origin?: unknown;
  readonly path?: unknown;
  readonly method?: unknown;
}

/** Returns host and protocol of a request whose address alone identifies a model call. */
function readCall({
  origin,
  path,
  method,
}: SentRequest): { host: string; name: string } | undefined {
  if (method !== "POST" || typeof path !== "string") return undefined;
  const protocols = findByPath(readPath(path));
  const target = protocols && toTarget(`${String(origin)}${path}`);
  if (!target) return undefined;
  const found = protocols.find(
    (protocol) =>
      (protocol.isPathEnough || target.provider !== undefined) &&
      (protocol.matches?.(target) ?? true),
  );
  return found && { host: target.host, name: found.name };
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
      const call = readCall((message as { request?: SentRequest }).request ?? {});
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
