import { BoundedMap } from "../../util/bounded-map.ts";
import type { KnownCall } from "../spans/call-attributes.ts";
import type { Protocol, Target } from "../protocol.ts";
import { findByPath } from "../protocols/index.ts";
import { isRecord, parseJson } from "../../util/values.ts";
import { readPath, toTarget } from "./request-parts.ts";

/** An address that model calls may go to. */
export interface Address {
  readonly protocols: readonly Protocol[];
  readonly target: Target;
}

/** Addresses that are remembered: clients use few. */
const MAX_ADDRESSES = 200;

function findAddress(url: string, path: string): Address | undefined {
  const protocols = findByPath(path);
  const target = protocols && toTarget(url);
  if (!target) return undefined;
  const fitting = protocols.filter((protocol) => protocol.matches?.(target) ?? true);
  return fitting.length === 0 ? undefined : { protocols: fitting, target };
}

/** Knows the addresses that model calls may go to. */
export class Addresses {
  readonly #known = new BoundedMap<string, Address>(MAX_ADDRESSES);

  /** Finds the address of a request; `undefined` for one that is no model call. Runs for all the application's. */
  find(url: string): Address | undefined {
    const path = readPath(url);
    const known = this.#known.get(path);
    if (known) return known;
    const address = findAddress(url, path);
    if (address) this.#known.set(path, address);
    return address;
  }
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
