import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { CompactEncrypt } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createBatchEncoder } from "../../src/delivery/batch-sender.ts";
import { createHttpTransport, createRequestSigner } from "../../src/delivery/http-transport.ts";
import { BATCHES_PATH, problemSchema } from "../../src/events/wire.ts";
import { startPlatform, type Platform, type PlatformOptions } from "../../src/platform/index.ts";
import { parseSignature } from "../../src/platform/verify-signature.ts";
import { readEncryptionKey } from "../../src/util/encryption-key.ts";
import { createFakeClock } from "../helpers/clock.ts";
import { findTestKey, TEST_KEYS, toEncryption } from "../helpers/keys.ts";
import {
  createAgent,
  createBatch,
  createEvent,
  get,
  KEY,
  postBatch,
  putAgent,
  START,
  type Answer,
  type JsonObject,
} from "./helpers.ts";

const ORGANIZATION = "first-bank";
const SECRET = "a shared secret of more than 32 bytes";

const platforms: Platform[] = [];
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});
afterAll(async () => {
  for (const platform of platforms) await platform.close();
});

async function start(options: PlatformOptions): Promise<Platform> {
  const platform = await startPlatform({ port: 0, ...options });
  platforms.push(platform);
  return platform;
}

/** Encrypts and sends a batch as the SDK does; gives the status and the problem or acknowledgement. */
async function deliver(
  platform: Platform,
  batch: JsonObject,
  encryption = toEncryption(findTestKey("P-256")),
): Promise<{ status: number; body: JsonObject }> {
  const encoder = createBatchEncoder({ compression: "gzip", encryption });
  const { headers, body } = await encoder.encode(
    {
      batchId: batch["batchId"] as string,
      body: Buffer.from(JSON.stringify(batch)),
      compression: "gzip",
    },
    ORGANIZATION,
    false,
  );
  const transport = createHttpTransport({
    endpoint: platform.url,
    apiKey: KEY,
    organizationId: ORGANIZATION,
    requestTimeout: 10_000,
  });
  cleanups.push(() => transport.close());
  const request = { method: "POST", path: BATCHES_PATH, headers, body } as const;
  const answer = await transport.send(request, new AbortController().signal);
  if (answer.kind === "failure") throw new Error(answer.reason);
  return { status: answer.status, body: JSON.parse(answer.body) as JsonObject };
}

const problem = (status: number, code: string, detail: RegExp) => ({
  status,
  body: { code, detail: expect.stringMatching(detail) as string },
});

describe("an encrypted batch", () => {
  const ids = TEST_KEYS.map(({ name }) => name);
  let platform: Platform;
  beforeAll(async () => {
    const keys = TEST_KEYS.map(({ name, receiver }) => [name, receiver[0]] as const);
    platform = await start({ decryptionKeys: Object.fromEntries(keys), maxBodyBytes: 200_000 });
  });

  /** Encrypts anything under any header with the direct key. */
  async function seal(content: Buffer, header: JsonObject = {}): Promise<Buffer> {
    const key = readEncryptionKey(findTestKey("direct").sender[0], "sender");
    if (typeof key === "string") throw new Error(key);
    const fixed = { alg: "dir", enc: "A256GCM", kid: "direct", cty: "application/gzip" };
    const encrypt = new CompactEncrypt(content);
    encrypt.setProtectedHeader({ ...fixed, ...header });
    return Buffer.from(await encrypt.encrypt(key.key));
  }
  const sealBatch = (batch: JsonObject, header: JsonObject = {}): Promise<Buffer> =>
    seal(gzipSync(JSON.stringify(batch)), {
      batchId: batch["batchId"],
      organizationId: batch["organizationId"],
      ...header,
    });
  const post = (body: Buffer, headers: Record<string, string> = {}): Promise<Answer> =>
    postBatch(platform, body, { headers: { "content-type": "application/jose", ...headers } });

  it.each(ids)("is read with its key, once: %s", async (name) => {
    const event = createEvent("user_message", { content: "Grüezi 💶", contentLength: 9 });
    const batch = createBatch([event]);
    const encryption = toEncryption(findTestKey(name), name);
    expect(await deliver(platform, batch, encryption)).toMatchObject({
      status: 202,
      body: { status: "accepted", accepted: 1 },
    });
    const stored = await get(platform, `/api/events/${String(event["eventId"])}`);
    expect(stored.body).toMatchObject({ event });
    // Another ciphertext of the same batch.
    expect(await deliver(platform, batch, encryption)).toMatchObject({
      status: 200,
      body: { status: "duplicate", accepted: 1 },
    });
  });

  it("is read with a key in any form", async () => {
    for (const { name, receiver, ...key } of TEST_KEYS) {
      for (const material of receiver) {
        const other = await startPlatform({ port: 0, decryptionKeys: { [name]: material } });
        const encryption = toEncryption({ name, receiver, ...key }, name);
        expect(await deliver(other, createBatch(), encryption)).toMatchObject({ status: 202 });
        await other.close();
      }
    }
  });

  it("is refused under another key of the same id, which is all that is told", async () => {
    for (const [name, other] of [
      ["P-256", "X25519"],
      ["wrapped", "direct"],
    ] as const) {
      const { receiver } = findTestKey(other);
      const wrong = await startPlatform({
        port: 0,
        decryptionKeys: { [name]: receiver[0] },
      });
      const answer = await deliver(wrong, createBatch(), toEncryption(findTestKey(name), name));
      expect(answer).toMatchObject({
        status: 400,
        body: { code: "malformed_body", detail: "the body can't be decrypted" },
      });
      expect(await wrong.stats()).toMatchObject({ batches: 0, events: 0 });
      await wrong.close();
    }
  });

  it("is refused where the key is not known, or for another algorithm", async () => {
    const unknown = toEncryption(findTestKey("P-256"), "key-of-2019");
    expect(await deliver(platform, createBatch(), unknown)).toMatchObject(
      problem(415, "unsupported_media_type", /no key key-of-2019 here/),
    );
    const other = toEncryption(findTestKey("P-256"), "RSA");
    expect(await deliver(platform, createBatch(), other)).toMatchObject(
      problem(415, "unsupported_media_type", /the key RSA is for RSA-OAEP-256/),
    );
    const without = await start({});
    expect(await deliver(without, createBatch())).toMatchObject(
      problem(415, "unsupported_media_type", /no key k1 here/),
    );
  });

  it("is refused whichever part of it was changed", async () => {
    const batch = createBatch();
    const parts = (await sealBatch(batch)).toString().split(".");
    const header = JSON.parse(Buffer.from(parts[0] ?? "", "base64url").toString()) as JsonObject;
    const reheaded = { ...header, batchId: "another" };
    const changed = [
      [Buffer.from(JSON.stringify(reheaded)).toString("base64url"), ...parts.slice(1)],
      ...[2, 3, 4].map((index) =>
        parts.map((part, at) => {
          if (at !== index) return part;
          const bytes = Buffer.from(part, "base64url");
          bytes[0] = (bytes[0] ?? 0) ^ 1;
          return bytes.toString("base64url");
        }),
      ),
      parts.map((part, at) => (at === 1 ? "AAAA" : part)),
      parts.map((part, at) => (at === 4 ? part.slice(0, 8) : part)),
    ];
    for (const [index, text] of changed.entries()) {
      const answer = await post(Buffer.from(text.join(".")));
      expect(answer, String(index)).toMatchObject(problem(400, "malformed_body", /decrypted/));
    }
    expect((await post(Buffer.from(parts.join(".")))).status).toBe(202);
  });

  it("is refused when it is none", async () => {
    for (const text of ["", "{}", "a.b.c.d.e", "....", "e30.e30.e30", "\u0000"]) {
      const answer = await post(Buffer.from(text));
      expect(answer.status, text).toBeOneOf([400, 415]);
      expect(problemSchema.safeParse(answer.body).success).toBe(true);
    }
    expect(await post(await seal(Buffer.from("no gzip")))).toMatchObject(
      problem(400, "malformed_body", /not gzip/),
    );
    expect(await post(await seal(gzipSync("no JSON")))).toMatchObject(
      problem(400, "malformed_body", /not JSON/),
    );
  });

  it("is refused with a header that was not agreed on", async () => {
    const headers: [JsonObject, RegExp][] = [
      [{ enc: "A128CBC-HS256" }, /enc A256GCM/],
      [{ cty: "application/json" }, /cty application\/gzip/],
      [{ cty: undefined }, /cty application\/gzip/],
      [{ zip: "DEF" }, /without zip/],
      [{ kid: undefined }, /a kid in the header/],
      [{ kid: "a\nb" }, /a kid in the header/],
    ];
    for (const [header, detail] of headers) {
      const sealed = await sealBatch(createBatch(), header);
      expect(await post(sealed)).toMatchObject(problem(415, "unsupported_media_type", detail));
    }
    expect((await post(await sealBatch(createBatch(), { cty: "gzip" }))).status).toBe(202);
    expect(
      await post(await sealBatch(createBatch()), { "content-encoding": "gzip" }),
    ).toMatchObject(problem(415, "unsupported_encoding", /no content encoding/));
  });

  it("is refused when it says another thing outside than inside", async () => {
    const batch = createBatch();
    const mismatch = problem(422, "invalid_batch", /\/batchId differs from the X-Batch-Id/);
    expect(await post(await sealBatch(batch, { batchId: "another" }))).toMatchObject(mismatch);
    expect(await post(await sealBatch(batch, { batchId: undefined }))).toMatchObject(mismatch);
    const sealed = await sealBatch(batch);
    expect(await post(sealed, { "x-batch-id": "another" })).toMatchObject(mismatch);
    const other = await sealBatch(batch, { organizationId: "second-bank" });
    expect(await post(other)).toMatchObject(problem(403, "organization_mismatch", /JWE/));
    expect((await post(sealed, { "x-batch-id": String(batch["batchId"]) })).status).toBe(202);
  });

  it("may not be large, inside neither", async () => {
    const bomb = await seal(gzipSync(Buffer.alloc(20_000_000)));
    expect(bomb.length).toBeLessThan(200_000);
    expect(await post(bomb)).toMatchObject(problem(413, "payload_too_large", /200000 bytes/));
    expect(await post(Buffer.alloc(200_001, "a"))).toMatchObject({ status: 413 });
  });

  it("is a batch: an agent's profile is not encrypted", async () => {
    const headers = { "content-type": "application/jose" };
    expect(await putAgent(platform, createAgent(), "agent-1", { headers })).toMatchObject(
      problem(415, "unsupported_media_type", /must be application\/json$/),
    );
  });
});

describe("a signed request", () => {
  const clock = { ...createFakeClock(START) };
  const signer = createRequestSigner({ keyId: "s1", key: SECRET }, clock);
  let platform: Platform;
  beforeAll(async () => {
    platform = await start({ signingKeys: { s1: SECRET, s2: SECRET.toUpperCase() }, clock });
  });

  const digestOf = async (bytes: Buffer): Promise<string> =>
    `sha-256=:${Buffer.from(await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes))).toString("base64")}:`;

  /** Signs a body as the SDK does; gives the headers of the request. */
  async function sign(
    bytes: Buffer,
    { by = signer, method = "POST", path = BATCHES_PATH, extra = {} } = {},
  ): Promise<Record<string, string>> {
    const headers = {
      "content-digest": await digestOf(bytes),
      "x-organization-id": ORGANIZATION,
      ...extra,
    };
    return { ...headers, ...by.sign({ method, url: platform.url + path, headers }) };
  }
  const unauthorized = (detail: RegExp) => problem(401, "unauthorized", detail);
  const toBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

  it("is taken, and taken once when it comes again", async () => {
    const batch = createBatch();
    const body = toBytes(batch);
    const extra = { "idempotency-key": `"${String(batch["batchId"])}"` };
    const headers = await sign(body, { extra });
    expect(await postBatch(platform, body, { headers })).toMatchObject({ status: 202 });
    expect(await postBatch(platform, body, { headers })).toMatchObject({
      status: 200,
      body: { status: "duplicate" },
    });
  });

  it("is the only one that is taken", async () => {
    const answer = await postBatch(platform, createBatch());
    expect(answer).toMatchObject(unauthorized(/headers Signature-Input and Signature/));
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    expect(Date.parse(answer.headers.get("date") ?? "")).not.toBeNaN();
    expect(await putAgent(platform, createAgent(), "agent-1")).toMatchObject({ status: 401 });
    expect(await platform.stats()).toMatchObject({ agents: 0 });
    expect((await get(platform, "/api/stats")).status).toBe(200);
  });

  it("needs the key of its id", async () => {
    const body = toBytes(createBatch());
    const others = [
      { keyId: "s1", key: SECRET.toUpperCase() },
      { keyId: "s2", key: SECRET },
      { keyId: "s3", key: SECRET },
      { keyId: "__proto__", key: SECRET },
    ];
    for (const other of others) {
      const headers = await sign(body, { by: createRequestSigner(other, clock) });
      const answer = await postBatch(platform, body, { headers });
      expect(answer).toMatchObject(unauthorized(/^the signature is not accepted$/));
    }
    const headers = await sign(body, {
      by: createRequestSigner({ keyId: "s2", key: SECRET.toUpperCase() }, clock),
    });
    expect((await postBatch(platform, body, { headers })).status).toBe(202);
  });

  it("is refused when anything signed was changed", async () => {
    const body = toBytes(createBatch());
    const other = toBytes(createBatch());
    const headers = await sign(body, { extra: { "idempotency-key": '"b"' } });
    expect(await postBatch(platform, other, { headers })).toMatchObject(
      problem(422, "checksum_mismatch", /Content-Digest/),
    );
    const redigested = { ...headers, "content-digest": await digestOf(other) };
    const changes: Record<string, string>[] = [
      redigested,
      { ...headers, "idempotency-key": '"c"' },
      { ...headers, "x-organization-id": "second-bank" },
      { ...headers, "signature-input": headers["signature-input"]?.replace("s1", "s2") ?? "" },
      { ...headers, ...(await sign(body, { method: "PUT" })) },
      { ...headers, ...(await sign(body, { path: "/v1/other" })) },
    ];
    for (const [index, changed] of changes.entries()) {
      const bytes = index === 0 ? other : body;
      const answer = await postBatch(platform, bytes, { headers: changed });
      expect(answer, String(index)).toMatchObject(unauthorized(/./));
    }
  });

  it("has to cover what matters, with a digest that is checked", async () => {
    const body = toBytes(createBatch());
    const headers = await sign(body);
    const narrow = {
      sign: (request: Parameters<typeof signer.sign>[0]) => {
        const { "x-organization-id": _organization, ...rest } = request.headers;
        return signer.sign({ ...request, headers: rest });
      },
      adjustClock: () => false,
    };
    expect(
      await postBatch(platform, body, { headers: await sign(body, { by: narrow }) }),
    ).toMatchObject(unauthorized(/covers x-organization-id/));
    expect(
      await postBatch(platform, body, { headers: { ...headers, "idempotency-key": '"b"' } }),
    ).toMatchObject(unauthorized(/covers idempotency-key/));
    const weak = { "content-digest": "md5=:AAAA:" };
    expect(
      await postBatch(platform, body, { headers: await sign(body, { extra: weak }) }),
    ).toMatchObject(unauthorized(/covers content-digest/));
  });

  it("is refused more than five minutes from its time", async () => {
    const send = async (offsetMillis: number): Promise<Answer> => {
      const body = toBytes(createBatch());
      const by = createRequestSigner(
        { keyId: "s1", key: SECRET },
        { ...clock, now: () => START + offsetMillis },
      );
      return postBatch(platform, body, { headers: await sign(body, { by }) });
    };
    expect((await send(-300_000)).status).toBe(202);
    expect((await send(300_000)).status).toBe(202);
    expect(await send(-301_000)).toMatchObject(unauthorized(/more than 300 s off, see the Date/));
    expect(await send(301_000)).toMatchObject(unauthorized(/more than 300 s off/));
  });

  it("is signed at the platform's time by a client whose clock is wrong", async () => {
    const real = await start({ signingKeys: { s1: SECRET } });
    const transport = createHttpTransport({
      endpoint: real.url,
      apiKey: KEY,
      organizationId: ORGANIZATION,
      requestTimeout: 10_000,
      signer: createRequestSigner({ keyId: "s1", key: SECRET }, createFakeClock(0)),
    });
    cleanups.push(() => transport.close());
    const agent = createAgent({ id: "agent / ü?#%2F" });
    const request = {
      method: "PUT",
      path: `/v1/agents/${encodeURIComponent(agent.id)}`,
      headers: { "content-type": "application/json" },
      body: toBytes(agent),
    } as const;
    const { signal } = new AbortController();
    expect(await transport.send(request, signal)).toMatchObject({ kind: "answer", status: 201 });
    expect(await transport.send(request, signal)).toMatchObject({ kind: "answer", status: 200 });
  });

  it("may be encrypted as well", async () => {
    const { receiver } = findTestKey("X25519");
    const both = await start({
      signingKeys: { s1: SECRET },
      decryptionKeys: { k1: receiver[0] },
    });
    expect(await deliver(both, createBatch(), toEncryption(findTestKey("X25519")))).toMatchObject({
      status: 401,
    });
  });

  it("is refused, and breaks nothing, whatever its headers say", async () => {
    const body = toBytes(createBatch());
    const good = await sign(body);
    const input = good["signature-input"] ?? "";
    const signature = good["signature"] ?? "";
    const inputs = [
      "",
      "sig",
      "sig=()",
      "sig=(",
      `${input}, other=()`,
      input.replace('"@method"', '"@method";req'),
      input.replace('"@method"', '"@unknown" "@method"'),
      input.replace('"@method"', '"absent" "@method"'),
      input.replace(/;created=\d+/, ""),
      input.replace(/;created=\d+/, ";created=-1"),
      input.replace(/created=\d+/, 'created="now"'),
      input.replace("hmac-sha256", "none"),
      input.replace(';keyid="s1"', ""),
      `other${input}`,
    ];
    for (const text of inputs) {
      const headers = { ...good, "signature-input": text };
      expect((await postBatch(platform, body, { headers })).status, text).toBe(401);
    }
    for (const text of ["", "sig", "sig=::", "sig=:AAAA:", `${signature}, ${signature}`]) {
      const headers = { ...good, signature: text };
      expect((await postBatch(platform, body, { headers })).status, text).toBe(401);
    }
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        expect(parseSignature(left, right)).toBeUndefined();
        expect(parseSignature(`${input}${left}`, `${signature}${right}`)?.keyId ?? "s1").toBe("s1");
      }),
    );
  });
});

describe("keys of the platform", () => {
  it.each([
    [{ decryptionKeys: { k1: "hunter2 hunter2" } }, /decryptionKeys: key k1: expected PEM/],
    [{ decryptionKeys: { k1: findTestKey("P-256").sender[0] } }, /key k1: expected a private key/],
    [{ decryptionKeys: { k1: findTestKey("P-256").sender[1] } }, /key k1: expected a private JWK/],
    [
      { decryptionKeys: { "a b": findTestKey("P-256").receiver[0] } },
      /letters, digits .* as its id/,
    ],
    [{ signingKeys: { s1: "hunter2" } }, /signingKeys: key s1: expected at least 32 bytes/],
  ] as [PlatformOptions, RegExp][])("have to fit: %#", async (options, message) => {
    const started = startPlatform({ port: 0, ...options });
    await expect(started).rejects.toThrow(message);
    await expect(started).rejects.not.toThrow(/hunter2/);
  });
});
