import type { BoundedMap } from "../util/bounded-map.ts";
import type { KnownCall } from "./call-attributes.ts";
import type { Protocol, Target } from "./protocol.ts";
import { findByPath } from "./protocols/index.ts";
import { isRecord, parseJson } from "./read-json.ts";
import { readPath, toTarget } from "./request-parts.ts";

/** An address that model calls may go to. */
export interface Address {
  readonly protocols: readonly Protocol[];
  readonly target: Target;
}

/** Finds addresses that model calls may go to. Runs for every request of the application. */
export function toAddress(url: string, known: BoundedMap<string, Address>): Address | undefined {
  const path = readPath(url);
  const found = findByPath(path);
  if (!found) return undefined;
  const remembered = known.get(path);
  if (remembered) return remembered;
  const target = toTarget(url);
  if (!target) return undefined;
  const protocols = found.filter((protocol) => protocol.matches?.(target) ?? true);
  if (protocols.length === 0) return undefined;
  const address = { protocols, target };
  known.set(path, address);
  return address;
}

/** Tells which protocol a request is of, by its body; by its path alone when the body can't be read. */
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
