import type * as z from "zod";

/**
 * Defers the creation of a schema to its first use.
 *
 * Creating all of them takes longer than reading the rest of the package, and a process that tracks a few
 * conversations needs few of them.
 */
export function lazySchema<T extends z.ZodType>(make: () => T): T {
  let schema: T | undefined;
  const made = (): T => (schema ??= make());
  return new Proxy({} as T, {
    get: (_target, key) => Reflect.get(made(), key) as unknown,
    has: (_target, key) => Reflect.has(made(), key),
    getPrototypeOf: () => Reflect.getPrototypeOf(made()),
  });
}
