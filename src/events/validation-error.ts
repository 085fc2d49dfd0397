import * as z from "zod";
import { findNearestName } from "../util/nearest-name.ts";

/** One problem of a value. */
export interface ValidationDetail {
  /** Path of the field, `a.b[0]`. */
  field: string;
  /** What was expected, and what came. */
  message: string;
  /** Kind of problem, as zod names it. */
  code: string;
  /** The offending value; never a credential or tracked content. */
  value?: unknown;
}

/** Thrown for invalid configuration or agents; lists every problem at once. */
export class ValidationError extends Error {
  /** Always `ValidationError`, also across copies of the package. */
  override readonly name = "ValidationError" as const;
  /** Every problem, in the order of the fields. */
  readonly details: ValidationDetail[];
  /** Path of the first problem. */
  declare readonly field?: string;
  /** Value of the first problem. */
  declare readonly value?: unknown;

  constructor(subject: string, details: ValidationDetail[]) {
    super(`${subject}: ${details.map((detail) => `${detail.field} ${detail.message}`).join("; ")}`);
    this.details = details;
    const first = details[0];
    if (first) {
      this.field = first.field;
      if ("value" in first) this.value = first.value;
    }
  }
}

/** Writes a path as `a.b[0]`. */
export function toFieldPath(path: readonly PropertyKey[]): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else text += text === "" ? String(part) : `.${String(part)}`;
  }
  return text;
}

/** Describes a value without its content: the type, and a length where there is one. */
export function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return `string of ${value.length} characters`;
  try {
    return Array.isArray(value) ? `array of ${value.length}` : typeof value;
  } catch {
    // A revoked proxy.
    return typeof value;
  }
}

/** Returns the issues below one of several forms that the value was meant to have, where one is more specific. */
function toInnerIssues(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const inner = issue.errors.find(
    (issues) => issues.length > 0 && issues.every(({ path }) => path.length > 0),
  );
  return inner?.map((one) => ({ ...one, path: [...issue.path, ...one.path] })) ?? [issue];
}

/**
 * Converts zod's issues into details.
 *
 * @param valueAt - Returns the value that a detail may show; absent, only type and length are reported.
 */
export function toValidationDetails(
  issues: readonly z.core.$ZodIssue[],
  valueAt?: (path: readonly PropertyKey[]) => unknown,
): ValidationDetail[] {
  return issues.flatMap(toInnerIssues).map(({ path, message, code }) => {
    const value = valueAt?.(path);
    return { field: toFieldPath(path), message, code, ...(value !== undefined && { value }) };
  });
}

/** Limit of unknown members that are reported of one value; a caller may pass anything. */
const MAX_UNKNOWN = 20;

/** A member that a schema does not know. */
export interface UnknownMember {
  readonly path: readonly PropertyKey[];
  /** The known member that was most likely meant. */
  readonly nearest: string | undefined;
}

/** Finds the schema that defines members, below its wrappers. */
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

/** Describes the known member that was most likely meant by an unknown one. */
export function describeUnknown({ nearest }: Pick<UnknownMember, "nearest">): string {
  return nearest === undefined ? "is unknown" : `is unknown: did you mean ${nearest}?`;
}
