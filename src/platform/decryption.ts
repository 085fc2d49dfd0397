import type * as Jose from "jose";
import { CONTENT_ENCRYPTION, ENCRYPTED_MEDIA_TYPE, JOSE_MEDIA_TYPE } from "../events/wire.ts";
import { isKeyId, type EncryptionKey } from "../util/encryption-key.ts";
import { ProblemError } from "./problem.ts";

/** Ids of a batch in the protected header of its JWE, where a proxy can read them. */
export interface OuterIds {
  readonly batchId: unknown;
  readonly organizationId: unknown;
}

/** Decrypts a compact JWE: its ids, and the compressed batch; throws a problem when it can't. */
export type Decrypt = (jwe: Buffer) => Promise<OuterIds & { readonly gzipped: Buffer }>;

/** The protected header before it is verified. */
type Header = Readonly<Record<string, unknown>>;

function unreadable(detail: string): ProblemError {
  return new ProblemError("malformed_body", detail);
}

function unsupported(detail: string): ProblemError {
  return new ProblemError("unsupported_media_type", detail);
}

function readHeader(
  { decodeProtectedHeader }: typeof Jose,
  jwe: string,
  canDecrypt: boolean,
): Header {
  try {
    return { ...decodeProtectedHeader(jwe) };
  } catch {
    if (!canDecrypt) throw unsupported("there is no key here to decrypt with");
    throw unreadable(`the body is no compact JWE, as ${JOSE_MEDIA_TYPE} promises`);
  }
}

/** Finds the key by the header's kid; the key, not the header, decides which algorithms are allowed. */
function findKey(keys: ReadonlyMap<string, EncryptionKey>, { kid, alg }: Header): EncryptionKey {
  if (!isKeyId(kid)) throw unsupported("expected a kid in the header of the JWE");
  const found = keys.get(kid);
  if (!found) throw unsupported(`there is no key ${kid} here to decrypt with`);
  if (!found.algorithms.some((algorithm) => algorithm === alg))
    throw unsupported(`the key ${kid} is for ${found.algorithms.join(" or ")}`);
  return found;
}

function verifyContent({ enc, cty, zip }: Header): void {
  if (enc !== CONTENT_ENCRYPTION)
    throw unsupported(`expected enc ${CONTENT_ENCRYPTION} in the JWE`);
  // The prefix may be left out. @see RFC 7515, 4.1.10
  const mediaType =
    typeof cty === "string" && cty.includes("/") ? cty : `application/${String(cty)}`;
  if (mediaType !== ENCRYPTED_MEDIA_TYPE)
    throw unsupported(`expected cty ${ENCRYPTED_MEDIA_TYPE} in the JWE`);
  if (zip !== undefined) throw unsupported("expected a JWE without zip: its content is compressed");
}

/** Creates the function that decrypts batches with the keys that they name. */
export function createDecrypt(keys: ReadonlyMap<string, EncryptionKey>): Decrypt {
  return async (bytes) => {
    // Loaded here, since few platforms get encrypted batches.
    const jose = await import("jose");
    const jwe = bytes.toString("latin1");
    const header = readHeader(jose, jwe, keys.size > 0);
    const { key, algorithms } = findKey(keys, header);
    verifyContent(header);
    try {
      const { plaintext } = await jose.compactDecrypt(jwe, key, {
        keyManagementAlgorithms: [...algorithms],
        contentEncryptionAlgorithms: [CONTENT_ENCRYPTION],
      });
      const { batchId, organizationId } = header;
      return { gzipped: Buffer.from(plaintext), batchId, organizationId };
    } catch {
      // The reason would help an attacker who tries keys, so it is not returned.
      throw unreadable("the body can't be decrypted");
    }
  };
}

/**
 * Checks the batch ids in the clear against the batch.
 *
 * @param header - The `X-Batch-Id` header.
 */
export function verifyOuterIds(
  { batchId, organizationId }: Readonly<{ batchId: string; organizationId: string }>,
  header: string | null,
  outer: OuterIds | undefined,
): void {
  const isOther = (header !== null && header !== batchId) || (outer && outer.batchId !== batchId);
  if (isOther) {
    const detail = "differs from the X-Batch-Id header or from batchId in the header of the JWE";
    const errors = [{ pointer: "/batchId", code: "batch_id_mismatch", detail }];
    throw new ProblemError("invalid_batch", `/batchId ${detail}`, { errors });
  }
  if (outer && outer.organizationId !== organizationId) {
    const detail = "organizationId differs from that in the header of the JWE";
    throw new ProblemError("organization_mismatch", detail);
  }
}
