import * as fc from "fast-check";
import type { JsonObject } from "./helpers.ts";

/** Values that are likely to upset somebody. */
export const nastyValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    "",
    "\u0000",
    "__proto__",
    "constructor",
    "\ud800",
    "a".repeat(300),
    "..",
    -0,
    1e308,
    2 ** 53,
    [],
    {},
    null,
  ),
  fc.string({ unit: "binary" }),
);

/** A change of one member. */
export interface Mutation {
  readonly path: number[];
  readonly action: "replace" | "delete" | "add";
  readonly key: string;
  readonly value: unknown;
}

/** Any change of any member. */
export const mutation: fc.Arbitrary<Mutation> = fc.record({
  path: fc.array(fc.nat(30), { minLength: 1, maxLength: 5 }),
  action: fc.constantFrom("replace", "delete", "add"),
  key: fc.oneof(fc.string(), fc.constantFrom("__proto__", "toJSON", "interactionType", "events")),
  value: nastyValue,
});

function isContainer(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** Changes one member, somewhere inside, of a value that is JSON. */
function mutate(root: JsonObject, { path, action, key, value }: Mutation): void {
  let target = root;
  for (const step of path.slice(0, -1)) {
    const keys = Object.keys(target);
    const next = target[keys[step % keys.length] ?? ""];
    if (!isContainer(next)) break;
    target = next;
  }
  const keys = Object.keys(target);
  const chosen = keys[(path.at(-1) ?? 0) % keys.length] ?? "";
  if (action === "delete") delete target[chosen];
  else if (action === "replace") target[chosen] = structuredClone(value);
  else
    Object.defineProperty(target, key, {
      value: structuredClone(value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
}

/** Changes a copy of a value that is JSON. */
export function applyAll(value: unknown, mutations: readonly Mutation[]): JsonObject {
  const copy = JSON.parse(JSON.stringify(value)) as JsonObject;
  for (const change of mutations) if (isContainer(copy)) mutate(copy, change);
  return copy;
}
