const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Gives the place of the quote that ends a string of JSON; the end of the bytes if there is none. */
export function findStringEnd(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return bytes.length;
}
