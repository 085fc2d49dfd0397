import { generateKeyPairSync } from "node:crypto";
import { inspect } from "node:util";
import { gunzipSync } from "node:zlib";
import * as fc from "fast-check";
import { compactDecrypt, decodeProtectedHeader } from "jose";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config/parse-config.ts";
import {
  createBatchEncoder,
  createBatchEncrypter,
  type EncodedBatch,
} from "../../src/delivery/batch-sender.ts";
import type { EncryptionOptions } from "../../src/events/protection.ts";
import { ValidationError } from "../../src/events/validation-error.ts";
import { readEncryptionKey } from "../../src/util/encryption-key.ts";
import { startFixture } from "../helpers/child.ts";
import { findTestKey, TEST_KEYS, toEncryption, type TestKey } from "../helpers/keys.ts";

const IDS = { batchId: "batch-1", organizationId: "first-bank" };
const BODY = Buffer.from(JSON.stringify({ secret: "the customer's words ".repeat(100) }));

async function decrypt(jwe: Buffer, key: TestKey): Promise<Buffer> {
  const read = readEncryptionKey(key.receiver[0], "receiver");
  if (typeof read === "string") throw new Error(read);
  return Buffer.from((await compactDecrypt(jwe.toString(), read.key)).plaintext);
}

describe("an encrypted batch", () => {
  const encode = (encryption: EncryptionOptions, body = BODY): Promise<EncodedBatch> =>
    createBatchEncoder({ compression: "gzip", encryption }).encode(
      { batchId: IDS.batchId, body, compression: "gzip" },
      IDS.organizationId,
      false,
    );

  it.each(TEST_KEYS)("can be read by the holder of the key: $name", async (key) => {
    for (const material of key.sender) {
      const { body } = await encode({ ...toEncryption(key), key: material });
      expect(gunzipSync(await decrypt(body, key))).toEqual(BODY);
      expect(body.toString()).not.toContain("customer");
    }
  });

  it.each(TEST_KEYS)("tells its ids and algorithms, nothing else: $name", async (key) => {
    const { headers, body } = await encode(toEncryption(key));
    expect(headers).toEqual({
      "content-type": "application/jose",
      "idempotency-key": '"batch-1"',
      "x-batch-id": "batch-1",
    });
    const { epk, ...header } = decodeProtectedHeader(body.toString());
    expect(epk !== undefined).toBe(key.algorithm === "ECDH-ES+A256KW");
    expect(header).toEqual({
      alg: key.algorithm,
      enc: "A256GCM",
      kid: "k1",
      typ: "JOSE",
      cty: "application/gzip",
      ...IDS,
    });
    const encoder = createBatchEncoder({ compression: "gzip", encryption: toEncryption(key) });
    expect(encoder.isEncrypted).toBe(true);
    expect(encoder.encryptionInfo).toBe(`alg=${key.algorithm};enc=A256GCM;kid=k1`);
  });

  it("takes the algorithm that fits the key and the kid of a JWK", () => {
    for (const key of TEST_KEYS.filter(({ algorithm }) => algorithm !== "dir")) {
      const encryption = { enabled: true, keyId: "k1", key: key.sender[0] };
      const expected = `alg=${key.algorithm};enc=A256GCM;kid=k1`;
      expect(createBatchEncrypter(encryption).info, key.name).toBe(expected);
    }
    const jwk = { ...(findTestKey("X25519").sender[1] as object), kid: "from-the-jwk" };
    expect(createBatchEncrypter({ enabled: true, key: jwk }).info).toMatch(/;kid=from-the-jwk$/);
  });

  it("is never the same twice and never plain, whatever the platform answered before", async () => {
    const key = findTestKey("wrapped");
    const encoder = createBatchEncoder({ compression: "none", encryption: toEncryption(key) });
    const batch = { batchId: "batch-1", body: BODY, compression: "none" } as const;
    const first = await encoder.encode(batch, "first-bank", false);
    const second = await encoder.encode(batch, "first-bank", true);
    expect(second.headers).toEqual(first.headers);
    expect(second.body).not.toEqual(first.body);
    expect(gunzipSync(await decrypt(second.body, key))).toEqual(BODY);
  });

  it("comes back as it was, whatever it says", async () => {
    const identifier = fc.string({ unit: "grapheme", minLength: 1, maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 5000 }),
        identifier,
        identifier,
        fc.constantFrom(...TEST_KEYS.filter(({ name }) => name !== "RSA")),
        async (bytes, batchId, organizationId, key) => {
          const encoder = createBatchEncoder({
            compression: "gzip",
            encryption: toEncryption(key),
          });
          const batch = { batchId, body: Buffer.from(bytes), compression: "gzip" } as const;
          const { body } = await encoder.encode(batch, organizationId, false);
          expect(gunzipSync(await decrypt(body, key))).toEqual(batch.body);
          const header = decodeProtectedHeader(body.toString());
          expect(header).toMatchObject({ batchId, organizationId });
        },
      ),
      { numRuns: 50 },
    );
  });

  it("is not made, with a reason, where jose can't be loaded", async () => {
    const { code, stdout } = await startFixture("spool/no-jose").result;
    expect(stdout).toMatch(/^EncryptionError: encryption: the package jose can't be loaded/);
    expect(stdout).not.toContain("customer");
    expect(code).toBe(0);
  });
});

describe("a batch without encryption", () => {
  const encoder = createBatchEncoder({ compression: "gzip", encryption: { enabled: false } });
  const batch = { batchId: "batch-1", body: BODY, compression: "gzip" } as const;
  const headers = { "content-type": "application/json", "idempotency-key": '"batch-1"' };

  it("is compressed as it was planned", async () => {
    const encoded = await encoder.encode(batch, "first-bank", false);
    expect(encoded.headers).toEqual({ ...headers, "content-encoding": "gzip" });
    expect(gunzipSync(encoded.body)).toEqual(BODY);
    expect(encoder.isEncrypted).toBe(false);
    expect(encoder.encryptionInfo).toBeUndefined();
  });

  it("goes as it is where it was planned so, or the platform knows no gzip", async () => {
    const small = { ...batch, compression: "none" } as const;
    const plain = createBatchEncoder({ compression: "none" });
    expect(await encoder.encode(batch, "first-bank", true)).toEqual({ headers, body: BODY });
    expect(await encoder.encode(small, "first-bank", false)).toEqual({ headers, body: BODY });
    expect(await plain.encode(batch, "first-bank", false)).toEqual({ headers, body: BODY });
  });
});

describe("a key that does not fit", () => {
  const rsa = findTestKey("RSA");
  const pem = (type: "rsa" | "ec" | "x448" | "ed25519"): string => {
    const { publicKey } =
      type === "rsa"
        ? generateKeyPairSync("rsa", { modulusLength: 1024 })
        : type === "ec"
          ? generateKeyPairSync("ec", { namedCurve: "secp256k1" })
          : type === "x448"
            ? generateKeyPairSync("x448")
            : generateKeyPairSync("ed25519");
    return String(publicKey.export({ type: "spki", format: "pem" }));
  };
  const cases: [name: string, encryption: object, field: string, message: RegExp][] = [
    ["none", {}, "key", /is required/],
    ["nonsense", { key: "hunter2 hunter2" }, "key", /PEM, a JWK or Base64/],
    ["an empty text", { key: "" }, "key", /PEM, a JWK or Base64/],
    ["a number", { key: 5 }, "key", /PEM, a JWK or Base64/],
    [
      "16 bytes",
      { key: Buffer.alloc(16, "hunter2").toString("base64") },
      "key",
      /32 bytes \(got 16\)/,
    ],
    ["a private PEM", { key: rsa.receiver[0] }, "key", /public key \(got a private one\)/],
    ["a private JWK", { key: rsa.receiver[1] }, "key", /public JWK \(got a private one\)/],
    ["a broken PEM", { key: "-----BEGIN PUBLIC KEY-----\nhunter2\n" }, "key", /can't be read/],
    ["a broken JWK text", { key: '{"kty":"hunter2"' }, "key", /no JSON/],
    ["a JWK of no kind", { key: { kty: "hunter2" } }, "key", /can't be read/],
    ["a JWK without a key", { key: { kty: "oct" } }, "key", /member k/],
    [
      "a JWK for signatures",
      { key: { ...(rsa.sender[1] as object), use: "sig" } },
      "key",
      /use is "enc"/,
    ],
    [
      "a JWK for another algorithm",
      { key: { ...(rsa.sender[1] as object), alg: "RSA-OAEP" } },
      "key",
      /RSA-OAEP-256/,
    ],
    ["a short RSA key", { key: pem("rsa") }, "key", /2048 bits \(got 1024\)/],
    ["another curve", { key: pem("ec") }, "key", /P-256, P-384 or P-521 \(got secp256k1\)/],
    ["X448", { key: pem("x448") }, "key", /X25519 or symmetric key \(got x448\)/],
    ["Ed25519", { key: pem("ed25519") }, "key", /\(got ed25519\)/],
    [
      "another algorithm",
      { key: rsa.sender[0], algorithm: "dir" },
      "algorithm",
      /expected RSA-OAEP-256/,
    ],
    ["an unknown algorithm", { key: rsa.sender[0], algorithm: "RSA1_5" }, "algorithm", /ECDH-ES/],
    ["no key id", { key: rsa.sender[0], keyId: undefined }, "keyId", /is required/],
    ["a strange key id", { key: rsa.sender[0], keyId: "a;b" }, "keyId", /letters, digits/],
    [
      "a strange kid",
      { key: { ...(rsa.sender[1] as object), kid: 5 }, keyId: undefined },
      "keyId",
      /letters/,
    ],
  ];

  it.each(cases)("is told with the configuration: %s", (_name, given, field, message) => {
    const encryption = { enabled: true, keyId: "k1", ...given };
    const parse = (): unknown =>
      parseConfig({ apiKey: "k", organizationId: "bank", encryption }, {});
    expect(parse).toThrow(ValidationError);
    try {
      parse();
    } catch (error) {
      const { details } = error as ValidationError;
      expect(details.map((detail) => detail.field)).toEqual([`encryption.${field}`]);
      expect(details[0]?.message).toMatch(message);
      expect(details[0]).not.toHaveProperty("value");
      expect(inspect(error, { depth: null })).not.toMatch(/hunter2|PRIVATE KEY-----\n/);
    }
  });

  it("does not matter as long as encryption is off", () => {
    const encryption = { enabled: false, key: "nonsense" };
    const { config } = parseConfig({ apiKey: "k", organizationId: "bank", encryption }, {});
    expect(createBatchEncoder(config).isEncrypted).toBe(false);
  });

  it("ends what is made without a configuration", () => {
    const encryption = { enabled: true, keyId: "k1", key: "not a key" };
    expect(() => createBatchEncoder({ compression: "gzip", encryption })).toThrow(
      "encryption: key expected PEM, a JWK or Base64 of a key",
    );
  });
});
