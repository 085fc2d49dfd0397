import * as z from "zod";
import { cutString } from "../util/cut-string.ts";
import type { BurstLogger } from "../util/logger.ts";
import { forEachJsonMember, toJsonValue } from "../util/safe-json.ts";
import { isRecord, setOwn, type JsonValue } from "../util/values.ts";
import type { EventType } from "./base-event.ts";
import { eventSchemas } from "./detailed-event.ts";
import { eventMetadataSchema } from "./metadata.ts";
import { describeValue, toFieldPath, type ValidationDetail } from "./validation-error.ts";

/** Returns the members with a type for this kind: those of `EventMetadata` and those of the event's own metadata. */
export function toMemberSchemas(kind: EventType): Record<string, z.ZodType> {
  const metadata: z.ZodObject = eventSchemas[kind].shape.metadata.unwrap();
  return { ...eventMetadataSchema.shape, ...metadata.shape };
}

/** Invalid metadata members are kept under this key, out of the typed places. */
const INVALID_FIELDS_KEY = "invalidFields";

/** Returns whether a value is valid for a member. */
type Check = (value: JsonValue) => boolean;

const checksOfKind = new Map<EventType, ReadonlyMap<string, Check>>();

function toNumberCheck({ minValue, maxValue, format }: z.ZodNumber): Check {
  const least = minValue ?? -Infinity;
  const most = maxValue ?? Infinity;
  return (value) =>
    typeof value === "number" &&
    value >= least &&
    value <= most &&
    (format === null || Number.isSafeInteger(value));
}

function toObjectCheck({ shape }: z.ZodObject): Check {
  const members = Object.entries(shape as Record<string, z.ZodType>).map(
    ([name, schema]) => [name, toCheck(schema), schema instanceof z.ZodOptional] as const,
  );
  return (value) =>
    isRecord(value) &&
    members.every(([name, check, isOptional]) => {
      const member = value[name];
      return member === undefined ? isOptional : check(member);
    });
}

/** Returns whether a schema takes any string. */
function isPlainString(schema: z.ZodType): boolean {
  if (!(schema instanceof z.ZodString)) return false;
  const { checks = [], coerce = false } = schema.def;
  return checks.length === 0 && !coerce && schema.format === null;
}

const isNumber = (schema: z.ZodType): boolean =>
  (schema instanceof z.ZodOptional ? schema.unwrap() : schema) instanceof z.ZodNumber;

/** Most members are numbers or texts, and this runs for every event: the bounds are taken out of the schema once. */
function toCheck(schema: z.ZodType): Check {
  if (schema instanceof z.ZodOptional) return toCheck(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodNumber) return toNumberCheck(schema);
  if (isPlainString(schema)) return (value) => typeof value === "string";
  // Compared by its members: `describe()` makes a schema another object.
  if (
    schema instanceof z.ZodObject &&
    Object.values(schema.shape as Record<string, z.ZodType>).every(isNumber)
  ) {
    return toObjectCheck(schema);
  }
  return (value) => schema.safeParse(value).success;
}

/** Describes the expected type and the actual one. */
function toInvalidDetail(
  schema: z.ZodType | undefined,
  name: string,
  value: JsonValue,
): ValidationDetail {
  const issue = schema?.safeParse(value).error?.issues[0];
  const reason = issue?.message ?? "is invalid";
  return {
    field: toFieldPath(["metadata", name, ...(issue?.path ?? [])]),
    message: `${reason} (got ${describeValue(value)}); it is kept under invalidFields`,
    code: issue?.code ?? "custom",
  };
}

/** Returns the checks of a kind's members, created once. */
function checksOf(kind: EventType): ReadonlyMap<string, Check> {
  let checks = checksOfKind.get(kind);
  if (!checks) {
    const known = Object.entries(toMemberSchemas(kind));
    checks = new Map(known.map(([name, schema]) => [name, toCheck(schema)]));
    checksOfKind.set(kind, checks);
  }
  return checks;
}

function withTotal(tokensUsed: JsonValue): JsonValue {
  if (!isRecord(tokensUsed)) return tokensUsed;
  const { input, output, total } = tokensUsed;
  if (total !== undefined || typeof input !== "number" || typeof output !== "number")
    return tokensUsed;
  const sum = input + output;
  return Number.isFinite(sum) ? { ...tokensUsed, total: sum } : tokensUsed;
}

const NONE: Readonly<Record<string, JsonValue>> = {};

/** The caller's metadata on its way into an event: members with a typed place are taken out, the rest stays. */
export class MetadataReader {
  /** Members with a typed place; `undefined` once they are taken. */
  readonly #known = new Map<string, JsonValue | undefined>();
  /** All the others; in an object of its own, since deleting from it would make it slow to write out. */
  #others: Record<string, JsonValue> | undefined;
  isTruncated = false;
  /** Roughly the UTF-16 units of JSON of everything that the caller passed, the builders' free values included. */
  size = 0;
  /** Bound of the metadata, of content and of every free value, in UTF-16 units of JSON. */
  readonly maxLength: number;
  readonly #kind: EventType;
  #checks: ReadonlyMap<string, Check> | undefined;
  #invalid: Map<string, JsonValue> | undefined;

  /**
   * Copies the metadata, so that later changes by the caller change nothing, and parts its members by
   * whether they have a typed place; invalid ones are set aside.
   *
   * @param extra - Members that the caller passed elsewhere; they win over those of the metadata, which are
   * kept under `overridden`.
   */
  constructor(kind: EventType, metadata: unknown, extra: object | undefined, maxLength: number) {
    this.#kind = kind;
    this.maxLength = maxLength;
    const place = (name: string, value: JsonValue): void => this.#place(name, value);
    this.#read(metadata, place);
    if (extra) this.#readOver(extra, place);
    if (this.#invalid) this.#setAside(this.#invalid);
  }

  /** Reads members that win over those that have been read. */
  #readOver(extra: object, place: (name: string, value: JsonValue) => void): void {
    const overridden: Record<string, JsonValue> = {};
    this.#read(extra, (name, value) => {
      const given = this.#known.has(name) || Object.hasOwn(this.others, name);
      const previous = given ? this.peek(name) : undefined;
      if (previous !== undefined && previous !== value) setOwn(overridden, name, previous);
      place(name, value);
    });
    if (Object.keys(overridden).length > 0) this.add("overridden", overridden);
  }

  #read(source: unknown, visit: (name: string, value: JsonValue) => void): void {
    if (source === undefined || source === null) return;
    const { truncated, length } = forEachJsonMember(source, this.maxLength, visit);
    this.size += length;
    if (truncated) this.isTruncated = true;
  }

  /** The members without a typed place. */
  get others(): Readonly<Record<string, JsonValue>> {
    return this.#others ?? NONE;
  }

  /** Names of the invalid members. */
  get invalidFields(): readonly string[] {
    return Array.from(this.#invalid?.keys() ?? []);
  }

  /** Logs the members that are not of the documented type or range: what was expected, and what came. */
  reportInvalid(log: BurstLogger): void {
    if (!this.#invalid?.size) return;
    const kind = this.#kind;
    const schemas = toMemberSchemas(kind);
    const details = Array.from(this.#invalid, ([name, value]) =>
      toInvalidDetail(schemas[name], name, value),
    );
    const message = `${kind}: metadata not of the documented type or range is kept under invalidFields`;
    log.log("warn", `metadata:${kind}`, message, { details });
  }

  #place(name: string, value: JsonValue): void {
    // Creating the checks is the slowest step of a process's first event: metadata without members skips it.
    const check = (this.#checks ??= checksOf(this.#kind)).get(name);
    if (!check) {
      this.#setOther(name, value);
      return;
    }
    const completed = name === "tokensUsed" ? withTotal(value) : value;
    if (check(completed)) {
      this.#known.set(name, completed);
      this.#invalid?.delete(name);
    } else {
      this.#known.set(name, undefined);
      this.#invalid ??= new Map();
      this.#invalid.set(name, value);
    }
  }

  #setOther(name: string, value: JsonValue): void {
    setOwn((this.#others ??= {}), name, value);
  }

  #setAside(invalid: Map<string, JsonValue>): void {
    const aside = Object.fromEntries(invalid);
    // The caller may have a member of this name.
    const given = this.#others?.[INVALID_FIELDS_KEY];
    if (given !== undefined) aside[INVALID_FIELDS_KEY] = given;
    if (invalid.size > 0) this.#setOther(INVALID_FIELDS_KEY, aside);
  }

  has(name: string): boolean {
    return this.peek(name) !== undefined;
  }

  /** Returns a member and leaves it in place. */
  peek(name: string): JsonValue | undefined {
    // These names are our own, so none can be an inherited one.
    return this.#known.get(name) ?? this.#others?.[name];
  }

  /** Takes a member out. */
  take(name: string): JsonValue | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) {
      this.#known.set(name, undefined);
      return known;
    }
    const other = this.#others?.[name];
    if (other !== undefined) delete this.#others?.[name];
    return other;
  }

  /** Takes a string out; anything else stays. */
  takeString(name: string): string | undefined {
    return typeof this.peek(name) === "string" ? (this.take(name) as string) : undefined;
  }

  /** Takes a number out; anything else stays. */
  takeNumber(name: string): number | undefined {
    const known = this.#known.get(name);
    if (typeof known === "number") {
      this.#known.set(name, undefined);
      return known;
    }
    return typeof this.#others?.[name] === "number" ? (this.take(name) as number) : undefined;
  }

  /** Takes the requested numbers with a typed place out, as members of the target. */
  takeNumbers(names: ReadonlySet<string>, target: Record<string, unknown>): void {
    for (const [name, value] of this.#known) {
      if (typeof value !== "number" || !names.has(name)) continue;
      target[name] = value;
      this.#known.set(name, undefined);
    }
  }

  /** Adds a member, unless the caller has one of this name. */
  add(name: string, value: JsonValue | undefined): void {
    if (value !== undefined && !this.has(name)) this.#setOther(name, value);
  }

  /** Adds a member with a typed place, unless the caller has one of this name. */
  complete(name: string, value: JsonValue | undefined): void {
    if (value !== undefined && !this.has(name)) this.#place(name, value);
  }

  /** Returns the remaining members; `undefined` when there are none. */
  rest(): Record<string, JsonValue> | undefined {
    for (const [name, value] of this.#known) {
      if (value !== undefined) this.#setOther(name, value);
    }
    for (const _name in this.#others) return this.#others;
    return undefined;
  }

  /** Returns content within the bound; what is cut is marked. */
  toContent(content: string): string {
    const cut = cutString(content, this.maxLength);
    if (cut.length < content.length) this.add("truncated", true);
    this.size += cut.length;
    return cut;
  }

  /** Copies any value within the bound; what is cut is marked. */
  toFreeValue(value: unknown): JsonValue {
    const copy = toJsonValue(value, this.maxLength);
    if (copy.truncated) this.add("truncated", true);
    this.size += copy.length;
    return copy.value;
  }
}
