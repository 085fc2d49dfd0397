import type * as Jose from "jose";
import type { EncryptionOptions } from "../events/protection.ts";
import { CONTENT_ENCRYPTION, ENCRYPTED_MEDIA_TYPE } from "../events/wire.ts";
import { resolveEncryption } from "../util/encryption-settings.ts";

/** What an encrypted batch says of itself in the clear; the key protects it from changes. */
export interface BatchIds {
  readonly batchId: string;
  readonly organizationId: string;
}

/** Encrypts batches for the holder of one key. */
export interface BatchEncrypter {
  /** Algorithms and key id, for `metadata.encryptionInfo`. */
  readonly info: string;
  /**
   * Encrypts a compressed batch as a compact JWE.
   *
   * @throws EncryptionError when the package `jose` can't be loaded.
   */
  encrypt(gzipped: Buffer, ids: BatchIds): Promise<Buffer>;
}

/** Says why no batch can be encrypted in this process; nothing is sent then. */
export class EncryptionError extends Error {
  override readonly name = "EncryptionError" as const;
}

/**
 * Loads `jose`, which nobody without encryption should pay for.
 *
 * The CommonJS build has a `require()` here. Every supported Node.js can require an ES module; Jest has a
 * module system of its own, which can't.
 */
async function loadJose(): Promise<typeof Jose> {
  try {
    return await import("jose");
  } catch (error) {
    throw new EncryptionError(
      "encryption: the package jose can't be loaded: expected a Node.js that can require() ES modules; " +
        "for Jest, let it transform jose to CommonJS or leave encryption off in tests",
      { cause: error },
    );
  }
}

/**
 * Creates what encrypts batches.
 *
 * @throws Error for a key that does not fit; the configuration is checked before.
 * @see RFC 7516
 */
export function createBatchEncrypter(config: EncryptionOptions): BatchEncrypter {
  const resolved = resolveEncryption(config);
  if ("problem" in resolved) throw new Error(`encryption: ${resolved.field} ${resolved.problem}`);
  const { algorithm, keyId, key } = resolved;
  const fixed = {
    alg: algorithm,
    enc: CONTENT_ENCRYPTION,
    kid: keyId,
    typ: "JOSE",
    cty: ENCRYPTED_MEDIA_TYPE,
  };
  return {
    info: `alg=${algorithm};enc=${CONTENT_ENCRYPTION};kid=${keyId}`,
    async encrypt(gzipped, { batchId, organizationId }) {
      const { CompactEncrypt } = await loadJose();
      const encrypter = new CompactEncrypt(gzipped);
      encrypter.setProtectedHeader({ ...fixed, batchId, organizationId });
      return Buffer.from(await encrypter.encrypt(key), "ascii");
    },
  };
}
