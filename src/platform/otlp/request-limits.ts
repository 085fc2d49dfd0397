import { findStringEnd } from "../json-text.ts";
import type { Steps } from "../turns.ts";

/** Messages, or lists, inside each other: the deepest value that is accepted needs three for each of its levels. */
export const MAX_NESTING = 128;
/** Messages and lists of a body, far above those of a full batch: two bytes can be one. */
export const MAX_MESSAGES = 2_000_000;
/**
 * Bytes of resources and scopes, counted anew for every item, which they are stored and shown with: a few bytes of a
 * compressed request could be thousands of copies of a large resource.
 */
export const MAX_REPEATED_BYTES = 64 * 1024 * 1024;

/** So many bytes are looked through between two pauses. */
const SCAN_BYTES = 64 * 1024;

const QUOTE = 0x22;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/**
 * Says what of some JSON is too much for the parser, which would be at it for many seconds; nothing when it is well.
 *
 * Does not tell whether it is JSON.
 */
export function* findJsonExcess(bytes: Buffer): Steps<string | undefined> {
  let [nesting, messages, pauseAt] = [0, 0, SCAN_BYTES];
  for (let at = 0; at < bytes.length; at++) {
    if (at >= pauseAt) {
      pauseAt = at + SCAN_BYTES;
      yield;
    }
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = findStringEnd(bytes, at + 1);
    else if (OPEN.has(byte)) {
      if (++nesting > MAX_NESTING) return `more than ${MAX_NESTING} levels`;
      if (++messages > MAX_MESSAGES) return `more than ${MAX_MESSAGES} objects and arrays`;
    } else if (CLOSE.has(byte)) nesting--;
  }
  return undefined;
}
