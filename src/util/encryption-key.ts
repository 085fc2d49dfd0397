import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type JsonWebKey,
  type KeyObject,
} from "node:crypto";
import { decodeBase64 } from "./base64.ts";
import { isRecord, parseJson } from "./values.ts";

const KEY_ID = /^[\w.~:/+@-]{1,256}$/;

/** Expectation text of a key id. */
export const KEY_ID_EXPECTATION = "expected 1 to 256 letters, digits or any of . _ ~ : / + @ -";

/** Returns whether a text can name a key in a header, a log line and an argument of the command line. */
export function isKeyId(value: unknown): value is string {
  return typeof value === "string" && KEY_ID.test(value);
}

/** How the key of a batch is managed. @see RFC 7518, 4.1 */
export const ENCRYPTION_ALGORITHMS = ["RSA-OAEP-256", "ECDH-ES+A256KW", "A256KW", "dir"] as const;
export type EncryptionAlgorithm = (typeof ENCRYPTION_ALGORITHMS)[number];

/** A JWK of any library, or written down: not all of their types have an index signature. @see RFC 7517 */
export type JwkMaterial =
  | { readonly kty?: string | undefined }
  | { readonly kty?: string | undefined; readonly [member: string]: unknown };

/** A key as it is configured: PEM, a JWK (object or JSON text), or Base64 of a symmetric key. */
export type KeyMaterial = string | JwkMaterial;

/** A key and its possible uses. */
export interface EncryptionKey {
  readonly key: KeyObject;
  /** The algorithms it fits, the preferred one first. */
  readonly algorithms: readonly EncryptionAlgorithm[];
  /** `kid` of the JWK. */
  readonly keyId: unknown;
}

/** Why a key is invalid, without any of it. */
type KeyProblem = string;

/** Who holds the key: the sender's is public, unless it is symmetric. */
type KeyHolder = "sender" | "receiver";

const SYMMETRIC_KEY_BYTES = 32;
const MIN_RSA_BITS = 2048;
/** P-256, P-384 and P-521 as OpenSSL calls them. @see RFC 7518, 6.2.1.1 */
const EC_CURVES: readonly unknown[] = ["prime256v1", "secp384r1", "secp521r1"];

type Fit = readonly EncryptionAlgorithm[] | KeyProblem;

function fitSymmetric(bytes: number | undefined): Fit {
  if (bytes === SYMMETRIC_KEY_BYTES) return ["A256KW", "dir"];
  return `expected ${SYMMETRIC_KEY_BYTES} bytes (got ${bytes})`;
}

function fitRsa(bits = 0): Fit {
  if (bits >= MIN_RSA_BITS) return ["RSA-OAEP-256"];
  return `expected an RSA key of at least ${MIN_RSA_BITS} bits (got ${bits})`;
}

function fitEc(curve: string | undefined): Fit {
  if (EC_CURVES.includes(curve)) return ["ECDH-ES+A256KW"];
  return `expected the curve P-256, P-384 or P-521 (got ${curve})`;
}

function findAlgorithms(key: KeyObject): Fit {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === undefined) return fitSymmetric(key.symmetricKeySize);
  if (type === "rsa") return fitRsa(details?.modulusLength);
  if (type === "ec") return fitEc(details?.namedCurve);
  if (type === "x25519") return ["ECDH-ES+A256KW"];
  return `expected an RSA, EC, X25519 or symmetric key (got ${type})`;
}

function importPem(pem: string, holder: KeyHolder): KeyObject | KeyProblem {
  // A public key could be derived from a private one, but a sender must not hold the key that decrypts.
  const isPrivate = pem.includes("PRIVATE KEY-----");
  if (holder === "sender" && isPrivate) return "expected a public key (got a private one)";
  if (holder === "receiver" && !isPrivate) return "expected a private key (got none in the PEM)";
  try {
    return isPrivate ? createPrivateKey(pem) : createPublicKey(pem);
  } catch {
    return "expected a PEM of an unencrypted key (this one can't be read)";
  }
}

function importJwk(jwk: JsonWebKey, holder: KeyHolder): KeyObject | KeyProblem {
  if (jwk.kty === "oct") {
    const bytes = typeof jwk.k === "string" ? decodeBase64(jwk.k) : undefined;
    return bytes ? createSecretKey(bytes) : "expected Base64 in the member k of the JWK";
  }
  const isPrivate = jwk.d !== undefined;
  if (holder === "sender" && isPrivate) return "expected a public JWK (got a private one)";
  if (holder === "receiver" && !isPrivate) return "expected a private JWK (got a public one)";
  try {
    const input = { key: jwk, format: "jwk" } as const;
    return isPrivate ? createPrivateKey(input) : createPublicKey(input);
  } catch {
    return "expected an RSA, EC, X25519 or symmetric JWK (this one can't be read)";
  }
}

/** Keeps the algorithms that a JWK allows. */
function restrict(algorithms: readonly EncryptionAlgorithm[], { use, alg }: JsonWebKey): Fit {
  if (use !== undefined && use !== "enc") return 'expected a JWK whose use is "enc"';
  const left = algorithms.filter((algorithm) => alg === undefined || alg === algorithm);
  return left.length > 0 ? left : `expected a JWK whose alg is ${algorithms.join(" or ")}`;
}

function readJwk(jwk: JsonWebKey, holder: KeyHolder): EncryptionKey | KeyProblem {
  const key = importJwk(jwk, holder);
  if (typeof key === "string") return key;
  const fit = findAlgorithms(key);
  const algorithms = typeof fit === "string" ? fit : restrict(fit, jwk);
  return typeof algorithms === "string" ? algorithms : { key, algorithms, keyId: jwk["kid"] };
}

function readText(text: string, holder: KeyHolder): EncryptionKey | KeyProblem {
  const bytes = decodeBase64(text);
  if (!text.startsWith("-----BEGIN ") && !bytes?.length)
    return "expected PEM, a JWK or Base64 of a key";
  const key = bytes?.length ? createSecretKey(bytes) : importPem(text, holder);
  if (typeof key === "string") return key;
  const algorithms = findAlgorithms(key);
  return typeof algorithms === "string" ? algorithms : { key, algorithms, keyId: undefined };
}

/** Reads the key that encrypts or decrypts batches; returns the problem if it is invalid. */
export function readEncryptionKey(
  material: KeyMaterial,
  holder: KeyHolder,
): EncryptionKey | KeyProblem {
  if (typeof material === "object") return readJwk({ ...material } as JsonWebKey, holder);
  const text = material.trim();
  if (!text.startsWith("{")) return readText(text, holder);
  const jwk = parseJson(text);
  if (!isRecord(jwk)) return "expected a JWK (this one is no JSON)";
  return readJwk(jwk, holder);
}

/** The configuration of encryption as the caller passes it. */
interface EncryptionSettings {
  readonly algorithm?: EncryptionAlgorithm | undefined;
  readonly keyId?: string | undefined;
  readonly key?: KeyMaterial | undefined;
}

/** Key and algorithm that encrypt batches. */
interface ResolvedEncryption {
  readonly algorithm: EncryptionAlgorithm;
  readonly keyId: string;
  readonly key: KeyObject;
}

/** An invalid setting, without its value. */
interface EncryptionProblem {
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
