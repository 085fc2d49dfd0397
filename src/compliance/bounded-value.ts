import { ownMembers } from "../util/untrusted-values.ts";

/** Members of one object, or items of one list, that rules see. */
const MAX_MEMBERS = 256;
const MAX_DEPTH = 8;

/** What may still be shown to rules of what an application passed. */
export interface Bounds {
  /** Values, members and items counted. */
  values: number;
  /** UTF-16 units of texts. */
  length: number;
  /** Set when something was left out. */
  truncated: boolean;
}

function boundText(text: string, bounds: Bounds): string {
  const most = Math.max(0, bounds.length);
  bounds.length -= text.length;
  if (text.length <= most) return text;
  bounds.truncated = true;
  return text.slice(0, most);
}

function boundList(items: readonly unknown[], bounds: Bounds, depth: number): unknown {
  const shown = items.length > MAX_MEMBERS ? items.slice(0, MAX_MEMBERS) : items;
  if (shown !== items) bounds.truncated = true;
  const bounded = shown.map((item) => boundValue(item, bounds, depth + 1));
  const isSame = shown === items && bounded.every((item, index) => item === items[index]);
  return isSame ? items : bounded;
}

function boundMembers(source: object, bounds: Bounds, depth: number): unknown {
  const members: [string, unknown][] = [];
  let isSame = true;
  for (const [name, value] of ownMembers(source, MAX_MEMBERS + 1)) {
    if (members.length === MAX_MEMBERS) {
      bounds.truncated = true;
      return Object.fromEntries(members);
    }
    const bounded = boundValue(value, bounds, depth + 1);
    isSame &&= bounded === value;
    members.push([name, bounded]);
  }
  return isSame ? source : Object.fromEntries(members);
}

/**
 * Bounds a value before rules walk through it, each in its own way.
 *
 * @returns The same value if it is within the bounds, else a copy of what is.
 */
export function boundValue(value: unknown, bounds: Bounds, depth = 0): unknown {
  if (bounds.values-- <= 0) {
    bounds.truncated = true;
    return undefined;
  }
  if (typeof value === "string") return boundText(value, bounds);
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  return Array.isArray(value)
    ? boundList(value, bounds, depth)
    : boundMembers(value, bounds, depth);
}
