import { createHash, randomBytes } from "node:crypto";

interface Entry<Value> {
  readonly value: Value;
  readonly endsAt: number;
  usedAt: number;
}

/** How many entries there may be, and how long each lasts, in milliseconds. */
export interface EntryLimits {
  readonly count: number;
  readonly millis: number;
  /** Longest time between two uses. */
  readonly idleMillis?: number;
}

/**
 * Creates a bounded store of values under random keys, which only their holders know.
 *
 * Digests of the keys are kept: whoever reads the memory can't use them, and the time of a search shows nothing. With too many, the oldest ends.
 */
export function createBoundedEntries<Value>(
  now: () => number,
  { count, millis, idleMillis = millis }: EntryLimits,
) {
  const entries = new Map<string, Entry<Value>>();
  const toDigest = (key: string): string => createHash("sha256").update(key).digest("base64url");
  const find = (key: string): Value | undefined => {
    const digest = toDigest(key);
    const entry = entries.get(digest);
    if (!entry) return undefined;
    const at = now();
    if (at >= entry.endsAt || at - entry.usedAt >= idleMillis) {
      entries.delete(digest);
      return undefined;
    }
    entry.usedAt = at;
    return entry.value;
  };
  return {
    /** Keeps a value, and returns its key. */
    add(value: Value): string {
      const key = randomBytes(32).toString("base64url");
      const at = now();
      entries.set(toDigest(key), { value, endsAt: at + millis, usedAt: at });
      const [oldest] = entries.keys();
      if (entries.size > count && oldest !== undefined) entries.delete(oldest);
      return key;
    },
    find,
    /** Finds a value and ends it. */
    take(key: string): Value | undefined {
      const value = find(key);
      entries.delete(toDigest(key));
      return value;
    },
  };
}
