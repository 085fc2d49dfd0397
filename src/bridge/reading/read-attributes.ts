/** Attributes by name; nothing is known of their values. */
export type Attributes = Readonly<Record<string, unknown>>;

/** What instrumentations write in place of content that must not be captured. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  "__REDACTED__",
  "<REDACTED>",
  "[REDACTED]",
  "<elided>",
]);
/** Looking a text up makes a hash of all of it, which is spared longer ones. */
const MAX_PLACEHOLDER_LENGTH = Math.max(...[...PLACEHOLDERS].map(({ length }) => length));
/** The first character code that is certainly no white space. */
const FIRST_VISIBLE = 0x21;

function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  const isVisible = first >= FIRST_VISIBLE && first < 0x7f;
  return !isVisible && text.trim() === "";
}

/** Returns a string that says something: white space and the placeholders of switched-off capture say nothing. */
export function toCapturedText(value: unknown): string | undefined {
  if (typeof value !== "string" || isBlank(value)) return undefined;
  return value.length <= MAX_PLACEHOLDER_LENGTH && PLACEHOLDERS.has(value) ? undefined : value;
}

/** Returns the first of some attributes that is a string and not empty. */
export function firstText(
  attributes: Attributes,
  names: readonly string[] = [],
): string | undefined {
  for (const name of names) {
    const text = toCapturedText(attributes[name]);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Returns the first of some attributes that is there at all. */
export function firstValue(attributes: Attributes, names: readonly string[] = []): unknown {
  for (const name of names) {
    const value = toValue(attributes[name]);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Returns a value that is there at all; `??` between several looks no further than it must. */
export function toValue(value: unknown): unknown {
  return value === null || value === "" ? undefined : value;
}

/** Returns the first result of a function that is not `undefined`; values behind that one are not looked at. */
export function findFirst<T, R>(
  values: readonly T[],
  find: (value: T) => R | undefined,
): R | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns what the first pattern that matches a text captures. */
export function findMatch(text: string, patterns: readonly RegExp[]): string | undefined {
  return findFirst(patterns, (pattern) => pattern.exec(text)?.[1]);
}

/** A tree made of flattened attributes; lists are objects whose members are numbers. */
export interface AttributeTree {
  [member: string]: unknown;
}

/** Without members of its own behind it, so that `__proto__` is a name like any other. */
const TREE = Object.create(null) as AttributeTree;

/** Attributes that are read into one tree: far above the usual limit of 128 a span. */
const MAX_MEMBERS = 20_000;
const MAX_DEPTH = 12;

const createTree = (): AttributeTree => Object.create(TREE) as AttributeTree;

function isTree(value: unknown): value is AttributeTree {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === TREE;
}

/** Keys of attributes that are kept in parts: instrumentations write the same ones all the time. */
const MAX_KEYS = 4096;
const MAX_KEY_LENGTH = 128;
const keysInParts = new Map<string, readonly string[]>();

function toParts(key: string): readonly string[] {
  const known = keysInParts.get(key);
  if (known) return known;
  const parts = key.split(".");
  if (key.length > MAX_KEY_LENGTH) return parts;
  if (keysInParts.size >= MAX_KEYS) keysInParts.clear();
  keysInParts.set(key, parts);
  return parts;
}

/** @param from - The part of the key with which the path begins. */
function place(tree: AttributeTree, parts: readonly string[], from: number, value: unknown): void {
  const last = parts.length - 1;
  if (last - from >= MAX_DEPTH) return;
  let node = tree;
  for (let at = from; at < last; at++) {
    const member = parts[at] ?? "";
    const next = node[member];
    const child = isTree(next) ? next : createTree();
    if (child !== next) node[member] = child;
    node = child;
  }
  const name = parts[last] ?? "";
  // A branch stays: some producers write both `message` and `message.content`.
  if (!isTree(node[name])) node[name] = value;
}

/**
 * Puts flattened attributes (`llm.input_messages.0.message.role`) together again.
 *
 * @param prefix - With the dot at its end.
 */
export function readTree(attributes: Attributes, prefix: string): AttributeTree | undefined {
  const tree = createTree();
  const from = prefix.split(".").length - 1;
  let members = 0;
  for (const key in attributes) {
    if (!key.startsWith(prefix)) continue;
    place(tree, toParts(key), from, attributes[key]);
    if (++members >= MAX_MEMBERS) break;
  }
  return members === 0 ? undefined : tree;
}

const isNumber = (key: string): boolean => /^\d+$/.test(key);

/** Returns the members of a list that `readTree` made, in the order of their numbers, which objects keep. */
export function toList(tree: unknown): unknown[] {
  if (Array.isArray(tree)) return tree;
  if (!isTree(tree)) return [];
  return Object.keys(tree)
    .filter(isNumber)
    .map((key) => tree[key]);
}
