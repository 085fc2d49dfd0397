import { createHash } from "node:crypto";
import * as z from "zod";

const MIN_KEY_LENGTH = 16;
const DIGEST = /^sha256:([0-9a-f]{64})$/;

/** Members of whoever has a key: the key, or its digest, so that no secret lies beside the name. */
export const KEY_MEMBERS = {
  key: z
    .string()
    .refine(
      (key) => DIGEST.test(key) || (key.length >= MIN_KEY_LENGTH && !/\s/.test(key)),
      `expected at least ${MIN_KEY_LENGTH} characters without spaces, or sha256: and 64 hex digits`,
    )
    .optional(),
  keyHash: z.string().regex(DIGEST, "expected sha256: and 64 hex digits").optional(),
};

interface GivenKey {
  readonly key?: string | undefined;
  readonly keyHash?: string | undefined;
}

/** Returns whether there is a key or its digest, and not both. */
export function hasOneKey({ key, keyHash }: GivenKey): boolean {
  return (key === undefined) !== (keyHash === undefined);
}

/** Returns the digest by which a key is found. */
export function toDigest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** Reads the digest of a key, which may be written as its digest itself. */
export function readDigest({ key = "", keyHash = key }: GivenKey): Buffer {
  const hex = DIGEST.exec(keyHash)?.[1];
  return hex === undefined ? toDigest(key) : Buffer.from(hex, "hex");
}
