import { types } from "node:util";
import { isError } from "../util/untrusted-values.ts";
import { parseJson, setOwn, type JsonValue } from "../util/values.ts";
import { toNameRule, type NameRule } from "./member-names.ts";
import {
  CUT_MARKER,
  isWanted,
  MAX_TEXT_LENGTH,
  redactNumber,
  redactSearched,
  redactString,
  type Redaction,
} from "./text-redaction.ts";
import { FAILURE_MARKER } from "./token.ts";

/** Digits in the place of a JSON value that a JavaScript number can't hold. */
const LONG_NUMBER = /([:,[]\s{0,8})(-?\d{16,40})(?=\s{0,8}[,}\]])/g;
/** A token in the place of a JSON number. */
const BARE_TOKEN = /([:,[]\s{0,8})(\[[A-Z]{3,7}(?::[a-z2-7]{10})?\])(?=\s{0,8}[,}\]])/g;

/**
 * Parses a text as JSON; `undefined` for any other text.
 *
 * Numbers of more digits than JavaScript keeps are read as texts: half a card number must not become another one.
 */
function parseJsonText(text: string): unknown {
  if (!/^\s{0,64}[[{"]/.test(text)) return undefined;
  // Quotes inside a string end it; a text that is no longer JSON is searched as it is.
  return parseJson(text.replaceAll(LONG_NUMBER, '$1"$2"'));
}

/** Quotes tokens that have replaced numbers, if that makes the text valid JSON. */
function toValidJson(text: string): string {
  if (parseJson(text) !== undefined) return text;
  const quoted = text.replaceAll(BARE_TOKEN, '$1"$2"');
  return quoted !== text && parseJson(quoted) !== undefined ? quoted : text;
}

const TYPES: ReadonlySet<unknown> = new Set(
  "string number integer boolean object array null".split(" "),
);
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    "type title description required format pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf " +
    "minLength maxLength minItems maxItems uniqueItems items properties additionalProperties nullable optional " +
    "deprecated readOnly writeOnly default const enum example examples"
  ).split(" "),
);

/** Schema keywords that hold values instead of a description. */
const SCHEMA_VALUES: ReadonlySet<string> = new Set(
  "default const enum example examples".split(" "),
);

/**
 * Returns whether an object is a schema, as the parameters of tools are described: the member `ssn` of a schema is not
 * a number.
 *
 * @see https://json-schema.org/draft/2020-12
 */
function isSchema(value: object): boolean {
  return (
    TYPES.has((value as { type?: unknown }).type) &&
    Object.keys(value).every((key) => KEYWORDS.has(key))
  );
}

const MAX_DEPTH = 48;
/** Most values of one call, including members and elements. */
const MAX_NODES = 200_000;

/** State of one traversal of a value. */
interface Walk {
  readonly redaction: Redaction;
  readonly toKey: (key: string) => string;
  nodes: number;
}

/** Position of the traversal in a value. */
interface Place {
  readonly rule: NameRule;
  /** Name of the member; absent for a text that is not a member. */
  readonly name?: string | undefined;
  readonly depth: number;
}

const NO_RULE: NameRule = {};

function walkText(text: string, { rule, name, depth }: Place, walk: Walk): string {
  const { redaction } = walk;
  const isFree =
    !isWanted(rule.kind, redaction) && !rule.isIdentifier && text.length <= MAX_TEXT_LENGTH;
  const parsed = isFree && depth < MAX_DEPTH ? parseJsonText(text) : undefined;
  if (parsed === undefined) return redactString(text, rule, name, redaction);
  const redacted = walkValue(parsed, { rule: NO_RULE, name, depth: depth + 1 }, walk);
  const json = redacted === parsed ? text : JSON.stringify(redacted);
  // Parsing drops the first value of a repeated name, which is still in the text.
  const searched = redactSearched(json, redaction);
  return searched === json ? json : toValidJson(searched);
}

function walkArray(items: readonly unknown[], place: Place, walk: Walk): unknown {
  let copy: unknown[] | undefined;
  const inner = { ...place, depth: place.depth + 1 };
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    const redacted = walkValue(item, inner, walk);
    if (redacted !== item) copy ??= items.slice(0, index);
    copy?.push(redacted);
  }
  return copy ?? items;
}

/** Returns the rule of `value` in a pair of members: `{ name: "authorization", value: "…" }`. */
function toPairRule(source: Readonly<Record<string, unknown>>): NameRule | undefined {
  const name = source["name"] ?? source["key"];
  return typeof name === "string" && Object.hasOwn(source, "value") ? toNameRule(name) : undefined;
}

/** Returns the rule of a member: its own name's, else that of the surrounding object. */
function toMemberRule(key: string, outer: NameRule, pairRule: NameRule | undefined): NameRule {
  const own = toNameRule(key);
  if (own.kind !== undefined) return own;
  if (key === "value" && pairRule) return pairRule;
  return outer.kind === undefined ? own : outer;
}

/** Returns a name that is free in an object: redaction may have made two names equal. */
function toFreeKey(target: object, key: string): string {
  let free = key;
  for (let count = 2; Object.hasOwn(target, free); count++) free = `${key}#${count}`;
  return free;
}

function copyMembers(source: Readonly<Record<string, unknown>>, keys: readonly string[]) {
  const copy: { [key: string]: JsonValue } = {};
  for (const key of keys) setOwn(copy, key, source[key] as JsonValue);
  return copy;
}

function walkMembers(source: Record<string, unknown>, { rule, depth }: Place, walk: Walk): unknown {
  const keys = Object.keys(source);
  const pairRule = toPairRule(source);
  const outer = rule.kind !== undefined && isSchema(source) ? NO_RULE : rule;
  let copy: { [key: string]: JsonValue } | undefined;
  for (const [index, key] of keys.entries()) {
    const member = source[key];
    const memberRule =
      outer !== rule && SCHEMA_VALUES.has(key) ? rule : toMemberRule(key, outer, pairRule);
    const redacted = walkValue(member, { rule: memberRule, name: key, depth: depth + 1 }, walk);
    const redactedKey = walk.toKey(key);
    if (redacted !== member || redactedKey !== key)
      copy ??= copyMembers(source, keys.slice(0, index));
    if (copy) setOwn(copy, toFreeKey(copy, redactedKey), redacted as JsonValue);
  }
  return copy ?? source;
}

/** Redacts bytes by their text; bytes that are too long are cut as a whole. */
function walkBytes(bytes: Uint8Array, place: Place, walk: Walk): unknown {
  if (bytes.length > MAX_TEXT_LENGTH) return CUT_MARKER;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const redacted = walkText(text, place, walk);
  return redacted === text ? bytes : redacted;
}

function walkMap(source: ReadonlyMap<unknown, unknown>, place: Place, walk: Walk): unknown {
  const entries = [...source];
  const redacted = entries.map(([key, value]): [unknown, unknown] => {
    const isNamed = typeof key === "string";
    const rule = isNamed ? toMemberRule(key, place.rule, undefined) : place.rule;
    const inner = { rule, name: isNamed ? key : undefined, depth: place.depth + 1 };
    const newKey = isNamed ? walk.toKey(key) : walkValue(key, { ...inner, rule: NO_RULE }, walk);
    return [newKey, walkValue(value, inner, walk)];
  });
  const isSame = redacted.every(
    ([key, value], index) => key === entries[index]?.[0] && value === entries[index]?.[1],
  );
  return isSame ? source : new Map(redacted);
}

/** Copies an error with its descriptive members, which are not enumerable. */
function describeError(error: Error): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  const members = Object.fromEntries(Object.entries(error));
  return { ...members, name, message, stack, ...(cause !== undefined && { cause }) };
}

function walkClassOrPlain(source: object, place: Place, walk: Walk): unknown {
  const { toJSON: toJson } = source as { toJSON?: unknown };
  if (typeof toJson === "function") {
    const json: unknown = toJson.call(source);
    const redacted = walkValue(json, { ...place, depth: place.depth + 1 }, walk);
    return redacted === json ? source : redacted;
  }
  if (!isError(source)) return walkMembers(source as Record<string, unknown>, place, walk);
  const described = describeError(source);
  const redacted = walkMembers(described, place, walk);
  return redacted === described ? source : redacted;
}

function walkObject(source: object, place: Place, walk: Walk): unknown {
  if (place.depth > MAX_DEPTH) return CUT_MARKER;
  if (Array.isArray(source)) return walkArray(source, place, walk);
  if (types.isUint8Array(source)) return walkBytes(source, place, walk);
  if (types.isDate(source)) return source;
  if (types.isMap(source)) return walkMap(source, place, walk);
  if (types.isSet(source)) {
    const items = [...source];
    const redacted = walkArray(items, place, walk);
    return redacted === items ? source : new Set(redacted as unknown[]);
  }
  return walkClassOrPlain(source, place, walk);
}

function walkValue(value: unknown, place: Place, walk: Walk): unknown {
  if (++walk.nodes > MAX_NODES) return CUT_MARKER;
  try {
    switch (typeof value) {
      case "string":
        return walkText(value, place, walk);
      case "number":
      case "bigint":
        return redactNumber(value, place.rule, walk.redaction);
      case "object":
        return value === null ? value : walkObject(value, place, walk);
      default:
        return value;
    }
  } catch (error) {
    walk.redaction.onFailure(error);
    return FAILURE_MARKER;
  }
}

/**
 * Redacts a value with everything in it, names of members included; never throws.
 *
 * @returns The same value if nothing is found, else a copy.
 */
export function redactValue(
  value: unknown,
  name: string | undefined,
  redaction: Redaction,
  toKey: (key: string) => string,
): unknown {
  const rule = name === undefined ? NO_RULE : toNameRule(name);
  return walkValue(value, { rule, name, depth: 0 }, { redaction, toKey, nodes: 0 });
}
