import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { request as tlsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { toOrganizationHeader } from "../../../src/events/wire.ts";
import { AgentMonitor } from "../../../src/index.ts";
import {
  type Gateway,
  type GatewayOptions,
  type Platform,
  startGateway,
  startPlatform,
} from "../../../src/platform/index.ts";
import { createAuthority } from "../../helpers/certificates.ts";
import {
  type Answer,
  createAgent,
  createBatch,
  createEvent,
  get,
  KEY,
  postBatch,
  putAgent,
  toAnswer,
} from "../helpers.ts";

const MAX_BODY_BYTES = 200_000;

let platform: Platform;
let gateway: Gateway;
beforeAll(async () => {
  platform = await startPlatform({ port: 0, maxBodyBytes: MAX_BODY_BYTES });
  gateway = await startGateway({ to: platform.url, port: 0, maxBodyBytes: MAX_BODY_BYTES });
});
afterAll(async () => {
  await gateway.close();
  await platform.close();
});

async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const own = await startGateway({ port: 0, ...options });
  onTestFinished(() => own.close());
  return own;
}

/** Starts the other side of a gateway, which answers as it is said. */
async function startOther(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const post = (url: string, path: string, body: Buffer, headers: Record<string, string>) =>
  fetch(url + path, { method: "POST", body: new Uint8Array(body), headers }).then(toAnswer);

const SPAN = {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  name: "chat",
  kind: 1,
  startTimeUnixNano: "1763647200000000000",
  endTimeUnixNano: "1763647201000000000",
};
const toTraces = (spans: readonly object[]): Buffer =>
  Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));

describe("a gateway in front of a platform", () => {
  it("passes a batch on as it came, and the platform's answer back", async () => {
    for (const gzip of [false, true]) {
      const batch = createBatch([createEvent(), createEvent()]);
      const first = await postBatch(gateway, batch, { gzip });
      expect(first.status).toBe(202);
      expect(first.body).toMatchObject({ status: "accepted", accepted: 2, duplicates: 0 });
      const again = await postBatch(gateway, batch, { gzip });
      expect(again.status).toBe(200);
      expect(again.body).toMatchObject({ status: "duplicate", accepted: 2 });
    }
  });

  it("passes agents on, whatever their ids are", async () => {
    const agent = createAgent({ id: "agent/1 ä%" });
    expect((await putAgent(gateway, agent, agent.id)).status).toBe(201);
    expect((await putAgent(gateway, agent, agent.id)).status).toBe(200);
  });

  it("passes OpenTelemetry data on, which names no organization and has no key", async () => {
    const before = (await platform.stats()).spans;
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const answer = await post(gateway.otlpUrl, "/v1/traces", gzipSync(toTraces([SPAN])), headers);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({});
    expect((await platform.stats()).spans).toBe(before + 1);
  });

  it("is the endpoint of the SDK", async () => {
    const before = (await platform.stats()).events;
    const options = { endpoint: gateway.url, apiKey: KEY, organizationId: "bank" };
    const monitor = new AgentMonitor(options);
    await monitor.registerAgent(createAgent({ id: "sdk-agent" }));
    monitor.trackConversationStart("sdk-agent", "s", "customer-1");
    monitor.trackUserMessage("sdk-agent", "s", "What is my balance?", "customer-1");
    await monitor.shutdown();
    expect((await platform.stats()).events).toBe(before + 2);
  });

  const batch = createBatch();
  const text = JSON.stringify(batch);
  it.each<[string, number, string, (side: { url: string }) => Promise<Answer>]>([
    ["no JSON", 400, "malformed_body", (side) => postBatch(side, "{")],
    [
      "a member twice",
      400,
      "malformed_body",
      (side) => postBatch(side, text.replace("{", '{"batchId":"b",')),
    ],
    [
      "another count",
      422,
      "invalid_batch",
      (side) => postBatch(side, createBatch([createEvent()], { eventCount: 2 })),
    ],
    [
      "another checksum",
      422,
      "checksum_mismatch",
      (side) =>
        postBatch(side, createBatch([createEvent()], { checksum: `sha256:${"0".repeat(64)}` })),
    ],
    [
      "no valid event",
      422,
      "no_valid_event",
      (side) => postBatch(side, createBatch([{ interactionType: "greeting" }])),
    ],
    [
      "another organization",
      403,
      "organization_mismatch",
      (side) => postBatch(side, batch, { organizationId: "other" }),
    ],
    [
      "another idempotency key",
      422,
      "invalid_batch",
      (side) => postBatch(side, batch, { headers: { "idempotency-key": '"x"' } }),
    ],
    [
      "no key",
      401,
      "unauthorized",
      (side) => postBatch(side, batch, { headers: { authorization: "" } }),
    ],
    [
      "another media type",
      415,
      "unsupported_media_type",
      (side) => postBatch(side, batch, { headers: { "content-type": "text/plain" } }),
    ],
    [
      "an encrypted body",
      415,
      "unsupported_media_type",
      (side) => postBatch(side, "e30.a.b.c.d", { headers: { "content-type": "application/jose" } }),
    ],
    [
      "too many bytes",
      413,
      "payload_too_large",
      (side) => postBatch(side, Buffer.alloc(MAX_BODY_BYTES + 1, " ")),
    ],
    [
      "too many bytes once they are decompressed",
      413,
      "payload_too_large",
      (side) => postBatch(side, Buffer.alloc(MAX_BODY_BYTES + 1, " "), { gzip: true }),
    ],
    [
      "no gzip",
      400,
      "malformed_body",
      (side) => postBatch(side, text, { headers: { "content-encoding": "gzip" } }),
    ],
    [
      "an agent of another id",
      422,
      "invalid_agent",
      (side) => putAgent(side, createAgent(), "other"),
    ],
    ["another path", 404, "not_found", (side) => get(side, "/v1/other")],
    ["another method", 405, "method_not_allowed", (side) => get(side, "/v1/batches")],
    [
      "a page of another origin",
      403,
      "unauthorized",
      (side) => postBatch(side, batch, { headers: { origin: "https://example.com" } }),
    ],
  ])("refuses %s as the platform does", async (_, status, code, send) => {
    const answers = [await send(gateway), await send(platform)];
    for (const answer of answers) {
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ code });
    }
    expect(answers[0]?.body).toEqual(answers[1]?.body);
  });

  it("refuses what is no OTLP in OTLP's form, and says which spans are left out", async () => {
    const headers = { "content-type": "application/json" };
    const invalid = toTraces([{ ...SPAN, traceId: "1" }]);
    const answer = await post(gateway.url, "/v1/traces", invalid, headers);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 3 });
    const spanId = "b7ad6b7169203332";
    const partly = toTraces([
      { ...SPAN, spanId },
      { ...SPAN, traceId: "1" },
    ]);
    const partial = await post(gateway.url, "/v1/traces", partly, headers);
    expect(partial.status).toBe(200);
    expect(partial.body).toMatchObject({ partialSuccess: { rejectedSpans: "1" } });
  });
});

describe("the other side of a gateway", () => {
  it.each([429, 503])("answers %i, and says when to try again", async (status) => {
    const to = await startOther((request, response) => {
      request.resume().on("end", () => {
        response.writeHead(status, { "retry-after": "7", "content-type": "application/json" });
        response.end('{"code":"other"}');
      });
    });
    const answer = await postBatch(await openGateway({ to }), createBatch());
    expect(answer.status).toBe(status);
    expect(answer.headers.get("retry-after")).toBe("7");
    expect(answer.body).toEqual({ code: "other" });
  });

  it("gets the bytes as they came, the gateway's own key, and no header of the way there", async () => {
    const seen: { body: Buffer; headers: Record<string, unknown>; url: string }[] = [];
    const to = await startOther((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { headers, url = "" } = request;
        seen.push({ body: Buffer.concat(chunks), headers, url });
        response.writeHead(202, { "content-type": "application/json" }).end("{}");
      });
    });
    const own = await openGateway({ to: `${to}/base`, toApiKey: "the gateway's" });
    const bytes = gzipSync(JSON.stringify(createBatch()), { level: 1 });
    const headers = { "content-encoding": "gzip", "x-forwarded-for": "10.0.0.1", cookie: "a=b" };
    expect((await postBatch(own, bytes, { headers })).status).toBe(202);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.body.equals(bytes)).toBe(true);
    expect(seen[0]?.url).toBe("/base/v1/batches");
    expect(seen[0]?.headers).toMatchObject({
      authorization: "Bearer the gateway's",
      "content-encoding": "gzip",
      "x-organization-id": "first-bank",
    });
    expect(seen[0]?.headers).not.toHaveProperty("cookie");
    expect(seen[0]?.headers).not.toHaveProperty("x-forwarded-for");
  });

  it("gets the organization with the gateway's own key, whatever it is called", async () => {
    const own = await openGateway({ to: platform.url, toApiKey: "own-key" });
    const organizationId = "Erste Bank Österreich 銀行";
    const batch = createBatch([createEvent()], { organizationId });
    const headers = { "x-organization-id": toOrganizationHeader(organizationId) };
    expect((await postBatch(own, batch, { headers })).status).toBe(202);
  });

  it("may be gone: nothing is acknowledged until it is back", async () => {
    const lines: string[] = [];
    const warn = (message: string): void => void lines.push(message);
    const logger = { debug: () => {}, info: () => {}, error: warn, warn };
    const other = await startPlatform({ port: 0 });
    const { port } = other;
    const own = await openGateway({ to: other.url, logger });
    expect((await get(own, "/readyz")).status).toBe(200);
    await other.close();
    const batch = createBatch();
    const refused = await postBatch(own, batch);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(refused.body).toMatchObject({ code: "unavailable" });
    expect((await get(own, "/readyz")).status).toBe(503);
    expect((await get(own, "/healthz")).status).toBe(200);
    expect(lines.join("\n")).toMatch(/can't be reached/);
    const back = await startPlatform({ port });
    onTestFinished(() => back.close());
    expect((await postBatch(own, batch)).status).toBe(202);
    const { body } = await get(own, "/metrics");
    expect(body["text"]).toMatch(/^agent_monitor_gateway_batches_total 1$/m);
    expect(body["text"]).toMatch(/^agent_monitor_gateway_events_total 1$/m);
    expect(body["text"]).toMatch(/http_requests_total\{route="\/v1\/batches",status="503"\} 1/);
  });
});

describe("who may send to a gateway", () => {
  const KEYS = { first: "key-of-the-first-bank", second: "key-of-the-second-bank" };
  const organizations = [
    { organizationId: "first-bank", key: KEYS.first, requestsPerMinute: 2 },
    { organizationId: "second-bank", key: KEYS.second, bytesPerMinute: 1000 },
  ];
  const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

  it("is known by a key, for its own organization alone", async () => {
    const own = await openGateway({ to: platform.url, organizations });
    expect((await postBatch(own, createBatch(), bearer("another key of somebody"))).status).toBe(
      401,
    );
    expect((await postBatch(own, createBatch(), bearer(KEYS.second))).status).toBe(403);
    expect((await postBatch(own, createBatch(), bearer(KEYS.first))).status).toBe(202);
  });

  it("names no organization in OpenTelemetry data: the key does", async () => {
    const organizationsSeen: unknown[] = [];
    const to = await startOther((request, response) => {
      organizationsSeen.push(request.headers["x-organization-id"]);
      request.resume().on("end", () => response.writeHead(200).end());
    });
    const own = await openGateway({ to, organizations, toApiKey: "own" });
    const headers = { "content-type": "application/json", authorization: `Bearer ${KEYS.second}` };
    expect((await post(own.url, "/v1/traces", toTraces([SPAN]), headers)).status).toBe(200);
    expect(organizationsSeen).toEqual(["second-bank"]);
    const none = { "content-type": "application/json" };
    expect((await post(own.url, "/v1/traces", toTraces([SPAN]), none)).status).toBe(401);
  });

  it("sends as much as its quota, and more once time has passed", async () => {
    const clock = { at: 0 };
    const own = await openGateway({
      to: platform.url,
      organizations,
      clock: { now: () => Date.now(), monotonic: () => clock.at, schedule: () => () => {} },
    });
    const send = () => postBatch(own, createBatch(), bearer(KEYS.first));
    expect((await send()).status).toBe(202);
    expect((await send()).status).toBe(202);
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ code: "too_many_requests" });
    expect(refused.headers.get("retry-after")).toBe("1");
    clock.at += 30_000;
    expect((await send()).status).toBe(202);
    expect((await send()).status).toBe(429);
  });

  it("may send a large body, and waits for as long as it takes of the quota", async () => {
    const clock = { at: 0 };
    const own = await openGateway({
      to: platform.url,
      organizations,
      clock: { now: () => Date.now(), monotonic: () => clock.at, schedule: () => () => {} },
    });
    const events = Array.from({ length: 10 }, () => createEvent());
    const batch = createBatch(events, { organizationId: "second-bank" });
    const bytes = Buffer.byteLength(JSON.stringify(batch));
    const send = () =>
      postBatch(own, batch, { organizationId: "second-bank", ...bearer(KEYS.second) });
    expect((await send()).status).toBe(202);
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBe(Math.ceil((bytes - 1000) * 0.06));
  });
});

describe("a gateway with a certificate", () => {
  const authority = createAuthority("Test authority");
  const server = authority.issue("gateway");

  /** Asks the gateway whether it lives. */
  async function ask(url: string, client: object): Promise<number | undefined> {
    const sent = tlsRequest(`${url}/healthz`, { ca: authority.cert, ...client, agent: false });
    sent.end();
    const [response] = (await once(sent, "response")) as [{ statusCode?: number; resume(): void }];
    response.resume();
    return response.statusCode;
  }

  it("speaks TLS", async () => {
    const own = await openGateway({ to: platform.url, tls: server });
    expect(own.url).toMatch(/^https:/);
    expect(await ask(own.url, {})).toBe(200);
  });

  it("asks for one of its authority, where it has that", async () => {
    const own = await openGateway({ to: platform.url, tls: { ...server, ca: authority.cert } });
    expect(await ask(own.url, authority.issue("service"))).toBe(200);
    await expect(ask(own.url, {})).rejects.toThrow();
    const stranger = createAuthority("Another authority").issue("stranger");
    await expect(ask(own.url, stranger)).rejects.toThrow();
  });
});

describe("options of a gateway", () => {
  const to = "http://127.0.0.1:1";
  it.each<[object, string]>([
    [{ to: "http://platform.bank" }, "gateway: to: expected https"],
    [{ to: "kafka://broker:9092" }, "gateway: to: expected a topic"],
    [{ to: "kafka://user:secret@broker/topic" }, "gateway: to: expected kafka://"],
    [{ to: "kafka:///topic" }, "gateway: to: expected kafka://"],
    [{ to, host: "0.0.0.0" }, "gateway: host 0.0.0.0 can be reached from other machines"],
    [{ to, topic: "x" }, 'gateway: unknown option "topic"'],
    [{ to, port: 70_000 }, "gateway: port must be 0 to 65535 (got 70000)"],
    [
      { to, organizations: [{ organizationId: "a", key: "short" }] },
      "gateway: organizations: 0.key",
    ],
    [{ to, kafka: {} }, "gateway: kafka is for brokers"],
    [{ to: "kafka://broker/topic", toApiKey: "k" }, "gateway: toApiKey is for a platform"],
    [
      { to: "kafka://broker/topic", kafka: { tls: { ca: "/secret/ca.pem" } } },
      "gateway: kafka: tls.ca: expected the text of a PEM file",
    ],
    [
      { to: "kafka://127.0.0.1:1/topic" },
      "gateway: 127.0.0.1:1: expected brokers that answer, got ECONNREFUSED",
    ],
    [{ to, signingKeys: { a: "short" } }, "gateway: signingKeys: key a"],
  ])("are refused by name: %j", async (options, message) => {
    const starting = startGateway(options as GatewayOptions);
    await expect(starting).rejects.toThrow(message);
    await expect(starting).rejects.not.toThrow(/secret|short/);
  });
});
