/** Messages, or lists, inside each other: the deepest value that is accepted needs three for each of its levels. */
export const MAX_NESTING = 128;
/** Messages and lists of a body, far above those of a full batch: two bytes can be one. */
export const MAX_MESSAGES = 2_000_000;
/**
 * Bytes of resources and scopes, counted anew for every item, which they are stored and shown with: a few bytes of a
 * compressed request could be thousands of copies of a large resource.
 */
export const MAX_REPEATED_BYTES = 64 * 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/** Gives the place of the quote that ends a string; the end of the bytes if there is none. */
function findStringEnd(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return bytes.length;
}

/**
 * Says what of some JSON is too much for the parser, which would be at it for many seconds; nothing when it is well.
 *
 * Does not tell whether it is JSON.
 */
export function findJsonExcess(bytes: Buffer): string | undefined {
  let [nesting, messages] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = findStringEnd(bytes, at + 1);
    else if (OPEN.has(byte)) {
      if (++nesting > MAX_NESTING) return `more than ${MAX_NESTING} levels`;
      if (++messages > MAX_MESSAGES) return `more than ${MAX_MESSAGES} objects and arrays`;
    } else if (CLOSE.has(byte)) nesting--;
  }
  return undefined;
}
