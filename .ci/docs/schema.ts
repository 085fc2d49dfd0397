import * as z from "zod";

/** A schema without the layers that make it optional, and what they say. */
export interface UnwrappedSchema {
  readonly schema: z.ZodType;
  readonly isOptional: boolean;
  readonly description: string | undefined;
  /** The default, if there is one. */
  readonly defaultValue: unknown;
}

/** Takes a schema's outer layers off. */
export function unwrap(wrapped: z.ZodType): UnwrappedSchema {
  let schema = wrapped;
  let { description } = schema;
  let isOptional = false;
  let defaultValue: unknown;
  for (;;) {
    if (schema instanceof z.ZodDefault) defaultValue = schema.def.defaultValue;
    else if (schema instanceof z.ZodOptional) isOptional = true;
    else return { schema, isOptional, description, defaultValue };
    schema = schema.unwrap() as z.ZodType;
    description ??= schema.description;
  }
}

/** A member of an object schema, found by its path. */
export interface Member {
  readonly type: string;
  readonly enumValues: readonly string[] | undefined;
  readonly description: string | undefined;
  readonly isOptional: boolean;
  /** Path of the innermost optional object around it. */
  readonly optionalParent: string | undefined;
}

function enumValuesOf(schema: z.ZodType): readonly string[] | undefined {
  if (schema instanceof z.ZodEnum) return schema.options.map(String);
  if (!(schema instanceof z.ZodUnion)) return undefined;
  const options = schema.options.map((option) => enumValuesOf(option as z.ZodType));
  return options.every((values) => values !== undefined) ? [...new Set(options.flat())] : undefined;
}

/** Names the type of an attribute that carries such a value. */
function toAttributeType(schema: z.ZodType): string {
  if (schema instanceof z.ZodString || enumValuesOf(schema)) return "string";
  if (schema instanceof z.ZodBoolean) return "boolean";
  if (schema instanceof z.ZodNumberFormat) return "int";
  if (schema instanceof z.ZodNumber) return "double";
  return "any";
}

/** Finds a member by its dotted path; `undefined` when only the object's catch-all would take it. */
export function findMember(root: z.ZodObject, path: string): Member | undefined {
  const names = path.split(".");
  let object = root;
  let optionalParent: string | undefined;
  for (const [index, name] of names.entries()) {
    const member = object.shape[name] as z.ZodType | undefined;
    if (!member) return undefined;
    const { schema, isOptional, description } = unwrap(member);
    if (index === names.length - 1) {
      return {
        type: toAttributeType(schema),
        enumValues: enumValuesOf(schema),
        description,
        isOptional,
        optionalParent,
      };
    }
    if (isOptional) optionalParent = names.slice(0, index + 1).join(".");
    if (!(schema instanceof z.ZodObject)) return undefined;
    object = schema;
  }
  return undefined;
}
