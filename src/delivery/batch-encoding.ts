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

/** Ids in the protected header of an encrypted batch: anybody can read them, the key protects them from changes. */
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

/** Thrown when this process can't encrypt batches; nothing is sent then. */
export class EncryptionError extends Error {
  override readonly name = "EncryptionError" as const;
}

/**
 * Loads `jose` at first use, so that applications without encryption don't pay for it.
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
 * Creates an encrypter of batches.
 *
 * @throws Error for a key that does not fit; the configuration is checked earlier.
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

/** Reason for which an encrypted batch waits after status 415: it is never sent in the clear instead. */
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

/** A batch as it goes over the wire: its body and the headers that describe the encoding. */
export interface EncodedBatch {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Encodes planned batches as requests. */
export interface BatchEncoder {
  /**
   * Compresses, and encrypts if so configured; an encrypted batch is always compressed.
   *
   * @param isPlainOnly - Whether the platform does not know gzip; no effect on encrypted batches.
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

/** Creates an encoder of planned batches. */
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
