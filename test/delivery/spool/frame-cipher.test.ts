import { createSecretKey } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createFrameCipher } from "../../../src/delivery/spool/frame.ts";

const key = createSecretKey(Buffer.alloc(32, 1));
const otherKey = createSecretKey(Buffer.alloc(32, 2));
const payload = fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes));
const sequence = fc.maxSafeNat();

it("opens what it has sealed, 16 bytes longer", () => {
  fc.assert(
    fc.property(payload, sequence, (bytes, nonce) => {
      const sealed = createFrameCipher(key, "file").seal(bytes, nonce);
      expect(sealed).toHaveLength(bytes.length + 16);
      expect(createFrameCipher(key, "file").open(sealed, nonce)).toEqual(bytes);
    }),
  );
});

it("opens nothing that was changed, nor moved to another place, file or key", () => {
  const bytes = Buffer.from("a payload");
  const cipher = createFrameCipher(key, "file");
  const sealed = cipher.seal(bytes, 5);
  for (let offset = 0; offset < sealed.length; offset++) {
    const changed = Buffer.from(sealed);
    changed[offset] = (changed[offset] ?? 0) ^ 1;
    expect(cipher.open(changed, 5)).toBeUndefined();
  }
  for (let length = 0; length < sealed.length; length++)
    expect(cipher.open(sealed.subarray(0, length), 5)).toBeUndefined();
  expect(cipher.open(sealed, 6)).toBeUndefined();
  expect(createFrameCipher(key, "other").open(sealed, 5)).toBeUndefined();
  expect(createFrameCipher(otherKey, "file").open(sealed, 5)).toBeUndefined();
});

it("shows nothing of the payload, and no two files alike", () => {
  const bytes = Buffer.from("4111 1111 1111 1111");
  const sealed = createFrameCipher(key, "one").seal(bytes, 1);
  expect(sealed.includes(bytes.subarray(0, 4))).toBe(false);
  expect(createFrameCipher(key, "two").seal(bytes, 1)).not.toEqual(sealed);
  expect(createFrameCipher(key, "one").seal(bytes, 2)).not.toEqual(sealed);
});
