import { parseJson } from "../../util/values.ts";

/** A value that was read from JSON text. */
export interface ReadJson {
  readonly value: unknown;
  /** Set when the text was cut and only its beginning could be read. */
  readonly isPartial: boolean;
}

/** Longest JSON text that is read whole, in UTF-16 units: parsing takes some milliseconds for each MiB. */
const MAX_LENGTH = 1024 * 1024;

/** Where a text can be closed: everything before `end` is whole, and `closers` are still open. */
interface Cut {
  readonly end: number;
  readonly closers: string;
}

const CLOSERS: Readonly<Record<string, string>> = { "{": "}", "[": "]" };
/** Strings, whole or cut, and what structures JSON. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[[\]{},]/gs;
/** An escape that was cut in its middle. */
const CUT_ESCAPE = /\\(?:u[0-9a-f]{0,3})?$/i;

interface Walked {
  /** The brackets that are open at the end, the outer one first. */
  readonly open: readonly string[];
  readonly lastComma: Cut | undefined;
  /** The token at the very end. */
  readonly last: string;
}

const toClosers = (open: readonly string[]): string => open.toReversed().join("");

/** Walks through text that begins as JSON does; `undefined` if that JSON was closed before the end. */
function walkThrough(text: string): Walked | undefined {
  const open: string[] = [];
  let lastComma: Cut | undefined;
  let last = "";
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const closer = CLOSERS[token];
    if (closer !== undefined) open.push(closer);
    else if (token === "}" || token === "]") {
      open.pop();
      if (open.length === 0) return undefined;
    } else if (token === ",") lastComma = { end: index, closers: toClosers(open) };
    last = index + token.length === text.length ? token : "";
  }
  return { open, lastComma, last };
}

/** Finds the places where cut JSON can be closed, the best first; none where nothing was cut off. */
function findCuts(text: string): Cut[] {
  const walked = walkThrough(text);
  if (!walked) return [];
  const { open, lastComma, last } = walked;
  const isInString = isOpenString(last);
  const cutEscape = isInString ? (CUT_ESCAPE.exec(text)?.[0].length ?? 0) : 0;
  const closers = (isInString ? '"' : "") + toClosers(open);
  return [{ end: text.length - cutEscape, closers }, ...(lastComma ? [lastComma] : [])];
}

/** Returns whether a token is a string that no quote closes. */
function isOpenString(token: string): boolean {
  return token.startsWith('"') && !/[^\\](?:\\\\)*"$/.test(token);
}

/**
 * Reads JSON text that a length limit may have cut in the middle: its brackets or a string are open at the end.
 *
 * Never throws; `undefined` when the text is no JSON object or array, text that begins with one included.
 */
export function readJson(text: string): ReadJson | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const part = text.slice(0, MAX_LENGTH);
  if (part.length === text.length) {
    const value = parseJson(text);
    if (value !== undefined) return { value, isPartial: false };
  }
  for (const { end, closers } of findCuts(part)) {
    const value = parseJson(part.slice(0, end) + closers);
    if (value !== undefined) return { value, isPartial: true };
  }
  return undefined;
}

/** Returns what JSON text says, as much as is left of it; any other value stays as it is. */
export function readJsonValue(value: unknown): unknown {
  return typeof value === "string" ? readJson(value)?.value : value;
}
