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

/** Walks through cut JSON and finds the places where it can be closed, the best first; none if it was closed before its end. */
function findCuts(text: string): Cut[] {
  const open: string[] = [];
  let lastComma: Cut | undefined;
  let isInString = false;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const closer = CLOSERS[token];
    if (closer !== undefined) open.push(closer);
    else if (token === "}" || token === "]") {
      open.pop();
      // Nothing was cut off: what goes on behind it is text that begins as JSON does.
      if (open.length === 0) return [];
    } else if (token === ",") lastComma = { end: index, closers: open.toReversed().join("") };
    else isInString = index + token.length === text.length && !/[^\\](?:\\\\)*"$/.test(token);
  }
  const cutEscape = isInString ? (CUT_ESCAPE.exec(text)?.[0].length ?? 0) : 0;
  const closers = (isInString ? '"' : "") + open.toReversed().join("");
  return [{ end: text.length - cutEscape, closers }, ...(lastComma ? [lastComma] : [])];
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
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
    const value = tryParse(text);
    if (value !== undefined) return { value, isPartial: false };
  }
  for (const { end, closers } of findCuts(part)) {
    const value = tryParse(part.slice(0, end) + closers);
    if (value !== undefined) return { value, isPartial: true };
  }
  return undefined;
}
