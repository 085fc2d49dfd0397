import type { KeyObject } from "node:crypto";
import { readEncryptionKey, type EncryptionAlgorithm, type KeyMaterial } from "./encryption-key.ts";
import { isKeyId, KEY_ID_EXPECTATION } from "./key-id.ts";

/** The configuration of encryption as the caller gives it. */
export interface EncryptionSettings {
  readonly algorithm?: EncryptionAlgorithm | undefined;
  readonly keyId?: string | undefined;
  readonly key?: KeyMaterial | undefined;
}

/** What batches are encrypted with. */
export interface ResolvedEncryption {
  readonly algorithm: EncryptionAlgorithm;
  readonly keyId: string;
  readonly key: KeyObject;
}

/** A setting that does not fit, without its value. */
export interface EncryptionProblem {
  readonly field: keyof EncryptionSettings;
  readonly problem: string;
}

/** Reads the key and fills in the algorithm, by the kind of the key, and the key id, by the JWK's `kid`. */
export function resolveEncryption(
  settings: EncryptionSettings,
): ResolvedEncryption | EncryptionProblem {
  if (settings.key === undefined) return { field: "key", problem: "is required" };
  const read = readEncryptionKey(settings.key, "sender");
  if (typeof read === "string") return { field: "key", problem: read };
  const algorithm = settings.algorithm ?? read.algorithms[0];
  if (algorithm === undefined || !read.algorithms.includes(algorithm)) {
    const problem = `does not fit the key: expected ${read.algorithms.join(" or ")}`;
    return { field: "algorithm", problem };
  }
  const keyId = settings.keyId ?? read.keyId;
  if (!isKeyId(keyId)) {
    const problem =
      keyId === undefined ? "is required: the key is no JWK with a kid" : KEY_ID_EXPECTATION;
    return { field: "keyId", problem };
  }
  return { algorithm, keyId, key: read.key };
}
