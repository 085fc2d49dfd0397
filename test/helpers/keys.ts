import { generateKeyPairSync, randomBytes, type KeyPairKeyObjectResult } from "node:crypto";
import type { EncryptionOptions } from "../../src/events/protection.ts";
import type { EncryptionAlgorithm, KeyMaterial } from "../../src/util/encryption-key.ts";

/** A key as the sender and as the receiver configures it. */
export interface TestKey {
  readonly name: string;
  readonly algorithm: EncryptionAlgorithm;
  /** The same key in every form the sender may write it. */
  readonly sender: readonly [text: string, ...others: KeyMaterial[]];
  readonly receiver: readonly [text: string, ...others: KeyMaterial[]];
}

function toPair(
  name: string,
  algorithm: EncryptionAlgorithm,
  { publicKey, privateKey }: KeyPairKeyObjectResult,
): TestKey {
  const publicJwk = publicKey.export({ format: "jwk" });
  const privateJwk = privateKey.export({ format: "jwk" });
  return {
    name,
    algorithm,
    sender: [
      String(publicKey.export({ type: "spki", format: "pem" })),
      publicJwk,
      JSON.stringify(publicJwk),
      { ...publicJwk, use: "enc", alg: algorithm },
    ],
    receiver: [
      String(privateKey.export({ type: "pkcs8", format: "pem" })),
      privateJwk,
      JSON.stringify(privateJwk),
    ],
  };
}

function toSymmetric(name: string, algorithm: EncryptionAlgorithm): TestKey {
  const bytes = randomBytes(32);
  const forms: TestKey["sender"] = [
    bytes.toString("base64"),
    bytes.toString("base64url"),
    ` ${bytes.toString("base64")}\n`,
    { kty: "oct", k: bytes.toString("base64url") },
    JSON.stringify({ kty: "oct", k: bytes.toString("base64url") }),
  ];
  return { name, algorithm, sender: forms, receiver: forms };
}

/** One key of every kind that encrypts batches; made once, since RSA keys take a while. */
export const TEST_KEYS: readonly TestKey[] = [
  toPair("RSA", "RSA-OAEP-256", generateKeyPairSync("rsa", { modulusLength: 2048 })),
  toPair("P-256", "ECDH-ES+A256KW", generateKeyPairSync("ec", { namedCurve: "P-256" })),
  toPair("P-384", "ECDH-ES+A256KW", generateKeyPairSync("ec", { namedCurve: "P-384" })),
  toPair("P-521", "ECDH-ES+A256KW", generateKeyPairSync("ec", { namedCurve: "P-521" })),
  toPair("X25519", "ECDH-ES+A256KW", generateKeyPairSync("x25519")),
  toSymmetric("wrapped", "A256KW"),
  toSymmetric("direct", "dir"),
];

/** Gives a configuration that encrypts for a test key under the id `k1`. */
export function toEncryption(key: TestKey, keyId = "k1"): EncryptionOptions {
  return { enabled: true, algorithm: key.algorithm, keyId, key: key.sender[0] };
}

/** Finds a test key by its name. */
export function findTestKey(name: string): TestKey {
  const found = TEST_KEYS.find((key) => key.name === name);
  if (!found) throw new Error(`no test key ${name}`);
  return found;
}
