type Attributes = Readonly<Record<string, unknown>>;

/** What instrumentations write in place of content that must not be captured. */
const PLACEHOLDERS: ReadonlySet<string> = new Set(["__REDACTED__", "<REDACTED>", "[REDACTED]"]);

/** Gives a string that says something; placeholders of switched-off capture say nothing. */
export function toText(value: unknown): string | undefined {
  if (typeof value !== "string" || value.trim() === "" || PLACEHOLDERS.has(value)) return undefined;
  return value;
}

/** Gives the first of some attributes that is a string and not empty. */
export function firstText(attributes: Attributes, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = toText(attributes[name]);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Gives the first of some attributes that is there at all. */
export function firstValue(attributes: Attributes, names: readonly string[]): unknown {
  for (const name of names) {
    const value = attributes[name];
    if (value !== undefined && value !== null && value !== "") return value;
  }
  return undefined;
}

/** A tree made of flattened attributes; lists are objects whose members are numbers. */
export interface AttributeTree {
  [member: string]: unknown;
}

/** Attributes that are read into one tree: far above the usual limit of 128 a span. */
const MAX_MEMBERS = 20_000;
const MAX_DEPTH = 12;

function isTree(value: unknown): value is AttributeTree {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === null;
}

function place(tree: AttributeTree, path: readonly string[], value: unknown): void {
  let node = tree;
  for (const member of path.slice(0, -1)) {
    const next = node[member];
    const child: AttributeTree = isTree(next) ? next : (Object.create(null) as AttributeTree);
    node[member] = child;
    node = child;
  }
  const last = path.at(-1);
  // A branch stays: some producers write both `message` and `message.content`.
  if (last !== undefined && !isTree(node[last])) node[last] = value;
}

/**
 * Puts flattened attributes (`llm.input_messages.0.message.role`) together again.
 *
 * @param prefix - With the dot at its end.
 */
export function readTree(attributes: Attributes, prefix: string): AttributeTree | undefined {
  const tree = Object.create(null) as AttributeTree;
  let members = 0;
  for (const key in attributes) {
    if (!key.startsWith(prefix)) continue;
    const path = key.slice(prefix.length).split(".");
    if (path.length <= MAX_DEPTH) place(tree, path, attributes[key]);
    if (++members >= MAX_MEMBERS) break;
  }
  return members === 0 ? undefined : tree;
}

/** Gives the members of a list that `readTree` made, in the order of their numbers. */
export function toList(tree: unknown): unknown[] {
  if (Array.isArray(tree)) return tree;
  if (!isTree(tree)) return [];
  return Object.keys(tree)
    .filter((key) => /^\d+$/.test(key))
    .toSorted((one, other) => Number(one) - Number(other))
    .map((key) => tree[key]);
}
