import * as z from "zod";
import { toJsonValue, type JsonValue } from "../util/safe-json.ts";
import type { EventType } from "./base-event.ts";
import { eventSchemas } from "./detailed-event.ts";
import { eventMetadataFields } from "./metadata.ts";

/** Metadata members that are not what they should be are kept here, out of the typed places. */
export const INVALID_FIELDS_KEY = "invalidFields";

type FieldSchemas = Readonly<Record<string, z.ZodType>>;

const knownFieldsOfKind = new Map<EventType, FieldSchemas>();

/** The members that have a type for this kind: those of `EventMetadata` and those of the event's own metadata. */
function knownFields(kind: EventType): FieldSchemas {
  let known = knownFieldsOfKind.get(kind);
  if (!known) {
    const metadata: z.ZodObject = eventSchemas[kind].shape.metadata.unwrap();
    known = { ...eventMetadataFields, ...(metadata.shape as FieldSchemas) };
    knownFieldsOfKind.set(kind, known);
  }
  return known;
}

function withTotal(tokensUsed: JsonValue): JsonValue {
  if (typeof tokensUsed !== "object" || tokensUsed === null || Array.isArray(tokensUsed)) return tokensUsed;
  const { input, output, total } = tokensUsed;
  if (total !== undefined || typeof input !== "number" || typeof output !== "number") return tokensUsed;
  return { ...tokensUsed, total: input + output };
}

/** The caller's metadata on its way into an event: what has a typed place is taken out, the rest stays. */
export class MetadataReader {
  readonly #members: Record<string, JsonValue>;
  readonly isTruncated: boolean;
  /** Names of the members that are not what they should be. */
  readonly invalidFields: readonly string[];

  /**
   * Copies the metadata, so that later changes by the caller change nothing.
   *
   * @param extra - Members that the caller passed elsewhere; they win over those of the metadata.
   * @param maxLength - Bound of each copy in UTF-16 units of JSON.
   */
  constructor(kind: EventType, metadata: unknown, extra: object | undefined, maxLength: number) {
    const { value, truncated } = toJsonValue(metadata ?? {}, maxLength);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    this.#members = isObject ? value : { value };
    const copy = extra && toJsonValue(extra, maxLength);
    if (copy) Object.assign(this.#members, copy.value);
    this.isTruncated = truncated || (copy?.truncated ?? false);
    this.invalidFields = this.#setAsideInvalid(knownFields(kind));
  }

  #setAsideInvalid(known: FieldSchemas): string[] {
    const invalid: string[] = [];
    const members = this.#members;
    for (const name of Object.keys(members)) {
      if (!Object.hasOwn(known, name)) continue;
      const value = members[name] ?? null;
      if (name === "tokensUsed") members[name] = withTotal(value);
      if (!known[name]?.safeParse(members[name]).success) invalid.push(name);
    }
    if (invalid.length > 0) {
      const aside = Object.fromEntries(invalid.map((name) => [name, members[name] ?? null]));
      for (const name of invalid) delete members[name];
      members[INVALID_FIELDS_KEY] = aside;
    }
    return invalid;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#members, name);
  }

  /** Gives a member and leaves it where it is. */
  peek(name: string): JsonValue | undefined {
    return this.has(name) ? this.#members[name] : undefined;
  }

  /** Takes a member out. */
  take(name: string): JsonValue | undefined {
    const value = this.peek(name);
    if (value !== undefined) delete this.#members[name];
    return value;
  }

  /** Takes a string out; anything else stays. */
  takeString(name: string): string | undefined {
    return typeof this.peek(name) === "string" ? (this.take(name) as string) : undefined;
  }

  /** Takes a number out; anything else stays. */
  takeNumber(name: string): number | undefined {
    return typeof this.peek(name) === "number" ? (this.take(name) as number) : undefined;
  }

  /** Adds a member, unless the caller has one of this name. */
  add(name: string, value: JsonValue | undefined): void {
    if (value !== undefined && !this.has(name)) this.#members[name] = value;
  }

  /** Gives what is left as a property to spread into the event. */
  rest(): { metadata?: Record<string, JsonValue> } {
    return Object.keys(this.#members).length > 0 ? { metadata: this.#members } : {};
  }
}
