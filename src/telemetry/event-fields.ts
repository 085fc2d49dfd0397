import type { ContentPolicy } from "../config/config.ts";
import type { EventType } from "../events/base-event.ts";
import {
  BASE_FIELD_ATTRIBUTES,
  KIND_FIELD_ATTRIBUTES,
  type FieldAttribute,
} from "./attribute-mapping.ts";

/**
 * Measures an event, to compare a decoded event with the original: counts its members and the UTF-16 units of its
 * texts. Any truncation by an attribute limit makes the event shorter.
 */
export function toEventLength(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let length = 0;
  for (const member of Object.values(value)) {
    if (member !== undefined) length += 1 + toEventLength(member);
  }
  return length;
}

/** A field with its path in the event. */
export interface FieldPath extends FieldAttribute {
  readonly path: readonly string[];
  /** Last part of the path. */
  readonly name: string;
}

/** Fields of the same object of an event. */
interface FieldGroup {
  readonly parent: readonly string[];
  readonly rows: readonly FieldPath[];
}

function toPaths(fields: readonly FieldAttribute[]): readonly FieldPath[] {
  return fields.map((row) => {
    const path = row.field.split(".");
    return { ...row, path, name: path.at(-1) ?? "" };
  });
}

function toGroups(rows: readonly FieldPath[]): readonly FieldGroup[] {
  const groups = new Map<string, FieldPath[]>();
  for (const row of rows) {
    const parent = row.path.slice(0, -1).join(".");
    groups.set(parent, [...(groups.get(parent) ?? []), row]);
  }
  return Array.from(groups, ([parent, grouped]) => ({
    parent: parent === "" ? [] : parent.split("."),
    rows: grouped,
  }));
}

/** Returns a function that creates a kind's value at its first use: an import of the package needs none. */
function perKind<T>(make: (kind: EventType) => T): (kind: EventType) => T {
  const made: Partial<Record<EventType, T>> = {};
  return (kind) => (made[kind] ??= make(kind));
}

/** Returns every field of a kind that has an attribute. */
export const fieldPathsOf = perKind((kind) =>
  toPaths([...BASE_FIELD_ATTRIBUTES, ...KIND_FIELD_ATTRIBUTES[kind]]),
);

/** Fields that `encodeLogRecord` writes as literals, beside the base: they are on every answer. */
const isLlmField = ({ field }: FieldAttribute): boolean => field.startsWith("llmMetadata.");

function toPolicyGroups(kind: EventType, policy: ContentPolicy): readonly FieldGroup[] {
  const isWritten = (row: FieldAttribute): boolean => policy !== "none" || row.isSensitive !== true;
  const rows = KIND_FIELD_ATTRIBUTES[kind].filter((row) => isWritten(row) && !isLlmField(row));
  return toGroups(toPaths(rows));
}

/**
 * Return the fields that each policy writes beside the base and `llmMetadata`, grouped, so that each parent is looked
 * up once. Under `redacted` the event itself was redacted before.
 */
export const fieldGroupsOf: Readonly<
  Record<ContentPolicy, (kind: EventType) => readonly FieldGroup[]>
> = {
  full: perKind((kind) => toPolicyGroups(kind, "full")),
  redacted: perKind((kind) => toPolicyGroups(kind, "redacted")),
  none: perKind((kind) => toPolicyGroups(kind, "none")),
};

/**
 * Returns the metadata members of a kind that are written to attributes of their own, with the names of their parts that
 * are; a member without such names is written as a whole.
 */
export const metadataPartsOf = perKind((kind) => {
  const parts = new Map<string, Set<string>>();
  for (const { path } of fieldPathsOf(kind)) {
    const [outer, member, part] = path;
    if (outer !== "metadata" || member === undefined) continue;
    const names = parts.get(member) ?? new Set();
    parts.set(member, part === undefined ? names : names.add(part));
  }
  return parts;
});
