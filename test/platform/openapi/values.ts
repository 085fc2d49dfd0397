import * as fc from "fast-check";
import { nastyValue } from "../mutations.ts";
import type { Schema } from "./operations.ts";

/** Texts that are likely to upset somebody. */
export const nastyText = fc.oneof(
  fc.constantFrom(
    "\u0000",
    "a\u0000b",
    "\u001b[31m",
    "\r\nx-injected: 1",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' OR 1=1 --",
    "%00",
    "%zz",
    "../../etc/passwd",
    "__proto__",
    "\u202e\ufeff",
    "😀".repeat(50),
    "x".repeat(3000),
    " ",
    "-1",
    "1e9",
    "NaN",
    "9".repeat(30),
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
);

const numberOf = ({ minimum, maximum }: Schema): { min: number; max: number } => ({
  min: Math.max(Number(minimum ?? -1000), -(2 ** 31)),
  max: Math.min(Number(maximum ?? 2 ** 31), 2 ** 31 - 1),
});

function textOf({ pattern, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  if (typeof pattern === "string") return fc.stringMatching(new RegExp(pattern));
  const min = Number(minLength ?? 0);
  const max = Math.min(Number(maxLength ?? 40), min + 40);
  return fc.string({ unit: "grapheme", minLength: min, maxLength: Math.max(min, max) });
}

function objectOf(schema: Schema): fc.Arbitrary<unknown> {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Schema>>;
  const requiredKeys = (schema["required"] ?? []) as string[];
  const members = Object.entries(properties).map(([name, each]) => [name, valueOf(each)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys });
}

/** Makes values that a schema allows, as far as it is of the kinds that bodies have. */
export function valueOf(schema: Schema): fc.Arbitrary<unknown> {
  const { type, enum: words, const: only, anyOf, oneOf, items } = schema;
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(words)) return fc.constantFrom(...(words as unknown[]));
  const choices = (anyOf ?? oneOf) as Schema[] | undefined;
  if (choices) return fc.oneof(...choices.map(valueOf));
  if (type === "string") return textOf(schema);
  if (type === "integer") return fc.integer(numberOf(schema));
  if (type === "number") return fc.double({ ...numberOf(schema), noNaN: true });
  if (type === "boolean") return fc.boolean();
  if (type === "array") {
    const { minItems = 0 } = schema as { minItems?: number };
    return fc.array(valueOf((items ?? {}) as Schema), { minLength: minItems, maxLength: 3 });
  }
  return type === "object" ? objectOf(schema) : nastyValue;
}
