import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import {
  createHttpTransport,
  createRequestSigner,
  type TransportAnswer,
} from "../../src/delivery/http-transport.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import {
  readSigningKey,
  signBase,
  toSignatureBase,
  toStructuredString,
} from "../../src/util/http-signature.ts";
import { createFakeClock } from "../helpers/clock.ts";

const SECRET = "correct horse battery staple, and more";
const OPTIONS = { keyId: "s1", key: SECRET };
/** 2023-11-14 22:13:20 UTC. */
const START_SECONDS = 1_700_000_000;
const HEADERS = {
  "content-digest": "sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:",
  "idempotency-key": '"batch-1"',
  "x-organization-id": "bank",
  "x-other": "is not signed",
};
const REQUEST = { method: "POST", url: "https://platform.example/v1/batches", headers: HEADERS };

const toDate = (seconds: number): string => new Date(seconds * 1000).toUTCString();
const createdOf = (headers: Record<string, unknown>): number =>
  Number(/;created=(\d+)/.exec(String(headers["signature-input"]))?.[1]);

describe("a signature", () => {
  it("is that of RFC 9421, B.2.5", () => {
    const key = readSigningKey(
      "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==",
    );
    const base = toSignatureBase(
      [
        ["date", "Tue, 20 Apr 2021 02:07:55 GMT"],
        ["@authority", "example.com"],
        ["content-type", "application/json"],
      ],
      '("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
    );
    expect(key && signBase(base, key).toString("base64")).toBe(
      "pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=",
    );
  });

  it("covers method, address, digest, organization and idempotency key", () => {
    const parameters =
      '("@method" "@target-uri" "content-digest" "x-organization-id" "idempotency-key")' +
      `;created=${START_SECONDS};keyid="s1";alg="hmac-sha256"`;
    const base = [
      '"@method": POST',
      '"@target-uri": https://platform.example/v1/batches',
      `"content-digest": ${HEADERS["content-digest"]}`,
      '"x-organization-id": bank',
      '"idempotency-key": "batch-1"',
      `"@signature-params": ${parameters}`,
    ].join("\n");
    const signature = createHmac("sha256", SECRET).update(base).digest("base64");
    expect(createRequestSigner(OPTIONS, createFakeClock()).sign(REQUEST)).toEqual({
      "signature-input": `sig=${parameters}`,
      signature: `sig=:${signature}:`,
    });
  });

  it("leaves out the idempotency key where there is none", () => {
    const { "idempotency-key": _key, ...headers } = HEADERS;
    const signed = createRequestSigner(OPTIONS, createFakeClock()).sign({ ...REQUEST, headers });
    expect(signed["signature-input"]).toContain('("@method" "@target-uri" "content-digest" "x-org');
    expect(signed["signature-input"]).not.toContain("idempotency-key");
  });

  it("is of its time", async () => {
    const clock = createFakeClock(START_SECONDS * 1000);
    const signer = createRequestSigner(OPTIONS, clock);
    const first = signer.sign(REQUEST);
    await clock.advance(2000);
    const second = signer.sign(REQUEST);
    expect([createdOf(first), createdOf(second)]).toEqual([START_SECONDS, START_SECONDS + 2]);
    expect(second["signature"]).not.toBe(first["signature"]);
  });

  it("quotes as structured fields do", () => {
    expect(toStructuredString(String.raw`a"b\c`)).toBe(String.raw`"a\"b\\c"`);
  });
});

describe("the platform's time", () => {
  const sign = (signer: ReturnType<typeof createRequestSigner>): number =>
    createdOf(signer.sign(REQUEST)) - START_SECONDS;
  const create = () => {
    const clock = createFakeClock(START_SECONDS * 1000);
    return { clock, signer: createRequestSigner(OPTIONS, clock) };
  };

  it("is that of signatures once it differs by more than seconds", () => {
    const { signer } = create();
    expect(signer.adjustClock(toDate(START_SECONDS + 5))).toBe(false);
    expect(sign(signer)).toBe(0);
    expect(signer.adjustClock(toDate(START_SECONDS + 3600))).toBe(true);
    expect(sign(signer)).toBe(3600);
    expect(signer.adjustClock(toDate(START_SECONDS + 3603))).toBe(false);
    expect(sign(signer)).toBe(3600);
    expect(signer.adjustClock(toDate(START_SECONDS - 86_400))).toBe(true);
    expect(sign(signer)).toBe(-86_400);
  });

  it("is given up once the own clock is right again", () => {
    const { clock, signer } = create();
    signer.adjustClock(toDate(START_SECONDS + 3600));
    clock.jump(3600 * 1000);
    expect(signer.adjustClock(toDate(START_SECONDS + 3601))).toBe(true);
    expect(sign(signer)).toBe(3600);
    expect(signer.adjustClock(toDate(START_SECONDS + 3601))).toBe(false);
  });

  it("is not taken from what is no date", () => {
    const { signer } = create();
    for (const text of [undefined, "", "soon", "0", "2099-01-01", "Xyz, 99 Abc 2099 99:99:99 GMT"])
      expect(signer.adjustClock(text), text).toBe(false);
    expect(sign(signer)).toBe(0);
  });
});

describe("a key", () => {
  it("is Base64 where that makes 32 bytes, else text of 32 bytes", () => {
    const bytes = Buffer.alloc(32, 7);
    const read = (text: string): string | undefined =>
      readSigningKey(text)?.export().toString("hex");
    expect(read(bytes.toString("base64"))).toBe(bytes.toString("hex"));
    expect(read(bytes.toString("base64url"))).toBe(bytes.toString("hex"));
    expect(read(`\n${bytes.toString("base64")}\n`)).toBe(bytes.toString("hex"));
    expect(read(` ${SECRET}\n`)).toBe(read(SECRET));
    expect(read(SECRET)).toBe(Buffer.from(SECRET).toString("hex"));
    expect(read("ä".repeat(16))).toBe(Buffer.from("ä".repeat(16)).toString("hex"));
    for (const short of ["", "hunter2", "x".repeat(31)]) expect(read(short)).toBeUndefined();
  });

  it.each([
    [{ keyId: "s1", key: "hunter2" }, "signing.key"],
    [{ keyId: "s1" }, "signing.key"],
    [{ keyId: 's"1', key: SECRET }, "signing.keyId"],
    [{ key: SECRET }, "signing.keyId"],
    ["hunter2", "signing"],
  ])("that is not one is told with the configuration, and not shown: %j", (signing, field) => {
    try {
      parseConfig({ apiKey: "k", organizationId: "bank", signing }, {});
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ name: "ValidationError", field });
      expect(inspect(error, { depth: null })).not.toMatch(/hunter2|correct horse/);
    }
    expect(() => createRequestSigner({ keyId: "s1", key: "hunter2" }, createFakeClock())).toThrow(
      "signing: key must have at least 32 bytes",
    );
  });
});

describe("the transport", () => {
  const cleanups: (() => void)[] = [];
  afterEach(() => {
    for (const cleanup of cleanups.splice(0)) cleanup();
  });

  /** Sends requests to a listener and gives what it saw. */
  async function start(listener: RequestListener) {
    const seen: IncomingHttpHeaders[] = [];
    const server = createServer((incoming, response) => {
      seen.push(incoming.headers);
      incoming.resume().on("end", () => listener(incoming, response));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const clock = createFakeClock(START_SECONDS * 1000);
    const transport = createHttpTransport({
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      apiKey: "key",
      organizationId: "bank",
      requestTimeout: 5000,
      signer: createRequestSigner(OPTIONS, clock),
    });
    cleanups.push(() => {
      transport.close();
      server.closeAllConnections();
      server.close();
    });
    const send = (): Promise<TransportAnswer> =>
      transport.send(
        { method: "POST", path: "/v1/batches", headers: {}, body: Buffer.from("{}") },
        new AbortController().signal,
      );
    return { seen, clock, send };
  }

  it("signs every request anew", async () => {
    const { seen, clock, send } = await start((_incoming, response) =>
      response.writeHead(503, { date: toDate(START_SECONDS) }).end(),
    );
    await send();
    await clock.advance(4000);
    await send();
    expect(seen.map(createdOf)).toEqual([START_SECONDS, START_SECONDS + 4]);
    expect(seen[0]?.["signature-input"]).toContain('"x-organization-id"');
    expect(seen[1]?.["signature"]).not.toBe(seen[0]?.["signature"]);
  });

  it("asks once more where its clock was wrong, and only then", async () => {
    const later = START_SECONDS + 3600;
    const { seen, send } = await start((incoming, response) => {
      const isInTime = createdOf(incoming.headers) === later;
      response.writeHead(isInTime ? 202 : 401, { date: toDate(later) }).end();
    });
    expect(await send()).toMatchObject({ kind: "answer", status: 202 });
    expect(seen.map(createdOf)).toEqual([START_SECONDS, later]);
    expect(await send()).toMatchObject({ kind: "answer", status: 202 });
    expect(seen.map(createdOf)).toEqual([START_SECONDS, later, later]);
  });

  it("does not ask for ever", async () => {
    const { seen, send } = await start((_incoming, response) =>
      response.writeHead(401, { date: toDate(START_SECONDS + seen.length * 3600) }).end(),
    );
    expect(await send()).toMatchObject({ kind: "answer", status: 401 });
    expect(seen).toHaveLength(2);
  });

  it("does not ask again for another answer than 401", async () => {
    const { seen, send } = await start((_incoming, response) =>
      response.writeHead(403, { date: toDate(START_SECONDS + 3600) }).end(),
    );
    expect(await send()).toMatchObject({ kind: "answer", status: 403 });
    expect(seen).toHaveLength(1);
  });
});
