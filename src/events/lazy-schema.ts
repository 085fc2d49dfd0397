import * as z from "zod";

type Shape = z.core.$ZodLooseShape;

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

/** Accepts one of some words. */
export function lazyEnum<const T extends readonly string[]>(...words: T) {
  return lazySchema(() => z.enum(words));
}

/** Accepts an object with these members, and drops others. */
export function lazyObject<T extends Shape>(toShape: () => T) {
  return lazySchema(() => z.object(toShape()));
}

/** Accepts an object with these members, and keeps others. */
export function lazyLooseObject<T extends Shape>(toShape: () => T) {
  return lazySchema(() => z.looseObject(toShape()));
}

/** Accepts an object with any of these members, and keeps others. */
export function partialObject<T extends Shape>(shape: T) {
  return z.looseObject(shape).partial();
}

/** Accepts, from its first use on, what `partialObject` does. */
export function lazyPartialObject<T extends Shape>(toShape: () => T) {
  return lazySchema(() => partialObject(toShape()));
}
