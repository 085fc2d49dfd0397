import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject } from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = "agent-monitor spool 1 ";

/** Encrypts the payloads of one file. */
export interface FrameCipher {
  /** @returns The encrypted payload, 16 bytes longer. */
  seal(payload: Uint8Array, nonce: number): Buffer;
  /** @returns The payload, or `undefined` when the key is another or the bytes were changed. */
  open(sealed: Uint8Array, nonce: number): Buffer | undefined;
}

function toNonce(number: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeDoubleLE(number, 0);
  return nonce;
}

/**
 * Creates the cipher of a file: AES-256-GCM under a key that is derived for this file alone (HKDF-SHA-256).
 *
 * A nonce is used once per file: file names are random, and a sequence is written to a file once.
 *
 * @see RFC 5869; NIST SP 800-38D
 */
export function createFrameCipher(spoolKey: KeyObject, fileName: string): FrameCipher {
  const key = Buffer.from(hkdfSync("sha256", spoolKey, fileName, PURPOSE, KEY_BYTES));
  return {
    seal(payload, nonce) {
      const cipher = createCipheriv(ALGORITHM, key, toNonce(nonce));
      return Buffer.concat([cipher.update(payload), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, nonce) {
      if (sealed.length < TAG_BYTES) return undefined;
      const end = sealed.length - TAG_BYTES;
      const decipher = createDecipheriv(ALGORITHM, key, toNonce(nonce), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(sealed.subarray(end));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}
