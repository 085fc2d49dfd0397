import type { KeyObject } from "node:crypto";
import {
  isKeyId,
  KEY_ID_EXPECTATION,
  readEncryptionKey,
  type EncryptionKey,
  type KeyMaterial,
} from "../util/encryption-key.ts";
import { readSigningKey } from "../util/http-signature.ts";
import { findNearestName } from "../util/nearest-name.ts";

const DEFAULT_MAX_BODY_BYTES = 5 * 1024 * 1024;
const DEFAULT_MAX_PENDING_BODY_BYTES = 64 * 1024 * 1024;
/** OpenTelemetry data may have four times the bound of a batch, compressed and again decompressed. */
const MIN_PENDING_FACTOR = 8;

/** Bounds of request bodies in bytes. */
interface Bounds {
  readonly maxBodyBytes: number;
  /** Of all bodies under way together. */
  readonly maxPendingBodyBytes: number;
}

/** Fills in the bounds of bodies. */
export function readBounds({
  maxBodyBytes = DEFAULT_MAX_BODY_BYTES,
  maxPendingBodyBytes,
}: Partial<Bounds>): Bounds {
  const least = Math.max(DEFAULT_MAX_PENDING_BODY_BYTES, MIN_PENDING_FACTOR * maxBodyBytes);
  return { maxBodyBytes, maxPendingBodyBytes: maxPendingBodyBytes ?? least };
}

/** Returns what is wrong with a port. */
export function findPortProblem(name: string, port: number): string | undefined {
  const isPort = Number.isInteger(port) && port >= 0 && port <= 65_535;
  return isPort ? undefined : `${name} must be 0 to 65535 (got ${port})`;
}

/** Returns what is wrong with the bounds of bodies. */
export function findBoundProblem({
  maxBodyBytes,
  maxPendingBodyBytes,
}: Bounds): string | undefined {
  if (!Number.isInteger(maxBodyBytes) || maxBodyBytes < 1)
    return `maxBodyBytes must be at least 1 (got ${maxBodyBytes})`;
  const least = MIN_PENDING_FACTOR * maxBodyBytes;
  if (Number.isSafeInteger(maxPendingBodyBytes) && maxPendingBodyBytes >= least) return undefined;
  return `maxPendingBodyBytes must be at least ${least}, eight times maxBodyBytes (got ${maxPendingBodyBytes})`;
}

/** What a shared secret must be. */
export const SECRET_EXPECTATION = "expected at least 32 bytes, as Base64 or text";

/** Reads keys by their ids; throws for an invalid one, without showing it. */
function readKeys<Given, Key extends object>(
  owner: string,
  option: string,
  given: Readonly<Record<string, Given>> = {},
  read: (given: Given) => Key | string,
): ReadonlyMap<string, Key> {
  const keys = new Map<string, Key>();
  for (const [keyId, material] of Object.entries(given)) {
    const key = isKeyId(keyId) ? read(material) : `${KEY_ID_EXPECTATION} as its id`;
    if (typeof key === "string") throw new Error(`${owner}: ${option}: key ${keyId}: ${key}`);
    keys.set(keyId, key);
  }
  return keys;
}

/** Keys as they are configured. */
interface GivenKeys {
  readonly decryptionKeys?: Readonly<Record<string, KeyMaterial>>;
  readonly signingKeys?: Readonly<Record<string, string>>;
}

interface ReceiverKeys {
  readonly decryptionKeys: ReadonlyMap<string, EncryptionKey>;
  readonly signingKeys: ReadonlyMap<string, KeyObject>;
}

/**
 * Reads the keys with which deliveries are decrypted, and their signatures verified.
 *
 * @param owner - Begins the message of an error.
 */
export function readReceiverKeys(
  owner: string,
  { decryptionKeys, signingKeys }: GivenKeys,
): ReceiverKeys {
  return {
    decryptionKeys: readKeys(owner, "decryptionKeys", decryptionKeys, (material) =>
      readEncryptionKey(material, "receiver"),
    ),
    signingKeys: readKeys(
      owner,
      "signingKeys",
      signingKeys,
      (text) => readSigningKey(text) ?? SECRET_EXPECTATION,
    ),
  };
}

/** Finds an unknown option: if it were ignored, something would silently be open, or empty. */
export function findUnknownOption(options: object, known: readonly string[]): string | undefined {
  const name = Object.keys(options).find((key) => !known.includes(key));
  if (name === undefined) return undefined;
  const nearest = findNearestName(name, known);
  const hint = nearest === undefined ? `expected ${known.join(", ")}` : `did you mean ${nearest}?`;
  return `unknown option ${JSON.stringify(name)}: ${hint}`;
}
