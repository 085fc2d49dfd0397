import * as z from "zod";
import { findNearestName } from "../util/nearest-name.ts";

/** Members that are told of one value; a caller may pass anything. */
const MAX_UNKNOWN = 20;

/** A member that a schema does not know. */
export interface UnknownMember {
  readonly path: readonly PropertyKey[];
  /** The known member that it most likely stands for. */
  readonly nearest: string | undefined;
}

/** Finds the schema that says something of members, below what is around it. */
function toStructure(schema: unknown): z.ZodObject | z.ZodArray | undefined {
  if (schema instanceof z.ZodObject || schema instanceof z.ZodArray) return schema;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return toStructure(schema.unwrap());
  // Of several forms, only one has members.
  if (schema instanceof z.ZodUnion)
    return schema.options.map(toStructure).find((option) => option !== undefined);
  return undefined;
}

function visit(
  schema: unknown,
  value: unknown,
  path: readonly PropertyKey[],
  found: UnknownMember[],
): void {
  const structure = toStructure(schema);
  if (!structure || typeof value !== "object" || value === null) return;
  if (structure instanceof z.ZodArray) {
    if (!Array.isArray(value)) return;
    for (const [index, item] of value.slice(0, MAX_UNKNOWN).entries())
      visit(structure.element, item, [...path, index], found);
    return;
  }
  const shape: Record<string, unknown> = structure.shape;
  for (const [name, member] of Object.entries(value)) {
    if (found.length >= MAX_UNKNOWN) return;
    const inner = [...path, name];
    if (Object.hasOwn(shape, name)) visit(shape[name], member, inner, found);
    else found.push({ path: inner, nearest: findNearestName(name, Object.keys(shape)) });
  }
}

/** Finds the members of a value, inner ones as well, that a schema does not know: most likely they are misspelt. */
export function findUnknownMembers(schema: z.ZodType, value: unknown): UnknownMember[] {
  const found: UnknownMember[] = [];
  visit(schema, value, [], found);
  return found;
}

/** Says of an unknown member what it most likely stands for. */
export function describeUnknown({ nearest }: Pick<UnknownMember, "nearest">): string {
  return nearest === undefined ? "is unknown" : `is unknown: did you mean ${nearest}?`;
}
