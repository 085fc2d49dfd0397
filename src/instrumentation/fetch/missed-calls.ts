import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { systemClock, type Clock } from "../../util/clock.ts";
import { isUnobserved } from "../../scope/unobserved.ts";
import { findByPath } from "../protocols/index.ts";
import { readPath, toTarget } from "./request-parts.ts";

/** Where Node tells of every request that `fetch` sends. */
const CHANNEL = "undici:request:create";
/** How long after a call its requests may follow: redirects, what a dispatcher sends again. */
const FOLLOWING_MILLIS = 60_000;

/** When a call of a protocol passed an observer last, in monotonic ms; shared by all copies of the package. */
const PASSED = Symbol.for("agent-monitor.fetch-passed");
const passed = ((globalThis as { [PASSED]?: Map<string, number> })[PASSED] ??= new Map());

/** Takes note that a call of a protocol passes an observer. */
export function notePassing(protocol: string, clock: Clock): void {
  passed.set(protocol, clock.monotonic());
}

interface SentRequest {
  readonly origin?: unknown;
  readonly path?: unknown;
  readonly method?: unknown;
}

/** Gives host and protocol of what is surely a model call, by its address alone. */
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
 * Watches for model calls that no observer has seen: those of clients that keep the `fetch` they found when they were
 * built, before there was an observer.
 *
 * @param onMissed - Is told the host of each.
 * @returns Ends it.
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
      // What is odd about a request is its sender's.
    }
  };
  subscribe(CHANNEL, onRequest);
  return () => void unsubscribe(CHANNEL, onRequest);
}
