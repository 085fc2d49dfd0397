/** A schema of OpenAPI 3.1: JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export const TEXT: JsonSchema = { type: "string" };
export const FLAG: JsonSchema = { type: "boolean" };
export const NUMBER: JsonSchema = { type: "number" };
export const COUNT: JsonSchema = { type: "integer", minimum: 0 };
export const TIME: JsonSchema = {
  type: "integer",
  description: "Milliseconds since the Unix epoch.",
};
/** An object that is not described further. */
export const OBJECT: JsonSchema = { type: "object" };

/** Describes a list. */
export const listOf = (items: JsonSchema): JsonSchema => ({ type: "array", items });

/** Describes one of some words. */
export const wordOf = (words: readonly string[]): JsonSchema => ({ type: "string", enum: words });

/** Describes what may be `null`. */
export const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });

/** A member that an object may lack. */
interface OptionalMember {
  readonly optional: JsonSchema;
}

/** Describes a member that an object may lack. */
export const optional = (schema: JsonSchema): OptionalMember => ({ optional: schema });

type MemberOf<Value> = unknown extends Value
  ? JsonSchema
  : undefined extends Value
    ? OptionalMember
    : JsonSchema;
type Members<T> = { readonly [Name in keyof T]-?: MemberOf<T[Name]> };

/** Describes an object; the compiler holds the names of its members against those of a type. */
export function objectOf<T extends object>(members: Members<T>): JsonSchema {
  const entries = Object.entries<JsonSchema | OptionalMember>(members);
  const isOptional = (member: JsonSchema | OptionalMember): member is OptionalMember =>
    "optional" in member;
  return {
    type: "object",
    required: entries.filter(([, member]) => !isOptional(member)).map(([name]) => name),
    properties: Object.fromEntries(
      entries.map(([name, member]) => [name, isOptional(member) ? member.optional : member]),
    ),
  };
}

/** Describes a page of a list, by the name of its member; `next` is what the next page begins with. */
export function pageOf(name: string, items: JsonSchema, next: JsonSchema = TEXT): JsonSchema {
  const description = "Where the next page begins; null on the last one.";
  return {
    type: "object",
    required: [name, "next"],
    properties: { [name]: listOf(items), next: { ...nullable(next), description } },
  };
}
