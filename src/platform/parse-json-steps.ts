import { skipString } from "../util/json-span.ts";
import type { Steps } from "./turns.ts";

/** Larger arrays and objects are split; the parser takes some milliseconds for smaller ones, as most batches are. */
const LARGE_BYTES = 512 * 1024;
/** Levels that are split; deeper ones are parsed as a whole. */
const MAX_LEVELS = 64;
/** Bytes that are scanned between two pauses. */
const SCAN_BYTES = 64 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** Braces and brackets differ in this bit. */
const BRACKET_BIT = 0x20;
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** An array or an object that is split. */
interface Container {
  readonly start: number;
  /** The first byte behind it. */
  end: number;
  /** Commas between its own members. */
  readonly commas: number[];
}

/** Large containers by their first byte. */
type Containers = ReadonlyMap<number, Container>;

interface Document {
  readonly bytes: Buffer;
  readonly large: Containers;
  readonly largeBytes: number;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The open containers at a position, down to the deepest level that is split. */
class OpenContainers {
  readonly #open: Container[] = [];
  #depth = 0;

  enter(start: number): void {
    if (this.#depth++ < MAX_LEVELS) this.#open.push({ start, end: 0, commas: [] });
  }

  addComma(at: number): void {
    if (this.#depth === this.#open.length) this.#open.at(-1)?.commas.push(at);
  }

  /** Returns the container that ends, unless it is too deep. */
  leave(end: number): Container | undefined {
    if (this.#depth === 0 || this.#depth-- > MAX_LEVELS) return undefined;
    const container = this.#open.pop();
    if (container) container.end = end;
    return container;
  }
}

/** Finds the large containers, and where their members end. Invalid JSON is left to the parser. */
function* findContainers(bytes: Buffer, largeBytes: number): Steps<Containers> {
  const large = new Map<number, Container>();
  const open = new OpenContainers();
  let pauseAt = SCAN_BYTES;
  for (let at = 0; at < bytes.length; at++) {
    if (at >= pauseAt) {
      pauseAt = at + SCAN_BYTES;
      yield;
    }
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = skipString(bytes, at) - 1;
    else if (byte === COMMA) open.addComma(at);
    else if ((byte | BRACKET_BIT) === OPEN_BRACE) open.enter(at);
    else if ((byte | BRACKET_BIT) === CLOSE_BRACE) {
      const container = open.leave(at + 1);
      if (container && at + 1 - container.start > largeBytes) large.set(container.start, container);
    }
  }
  return large;
}

function skipSpaces(bytes: Buffer, from: number): number {
  let at = from;
  while (SPACES.has(bytes[at] ?? 0)) at++;
  return at;
}

function parseText(bytes: Buffer, prefix = "", suffix = ""): unknown {
  return JSON.parse(prefix + utf8.decode(bytes) + suffix);
}

function invalid(): SyntaxError {
  return new SyntaxError("no JSON");
}

/** Finds the large container at a member's position, if there is one, and the name that it has in an object. */
function findLarge({ bytes, large }: Document, isObject: boolean, from: number, to: number) {
  let at = skipSpaces(bytes, from);
  let name = "";
  if (isObject) {
    if (bytes[at] !== QUOTE) return undefined;
    const nameEnd = skipString(bytes, at);
    const colon = skipSpaces(bytes, nameEnd);
    const valueAt = skipSpaces(bytes, colon + 1);
    if (bytes[colon] !== COLON || !large.has(valueAt)) return undefined;
    name = String(parseText(bytes.subarray(at, nameEnd)));
    at = valueAt;
  }
  const container = large.get(at);
  if (!container) return undefined;
  if (skipSpaces(bytes, container.end) !== to) throw invalid();
  return { name, container };
}

/** Parses adjacent members; returns them as entries, those of an array without a name. */
function parseSmall(
  { bytes }: Document,
  isObject: boolean,
  from: number,
  to: number,
): (readonly [string, unknown])[] {
  const text = bytes.subarray(from, to);
  if (isObject) return Object.entries(parseText(text, "{", "}") as object);
  return (parseText(text, "[", "]") as unknown[]).map((value) => ["", value] as const);
}

function* parseContainer(document: Document, container: Container): Steps<unknown> {
  const { bytes, largeBytes } = document;
  const { start, end, commas } = container;
  const isObject = bytes[start] === OPEN_BRACE;
  if (bytes[end - 1] !== (isObject ? CLOSE_BRACE : CLOSE_BRACE ^ BRACKET_BIT)) throw invalid();
  const entries: (readonly [string, unknown])[] = [];
  let from = start + 1;
  /** Start of the small members that are not parsed yet. */
  let smallFrom = from;
  const takeSmall = (to: number): void => {
    if (smallFrom > to) return;
    const found = parseSmall(document, isObject, smallFrom, to);
    // Nothing between two commas: only an empty container has no member where one is expected.
    if (found.length === 0 && commas.length > 0) throw invalid();
    for (const entry of found) entries.push(entry);
  };
  for (const to of [...commas, end - 1]) {
    const member = findLarge(document, isObject, from, to);
    if (member) {
      if (smallFrom < from) takeSmall(from - 1);
      entries.push([member.name, yield* parseContainer(document, member.container)]);
      smallFrom = to + 1;
    } else if (to - smallFrom > largeBytes) {
      takeSmall(to);
      smallFrom = to + 1;
      yield;
    }
    from = to + 1;
  }
  if (smallFrom < end) takeSmall(end - 1);
  return isObject ? Object.fromEntries(entries) : entries.map(([, value]) => value);
}

/**
 * Parses JSON as `JSON.parse` does, with pauses.
 *
 * @throws SyntaxError or TypeError for invalid JSON or UTF-8.
 */
export function* parseJsonSteps(bytes: Buffer, largeBytes = LARGE_BYTES): Steps<unknown> {
  if (bytes.length <= largeBytes) return parseText(bytes);
  const large = yield* findContainers(bytes, largeBytes);
  const start = skipSpaces(bytes, 0);
  const root = large.get(start);
  if (!root) return parseText(bytes);
  if (skipSpaces(bytes, root.end) !== bytes.length) throw invalid();
  return yield* parseContainer({ bytes, large, largeBytes }, root);
}
