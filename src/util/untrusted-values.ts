import { types } from "node:util";
import { isObject, toText } from "./values.ts";

/**
 * Reads a member of a foreign object: a getter or a proxy may throw, this never does.
 *
 * @param unreadable - Returned for a member whose getter throws. Default: `undefined`, as if it were absent.
 */
export function readMember(source: unknown, name: PropertyKey, unreadable?: unknown): unknown {
  try {
    return (source as Record<PropertyKey, unknown> | null | undefined)?.[name];
  } catch {
    return unreadable;
  }
}

/** Returns the first of the named members that is a text which is not empty; never throws. */
export function readText(source: unknown, ...names: string[]): string | undefined {
  for (const name of names) {
    const text = toText(readMember(source, name));
    if (text !== undefined) return text;
  }
  return undefined;
}

/**
 * Yields the first own members of an object, by name; members that throw are returned as `unreadable`.
 *
 * Bytes have none: their numbers would be millions. The language offers no way to name a few members of many, so the names
 * of one huge object are all listed once, but only these members are read.
 */
export function* ownMembers(
  source: object,
  most: number,
  unreadable?: unknown,
): Generator<[name: string, value: unknown], void> {
  if (ArrayBuffer.isView(source)) return;
  let count = 0;
  for (const name in source) {
    if (!Object.hasOwn(source, name)) continue;
    if (count++ === most) return;
    yield [name, readMember(source, name, unreadable)];
  }
}

/** Returns whether a value is an `Error`, one of another realm (`vm`, Jest) included; never throws. */
export function isError(value: unknown): value is Error {
  try {
    return types.isNativeError(value) || value instanceof Error;
  } catch {
    return false;
  }
}

/** Returns whether a value has a `then` method; a getter of its own may throw. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && "then" in value && typeof value.then === "function";
}

/**
 * Reports what a call has returned, which may be a promise. The caller gets the identical value or error, of a promise
 * by one that depends on ours: a rejection that nobody handles is still reported.
 */
export function followResult<T>(
  returned: T,
  onValue: (value: unknown) => void,
  onError: (error: unknown) => void,
): T | PromiseLike<unknown> {
  if (!isThenable(returned)) {
    onValue(returned);
    return returned;
  }
  return returned.then(
    (value) => {
      onValue(value);
      return value;
    },
    (error: unknown) => {
      onError(error);
      throw error;
    },
  );
}
