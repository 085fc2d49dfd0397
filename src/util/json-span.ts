/** A range of bytes; `end` is the first byte behind it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;

export function skipSpace(json: Uint8Array, from: number): number {
  let at = from;
  // Space, tab and line ends are the only bytes up to 0x20 that valid JSON has between tokens.
  while (at < json.length && (json[at] ?? 0) <= SPACE) at++;
  return at;
}

/** Bytes of a string that are looked at one by one: a search takes longer than these. */
const SHORT_BYTES = 24;

function isEscaped(json: Uint8Array, quote: number, from: number): boolean {
  let first = quote;
  while (first > from && json[first - 1] === BACKSLASH) first--;
  return (quote - first) % 2 === 1;
}

/** Returns the position behind the string that begins at `from`; the end of the bytes if it does not end. */
export function skipString(json: Uint8Array, from: number): number {
  const start = from + 1;
  const shortEnd = start + SHORT_BYTES;
  let at = start;
  while (at < shortEnd && json[at] !== QUOTE) at++;
  for (;;) {
    const quote = json[at] === QUOTE ? at : json.indexOf(QUOTE, at);
    if (quote === -1) return json.length;
    if (!isEscaped(json, quote, start)) return quote + 1;
    at = quote + 1;
  }
}

function skipNested(json: Uint8Array, from: number): number {
  const { length } = json;
  let depth = 0;
  let at = from;
  while (at < length) {
    const byte = json[at++] ?? 0;
    if (byte === QUOTE) at = skipString(json, at - 1);
    // The braces and brackets differ in one bit each.
    else if ((byte | 0x20) === OPEN_BRACE) depth++;
    else if ((byte | 0x20) === CLOSE_BRACE && --depth === 0) break;
  }
  return at;
}

function isScalarByte(byte: number): boolean {
  return byte > SPACE && byte !== COMMA && byte !== CLOSE_BRACE && byte !== CLOSE_BRACKET;
}

/** Returns the position behind the value that begins at `from`. */
export function skipValue(json: Uint8Array, from: number): number {
  const first = json[from];
  if (first === QUOTE) return skipString(json, from);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return skipNested(json, from);
  let at = from;
  while (at < json.length && isScalarByte(json[at] ?? 0)) at++;
  return at;
}

function decodeKey(json: Uint8Array, start: number, end: number): unknown {
  return JSON.parse(Buffer.from(json.buffer, json.byteOffset + start, end - start).toString());
}

/** Members of an object. */
export interface Members {
  /** Values by their names, byte for byte as they were sent. Of a repeated member the last one counts, as in `JSON.parse`. */
  readonly values: ReadonlyMap<string, Span>;
  /** Name of the first member that stands twice. */
  readonly repeated: string | undefined;
}

/** Finds the members of the top-level object; none where there is no object. The JSON must be valid: parse it first. */
export function findMembers(json: Uint8Array): Members {
  const values = new Map<string, Span>();
  let repeated: string | undefined;
  let at = skipSpace(json, 0);
  if (json[at] !== OPEN_BRACE) return { values, repeated };
  at = skipSpace(json, at + 1);
  while (json[at] === QUOTE) {
    const keyEnd = skipString(json, at);
    const name = String(decodeKey(json, at, keyEnd));
    const start = skipSpace(json, skipSpace(json, keyEnd) + 1);
    const end = skipValue(json, start);
    if (values.has(name)) repeated ??= name;
    values.set(name, { start, end });
    // Behind the value comes a comma, or the closing brace, which ends the loop.
    at = skipSpace(json, skipSpace(json, end) + 1);
  }
  return { values, repeated };
}

/** Finds the value of a member of the top-level object, as `findMembers` does. */
export function findMember(json: Uint8Array, name: string): Span | undefined {
  return findMembers(json).values.get(name);
}

const OPENING: ReadonlySet<number> = new Set([OPEN_BRACE, OPEN_BRACKET]);

/** Names read so far of an open object; an array has none. */
type OpenNames = Set<string> | undefined;

function enterOrLeave(open: OpenNames[], byte: number): void {
  if (byte === OPEN_BRACE) open.push(new Set());
  else if (byte === OPEN_BRACKET) open.push(undefined);
  else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) open.pop();
}

/** Adds a name; returns whether it is new. */
function addName(names: OpenNames, name: string): boolean {
  const isNew = names?.has(name) !== true;
  names?.add(name);
  return isNew;
}

/** Names whose hashes are compared with each other. */
const FEW_NAMES = 64;

/** Returns whether the members of an object certainly have different names: by hashes, which takes a tenth of the time. */
function hasDistinctNames(json: Uint8Array, from: number): boolean {
  const hashes: number[] = [];
  if (json[from] !== OPEN_BRACE) return false;
  for (let at = skipSpace(json, from + 1); json[at] === QUOTE;) {
    let hash = 0;
    for (at++; json[at] !== QUOTE; at++) {
      if (json[at] === BACKSLASH) return false;
      hash = (Math.imul(hash, 31) + (json[at] ?? 0)) | 0;
    }
    if (hashes.length === FEW_NAMES || hashes.includes(hash)) return false;
    hashes.push(hash);
    const end = skipValue(json, skipSpace(json, skipSpace(json, at + 1) + 1));
    at = skipSpace(json, skipSpace(json, end) + 1);
  }
  return true;
}

function readRepeatedMember(
  json: Uint8Array,
  { start, end }: Span,
  levels: number,
): string | undefined {
  const open: OpenNames[] = [];
  let isName = false;
  for (let at = start; at < end;) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) {
      const stringEnd = skipString(json, at);
      const name = isName ? String(decodeKey(json, at, stringEnd)) : undefined;
      if (name !== undefined && !addName(open.at(-1), name)) return name;
      isName = false;
      at = stringEnd;
    } else if (OPENING.has(byte) && open.length >= levels) {
      at = skipNested(json, at);
    } else {
      enterOrLeave(open, byte);
      // Behind an opening brace, and behind a comma in an object, comes a name.
      if (OPENING.has(byte) || byte === COMMA) isName = open.at(-1) !== undefined;
      at++;
    }
  }
  return undefined;
}

/**
 * Finds the name of a member that an object has twice; parsers differ in which of the two they keep.
 *
 * The JSON must be valid: parse it first.
 *
 * @param levels - How many levels of objects and arrays are looked at; 1 is the object alone.
 */
export function findRepeatedMember(
  json: Uint8Array,
  span: Span,
  levels = Infinity,
): string | undefined {
  const isClear = levels === 1 && hasDistinctNames(json, span.start);
  return isClear ? undefined : readRepeatedMember(json, span, levels);
}

/** Finds the elements of an array, byte for byte as they were sent. The JSON must be valid. */
export function findElements(json: Uint8Array, array: Span): Span[] {
  const spans: Span[] = [];
  let at = skipSpace(json, array.start + 1);
  while (at < array.end - 1) {
    const end = skipValue(json, at);
    spans.push({ start: at, end });
    at = skipSpace(json, skipSpace(json, end) + 1);
  }
  return spans;
}
