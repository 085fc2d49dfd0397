import { parseJson } from "../../util/values.ts";

/** A value, read from JSON text where it was any. */
export interface ReadValue {
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

/** Returns whether a token is a string that no quote closes. */
function isOpenString(token: string): boolean {
  return token.startsWith('"') && !/[^\\](?:\\\\)*"$/.test(token);
}

/** Finds the places where cut JSON can be closed, the best first; none where it was closed before the end. */
function findCuts(text: string): Cut[] {
  /** The brackets that are open, the outer one first. */
  const open: string[] = [];
  const toClosers = (): string => open.toReversed().join("");
  let lastComma: Cut | undefined;
  /** The token at the very end. */
  let last = "";
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const closer = CLOSERS[token];
    if (closer !== undefined) open.push(closer);
    else if (token === "}" || token === "]") {
      open.pop();
      if (open.length === 0) return [];
    } else if (token === ",") lastComma = { end: index, closers: toClosers() };
    last = index + token.length === text.length ? token : "";
  }
  const isInString = isOpenString(last);
  const whole = isInString ? text.replace(CUT_ESCAPE, "") : text;
  const closers = (isInString ? '"' : "") + toClosers();
  return [{ end: whole.length, closers }, ...(lastComma ? [lastComma] : [])];
}

/**
 * Reads JSON text that a length limit may have cut in the middle: its brackets or a string are open at the end.
 *
 * Never throws; `undefined` when the text is no JSON object or array, text that begins with one included.
 */
export function readJson(text: string): ReadValue | undefined {
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
