import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createRequestSigner } from "../../../src/delivery/http-transport.ts";
import {
  type Gateway,
  type Platform,
  startGateway,
  startPlatform,
} from "../../../src/platform/index.ts";
import { type Message, readWireMessage } from "../../../src/platform/otlp/wire-reader.ts";
import { runSteps } from "../../../src/platform/turns.ts";
import { systemClock } from "../../../src/util/clock.ts";
import {
  badAgent,
  badBatch,
  badBytes,
  badEvents,
  badTelemetry,
  type Delivery,
  type DeliveryAnswer,
  goodBatch,
  MAX_BODY_BYTES,
  sendDelivery,
} from "../bad-deliveries.ts";
import { get, type JsonObject, KEY, START } from "../helpers.ts";
import { createAnswerCheck } from "../openapi/answer-check.ts";
import { listOperations, type OpenApi, type PlacedOperation } from "../openapi/operations.ts";

const ORGANIZATION = "first-bank";
const OPTIONS = {
  port: 0,
  maxBodyBytes: MAX_BODY_BYTES,
  clock: { ...systemClock, now: () => START },
};
const KEYS = { apiKey: KEY, organizationId: ORGANIZATION };

let gateway: Gateway;
/** Gets what the gateway passes on. */
let behind: Platform;
/** Gets the same deliveries without a gateway. */
let direct: Platform;
let operations: readonly PlacedOperation[];
let check: ReturnType<typeof createAnswerCheck>;
beforeAll(async () => {
  behind = await startPlatform({ ...OPTIONS, ...KEYS });
  direct = await startPlatform({ ...OPTIONS, ...KEYS });
  const keyHash = `sha256:${createHash("sha256").update(KEY).digest("hex")}`;
  const organizations = [{ organizationId: ORGANIZATION, keyHash }];
  gateway = await startGateway({ ...OPTIONS, to: behind.url, organizations });
  const document = (await get(direct, "/openapi.json")).body as unknown as OpenApi;
  operations = listOperations(document);
  check = createAnswerCheck(document);
});
afterAll(async () => {
  await gateway.close();
  await behind.close();
  await direct.close();
});

const STATUS: Message = new Map([
  [1, { name: "code", type: "enum" }],
  [2, { name: "message", type: "string" }],
]);

/** Headers that say something about a delivery. */
const HEADERS = [
  "content-type",
  "retry-after",
  "www-authenticate",
  "allow",
  "accept-encoding",
  "connection",
];

function readBody({ status, headers, body }: DeliveryAnswer): unknown {
  if (headers["content-type"] !== "application/x-protobuf") return JSON.parse(body.toString());
  return status < 300 ? body : runSteps(readWireMessage(body, STATUS));
}

/** What an answer says. */
function toVerdict(answer: DeliveryAnswer) {
  const { status, headers } = answer;
  const said = HEADERS.map((name) => [name, headers[name]]);
  const body = readBody(answer) as JsonObject;
  // Of a wrong organization a gateway says that the key is another one's.
  if (status === 403) for (const name of ["detail", "message"]) delete body[name];
  return { status, said, body };
}

function expectDocumented({ method, path }: Delivery, answer: DeliveryAnswer): void {
  const template = path.replace(/^\/v1\/agents\/.*/, "/v1/agents/{id}");
  const placed = operations.find((each) => each.method === method && each.path === template)!;
  const { status, headers, body: bytes } = answer;
  const seen = { status, contentType: String(headers["content-type"] ?? ""), bytes };
  expect(check(placed, seen)).toBeUndefined();
}

/** Sends a delivery by the gateway, and to a platform that has got the same ones so far. */
async function expectSame(delivery: Delivery): Promise<void> {
  const passed = await sendDelivery(gateway.url, delivery);
  expectDocumented(delivery, passed);
  expect(toVerdict(passed)).toEqual(toVerdict(await sendDelivery(direct.url, delivery)));
}

it.each([
  ["damaged batch", badBatch, 80],
  ["damaged events", badEvents, 30],
  ["bytes and headers", badBytes, 250],
  ["damaged agent", badAgent, 80],
  ["OpenTelemetry data", badTelemetry, 400],
])("is answered as the platform does: any %s", async (_, given, numRuns) => {
  await fc.assert(fc.asyncProperty(given, expectSame), { numRuns });
});

it("is in the platform once, as without a gateway, and the gateway lives", async () => {
  const { batches, spans } = await behind.stats();
  expect(batches).toBeGreaterThan(20);
  expect(spans).toBeGreaterThan(20);
  // Events of spans come later.
  await expect.poll(() => behind.stats(), { timeout: 30_000 }).toEqual(await direct.stats());
  const read = ({ url }: { url: string }) => get({ url }, "/api/batches/export");
  expect((await read(behind)).body).toEqual((await read(direct)).body);
  expect((await get(gateway, "/readyz")).status).toBe(200);
  expect((await get(gateway, "/metrics")).body["text"]).toMatch(/_body_bytes 0$/m);
});

describe("a signature", () => {
  const SECRET = "a shared secret of more than 32 bytes";
  const signer = createRequestSigner({ keyId: "s1", key: SECRET }, OPTIONS.clock);

  /** Signs a batch for where it goes. */
  function sign(url: string, { path, headers, body }: Delivery): Delivery {
    const digest = createHash("sha256").update(body).digest("base64");
    const own = { ...Object.fromEntries(headers), "content-digest": `sha-256=:${digest}:` };
    const signed = { ...own, ...signer.sign({ method: "POST", url: url + path, headers: own }) };
    return { method: "POST", path, headers: Object.entries(signed), body };
  }

  const change = fc.record({
    name: fc.constantFrom("signature", "signature-input", "content-digest", "x-organization-id"),
    place: fc.nat(),
    length: fc.nat(3),
    text: fc.oneof(
      fc.constantFrom("", '"', ";", "=", ":", "sig=()", ";created=1"),
      fc.string({ unit: fc.constantFrom(...Array.from('azAZ09"=:;()-/+\\ ')), maxLength: 5 }),
    ),
  });

  it("that is broken in any way is refused as by the platform", async () => {
    const signingKeys = { s1: SECRET };
    const unsigned = await startPlatform(OPTIONS);
    onTestFinished(() => unsigned.close());
    const strict = await startPlatform({ ...OPTIONS, signingKeys });
    onTestFinished(() => strict.close());
    const own = await startGateway({ ...OPTIONS, to: unsigned.url, signingKeys });
    onTestFinished(() => own.close());
    const statuses = new Set<number>();
    const property = fc.asyncProperty(goodBatch, change, async (delivery, broken) => {
      const send = (url: string) => {
        const signed = sign(url, delivery);
        const headers = signed.headers.map(([name, value]) => {
          if (name !== broken.name) return [name, value] as const;
          const at = broken.place % value.length;
          const rest = value.slice(at + broken.length);
          return [name, value.slice(0, at) + broken.text + rest] as const;
        });
        return sendDelivery(url, { ...signed, headers });
      };
      const passed = await send(own.url);
      statuses.add(passed.status);
      expect(toVerdict(passed)).toEqual(toVerdict(await send(strict.url)));
    });
    await fc.assert(property, { numRuns: 100 });
    expect(statuses).toContain(401);
    expect(await unsigned.stats()).toEqual(await strict.stats());
    const whole = fc.sample(goodBatch, 1)[0]!;
    expect((await sendDelivery(own.url, sign(own.url, whole))).status).toBe(202);
  });
});
