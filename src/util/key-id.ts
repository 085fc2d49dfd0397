const KEY_ID = /^[\w.~:/+@-]{1,256}$/;

/** What a key id must be, for messages. */
export const KEY_ID_EXPECTATION = "expected 1 to 256 letters, digits or any of . _ ~ : / + @ -";

/** Tells whether a text can name a key in a header, a log line and an argument of the command line. */
export function isKeyId(value: unknown): value is string {
  return typeof value === "string" && KEY_ID.test(value);
}
