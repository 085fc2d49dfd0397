import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type * as Jose from "jose";
import type { EncryptionOptions } from "../events/protection.ts";
import {
  BATCH_ID_HEADER,
  CONTENT_ENCRYPTION,
  ENCRYPTED_MEDIA_TYPE,
  IDEMPOTENCY_HEADER,
  JOSE_MEDIA_TYPE,
} from "../events/wire.ts";
import { resolveEncryption } from "../util/encryption-key.ts";
import type { Compression } from "./batch.ts";

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

/** Level 1 takes a third of the time of level 6 for five per cent more bytes. */
const GZIP_LEVEL = 1;

const gzipAsync = promisify(gzip);

/** Why an encrypted batch that was answered with 415 is kept: it is never sent in the clear instead. */
export const ENCRYPTION_NOT_TAKEN =
  "status 415: the platform does not take batches encrypted with this algorithm and key";

export interface BatchEncoderOptions {
  readonly compression: Compression;
  readonly encryption?: EncryptionOptions | undefined;
}

/** A batch whose plain bytes are fixed. */
export interface EncodableBatch {
  readonly batchId: string;
  /** The `EventBatch` as UTF-8 JSON. */
  readonly body: Buffer;
  readonly compression: Compression;
}

/** A batch as it goes over the wire: its body and the headers that tell how to read it. */
export interface EncodedBatch {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Turns planned batches into requests. */
export interface BatchEncoder {
  /**
   * Compresses, and encrypts if so configured; an encrypted batch is always compressed.
   *
   * @param isPlainOnly - The platform does not know gzip; without meaning for encrypted batches.
   * @throws EncryptionError when this process can't encrypt.
   */
  encode(
    batch: EncodableBatch,
    organizationId: string,
    isPlainOnly: boolean,
  ): Promise<EncodedBatch>;
  /** For `metadata.encryptionInfo`; `undefined` without encryption. */
  readonly encryptionInfo: string | undefined;
  readonly isEncrypted: boolean;
}

function compress(body: Buffer): Promise<Buffer> {
  return gzipAsync(body, { level: GZIP_LEVEL });
}

/** Creates what turns planned batches into requests. */
export function createBatchEncoder(options: BatchEncoderOptions): BatchEncoder {
  const { compression, encryption } = options;
  const encrypter = encryption?.enabled === true ? createBatchEncrypter(encryption) : undefined;
  return {
    encryptionInfo: encrypter?.info,
    isEncrypted: encrypter !== undefined,
    async encode({ batchId, body, compression: planned }, organizationId, isPlainOnly) {
      const headers: Record<string, string> = { [IDEMPOTENCY_HEADER]: `"${batchId}"` };
      if (encrypter) {
        headers["content-type"] = JOSE_MEDIA_TYPE;
        headers[BATCH_ID_HEADER] = batchId;
        const ids = { batchId, organizationId };
        return { headers, body: await encrypter.encrypt(await compress(body), ids) };
      }
      headers["content-type"] = "application/json";
      if (isPlainOnly || compression === "none" || planned === "none") return { headers, body };
      headers["content-encoding"] = "gzip";
      return { headers, body: await compress(body) };
    },
  };
}
