import { gzipSync } from "node:zlib";
import { ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { readWireMessage, type Message } from "../../src/platform/otlp/wire-reader.ts";
import { runSteps } from "../../src/platform/turns.ts";
import { systemClock } from "../../src/util/clock.ts";
import { createProviders } from "../helpers/otel.ts";
import { get, KEY, type JsonObject } from "./helpers.ts";

const PROTOBUF = "application/x-protobuf";
const TRACE_ID = "5b8efff798038103d269b633813fc60c";
const MAX_BODY_BYTES = 50_000;

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ port: 0, maxBodyBytes: MAX_BODY_BYTES });
});
afterAll(() => platform.close());

let spanIds = 0;

function createSpan(overrides: JsonObject = {}): JsonObject {
  const spanId = (++spanIds).toString(16).padStart(16, "0");
  return {
    traceId: TRACE_ID,
    spanId,
    name: "chat",
    kind: 3,
    startTimeUnixNano: "1795183200000000000",
    endTimeUnixNano: "1795183201500000000",
    ...overrides,
  };
}

function toTraceRequest(...spans: unknown[]): JsonObject {
  const resource = { attributes: [{ key: "service.name", value: { stringValue: "teller" } }] };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "test" }, spans }] }] };
}

function toLogsRequest(...logRecords: unknown[]): JsonObject {
  return { resourceLogs: [{ scopeLogs: [{ logRecords }] }] };
}

interface Sent {
  readonly status: number;
  readonly type: string | null;
  readonly bytes: Buffer;
}

async function post(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
  { url } = platform,
): Promise<Sent> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: bytes,
  });
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

const STATUS: Message = new Map([
  [1, { name: "code", type: "enum" }],
  [2, { name: "message", type: "string" }],
]);
const PARTIAL: Message = new Map([
  [1, { name: "rejected", type: "int64" }],
  [2, { name: "errorMessage", type: "string" }],
]);
const RESPONSE: Message = new Map([[1, { name: "partialSuccess", type: { message: PARTIAL } }]]);

/** Reads a google.rpc.Status in the encoding of the answer. */
function readStatus({ type, bytes }: Sent): unknown {
  if (type === PROTOBUF) return runSteps(readWireMessage(bytes, STATUS));
  expect(type).toBe("application/json");
  return JSON.parse(bytes.toString());
}

async function readTraces(): Promise<JsonObject[]> {
  return (await get(platform, "/api/traces")).body["traces"] as JsonObject[];
}

describe("spans", () => {
  it("are taken and shown, in order of time, with all that they say", async () => {
    const root = createSpan({
      name: "invoke_agent teller",
      kind: 1,
      endTimeUnixNano: "1795183204000000001",
    });
    const call = createSpan({
      parentSpanId: root["spanId"],
      startTimeUnixNano: "1795183200000000900",
      status: { code: 2, message: "timed out" },
      attributes: [
        { key: "gen_ai.request.model", value: { stringValue: "gpt-5" } },
        { key: "raw", value: { bytesValue: "AQI=" } },
        { key: "odd", value: { doubleValue: "NaN" } },
      ],
      events: [{ timeUnixNano: "1795183201000000000", name: "exception", attributes: [] }],
      links: [{ traceId: "1".repeat(32), spanId: "2".repeat(16) }],
    });
    expect(await post("/v1/traces", toTraceRequest(call, root))).toMatchObject({
      status: 200,
      type: "application/json",
      bytes: Buffer.from("{}"),
    });
    const { body } = await get(platform, `/api/traces/${TRACE_ID.toUpperCase()}`);
    expect(body).toMatchObject({
      trace: {
        traceId: TRACE_ID,
        organizationId: "local",
        name: "invoke_agent teller",
        service: "teller",
        spanCount: 2,
        errorCount: 1,
        startedAt: 1795183200000,
        durationMillis: 4000,
      },
      next: null,
    });
    expect(body["spans"]).toEqual([
      expect.objectContaining({ spanId: root["spanId"], kind: "internal", links: [] }),
      {
        traceId: TRACE_ID,
        spanId: call["spanId"],
        parentSpanId: root["spanId"],
        name: "chat",
        kind: "client",
        startTimeUnixNano: "1795183200000000900",
        endTimeUnixNano: "1795183201500000000",
        status: { code: "error", message: "timed out" },
        attributes: { "gen_ai.request.model": "gpt-5", raw: "AQI=", odd: "NaN" },
        events: [{ timeUnixNano: "1795183201000000000", name: "exception", attributes: {} }],
        links: [{ traceId: "1".repeat(32), spanId: "2".repeat(16), attributes: {} }],
        scope: { name: "test" },
        resource: { "service.name": "teller" },
      },
    ]);
  });

  it("that come again are the same ones, also when other ones come along", async () => {
    const traceId = "a".repeat(32);
    const [first, second] = [createSpan({ traceId }), createSpan({ traceId })];
    await post("/v1/traces", toTraceRequest(first, first));
    await post("/v1/traces", toTraceRequest(first, second));
    const { body } = await get(platform, `/api/traces/${traceId}`);
    expect(body).toMatchObject({ trace: { spanCount: 2 } });
    expect(body["spans"]).toHaveLength(2);
  });

  it("are given page by page, and traces too, the newest first", async () => {
    const ids = ["b", "c", "d"].map((digit) => digit.repeat(32));
    for (const traceId of ids)
      await post("/v1/traces", toTraceRequest(createSpan({ traceId }), createSpan({ traceId })));
    const page = await get(platform, "/api/traces?limit=2");
    expect((page.body["traces"] as JsonObject[]).map(({ traceId }) => traceId)).toEqual([
      ids[2],
      ids[1],
    ]);
    const rest = await get(platform, `/api/traces?limit=2&before=${String(page.body["next"])}`);
    expect(rest.body["traces"]).toMatchObject([{ traceId: ids[0] }, {}]);
    const first = await get(platform, `/api/traces/${ids[0]}?limit=1`);
    expect([(first.body["spans"] as unknown[]).length, first.body["next"]]).toEqual([1, 1]);
    const second = await get(platform, `/api/traces/${ids[0]}?limit=1&offset=1`);
    expect([(second.body["spans"] as unknown[]).length, second.body["next"]]).toEqual([1, null]);
    expect((await get(platform, "/api/traces/nope")).status).toBe(404);
  });

  it("of two organizations with one trace id are kept apart", async () => {
    const span = createSpan({ traceId: "e".repeat(32) });
    for (const organization of ["first-bank", "second-bank"])
      await post("/v1/traces", toTraceRequest(span), { "x-organization-id": organization });
    for (const organization of ["first-bank", "second-bank"]) {
      const path = `/api/traces/${"e".repeat(32)}?organization=${organization}`;
      const { body } = await get(platform, path);
      expect(body).toMatchObject({ trace: { organizationId: organization, spanCount: 1 } });
      expect(body["spans"]).toHaveLength(1);
    }
  });
});

describe("log records", () => {
  it("are taken and shown, once, and two alike in one request are two", async () => {
    const record = {
      timeUnixNano: "1795183200000000000",
      traceId: TRACE_ID,
      spanId: "1".repeat(16),
      severityNumber: 9,
      severityText: "INFO",
      eventName: "gen_ai.choice",
      body: { kvlistValue: { values: [{ key: "index", value: { intValue: "0" } }] } },
    };
    for (const records of [[record, record], [record, record], [{ body: { stringValue: "b" } }]])
      expect((await post("/v1/logs", toLogsRequest(...records))).status).toBe(200);
    const { body } = await get(platform, `/api/logs?trace=${TRACE_ID}`);
    const shown = body["logs"] as { record: JsonObject }[];
    expect(shown).toHaveLength(2);
    const { observedTimeUnixNano: _, ...rest } = { ...shown[0]?.record };
    expect(rest).toEqual({
      timeUnixNano: "1795183200000000000",
      traceId: TRACE_ID,
      spanId: "1".repeat(16),
      eventName: "gen_ai.choice",
      severityNumber: 9,
      severityText: "INFO",
      body: { index: 0 },
      attributes: {},
      scope: { name: "" },
      resource: {},
    });
    const newest = await get(platform, "/api/logs?limit=1");
    expect(newest.body["logs"]).toMatchObject([{ organizationId: "local", record: { body: "b" } }]);
    const older = await get(platform, `/api/logs?before=${String(newest.body["next"])}`);
    expect(older.body["logs"]).toHaveLength(2);
  });
});

it("keeps log records that have no time and come at different times", async () => {
  let now = 1_795_183_200_000;
  const other = await startPlatform({
    port: 0,
    clock: { ...systemClock, now: () => (now += 1000) },
  });
  const request = toLogsRequest({ body: { stringValue: "retrying" } });
  for (let round = 0; round < 2; round++) await post("/v1/logs", request, {}, other);
  const { body } = await get(other, "/api/logs");
  const shown = body["logs"] as { record: JsonObject }[];
  const times = shown.map(({ record }) => Number(record["timeUnixNano"]) / 1e6);
  expect(times).toHaveLength(2);
  for (const time of times) expect(time).toBeGreaterThan(1_795_183_200_000);
  await other.close();
});

describe("protobuf", () => {
  it("is read as JSON is, compressed or not, and answered in kind", async () => {
    const { tracerProvider, spans } = createProviders();
    for (const name of ["plain", "compressed"])
      tracerProvider.getTracer("test").startSpan(name).end();
    for (const [index, span] of spans().entries()) {
      const bytes = Buffer.from(ProtobufTraceSerializer.serializeRequest([span]) ?? []);
      const isCompressed = index === 1;
      const answer = await post("/v1/traces", isCompressed ? gzipSync(bytes) : bytes, {
        "content-type": PROTOBUF,
        ...(isCompressed && { "content-encoding": "gzip" }),
      });
      expect(answer).toEqual({ status: 200, type: PROTOBUF, bytes: Buffer.alloc(0) });
      const { body } = await get(platform, `/api/traces/${span.spanContext().traceId}`);
      expect(body["spans"]).toMatchObject([{ name: span.name, scope: { name: "test" } }]);
    }
  });
});

describe("answers", () => {
  const wrong = createSpan({ traceId: "12" });

  it("tell what of a request was left out, and take the rest", async () => {
    const traceId = "f".repeat(32);
    const answer = await post("/v1/traces", toTraceRequest(wrong, createSpan({ traceId }), wrong));
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.bytes.toString())).toEqual({
      partialSuccess: {
        rejectedSpans: "2",
        errorMessage: "expected a trace id of 16 bytes, not all zero",
      },
    });
    expect((await get(platform, `/api/traces/${traceId}`)).body["spans"]).toHaveLength(1);
    const logs = await post("/v1/logs", toLogsRequest({ spanId: "1" }, { body: {} }));
    expect(JSON.parse(logs.bytes.toString())).toEqual({
      partialSuccess: {
        rejectedLogRecords: "1",
        errorMessage: "expected a span id of 8 bytes, or none",
      },
    });
  });

  it("tell the same in protobuf", async () => {
    // A request of two log records: one that says nothing, and one whose trace id has one byte.
    const bytes = Buffer.from([0x0a, 9, 0x12, 7, 0x12, 0, 0x12, 3, 0x4a, 1, 7]);
    const answer = await post("/v1/logs", bytes, { "content-type": PROTOBUF });
    expect([answer.status, answer.type]).toEqual([200, PROTOBUF]);
    expect(runSteps(readWireMessage(answer.bytes, RESPONSE))).toEqual({
      partialSuccess: { rejected: 1, errorMessage: "expected a trace id of 16 bytes, or none" },
    });
  });

  it("take a request that has nothing in it", async () => {
    expect((await post("/v1/traces", {})).status).toBe(200);
    const empty = await post("/v1/logs", Buffer.alloc(0), { "content-type": PROTOBUF });
    expect(empty.status).toBe(200);
  });

  it("are a Status in the encoding of the request when nothing could be taken", async () => {
    const nested = `${'{"arrayValue":{"values":['.repeat(5000)}{}${"]}}".repeat(5000)}`;
    const deep = JSON.stringify(toTraceRequest(createSpan({ attributes: [{ value: 1 }] }))).replace(
      '"value":1',
      `"value":${nested}`,
    );
    const bomb = gzipSync(Buffer.alloc(10 * MAX_BODY_BYTES));
    const large = Buffer.alloc(5 * MAX_BODY_BYTES, 0x20);
    const json = { "content-type": "application/json; charset=utf-8" };
    const protobuf = { "content-type": PROTOBUF };
    const gzip = { "content-encoding": "gzip" };
    type Case = [unknown, Record<string, string>, number, number, RegExp];
    const ofTraces: Case[] = [
      [toTraceRequest(wrong), json, 400, 3, /nothing in the body is valid: expected a trace id/],
      [{ resourceSpans: 1 }, json, 400, 3, /resourceSpans: expected an array/],
      [Buffer.from(deep), json, 400, 3, /more than 128 levels/],
    ];
    const ofBoth: Case[] = [
      [Buffer.from("{"), json, 400, 3, /not JSON/],
      [Buffer.from("no gzip"), { ...json, ...gzip }, 400, 3, /not gzip/],
      [Buffer.from([0x0a, 7]), protobuf, 400, 3, /cut off/],
      [Buffer.from([0x0a, 7]), { ...protobuf, ...gzip }, 400, 3, /not gzip/],
      [bomb, { ...protobuf, ...gzip }, 413, 8, /200000 bytes/],
      [bomb, { ...json, ...gzip }, 413, 8, /200000 bytes/],
      [large, protobuf, 413, 8, /200000 bytes/],
      [Buffer.alloc(1), { "content-type": "text/plain" }, 415, 3, /application\/x-protobuf/],
      [Buffer.alloc(1), { "content-type": "" }, 415, 3, /application\/x-protobuf/],
      [Buffer.alloc(1), { ...protobuf, "content-encoding": "br" }, 415, 3, /gzip or identity/],
    ];
    for (const path of ["/v1/traces", "/v1/logs"]) {
      const cases = path === "/v1/traces" ? [...ofTraces, ...ofBoth] : ofBoth;
      for (const [body, headers, status, code, message] of cases) {
        const answer = await post(path, body, headers);
        expect(answer.status, String(message)).toBe(status);
        const said = readStatus(answer);
        expect(said).toEqual({ code, message: expect.stringMatching(message) as string });
        expect(answer.type).toBe(
          headers["content-type"] === PROTOBUF ? PROTOBUF : "application/json",
        );
      }
    }
    expect((await post("/v1/traces", toTraceRequest(createSpan()))).status).toBe(200);
  });

  it("refuse a request whose items would be many copies of a large resource", async () => {
    const attributes = [{ key: "k", value: { stringValue: "x".repeat(100_000) } }];
    const resource = { attributes };
    const items = { spans: Array.from({ length: 1000 }, () => createSpan()) };
    const body = gzipSync(JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [items] }] }));
    const other = await startPlatform({ port: 0 });
    const answer = await post("/v1/traces", body, { "content-encoding": "gzip" }, other);
    expect(answer.status).toBe(413);
    expect(readStatus(answer)).toMatchObject({
      message: expect.stringMatching(/counted for every item/) as string,
    });
    expect((await other.stats()).spans).toBe(0);
    await other.close();
  });

  it("are a Status for other methods and for metrics, which are not taken", async () => {
    const wrongMethod = await fetch(`${platform.url}/v1/traces`);
    expect([wrongMethod.status, wrongMethod.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await wrongMethod.json()).toEqual({ code: 12, message: "expected POST" });
    const metrics = await post("/v1/metrics", Buffer.alloc(0), { "content-type": PROTOBUF });
    expect(metrics).toMatchObject({ status: 404, type: PROTOBUF });
    expect(readStatus(metrics)).toMatchObject({ code: 5 });
  });

  it("never repeat content", async () => {
    const secret = "4111 1111 1111 1111";
    const bodies = [
      toTraceRequest(createSpan({ traceId: secret })),
      toTraceRequest({ ...createSpan(), [secret]: 1, attributes: secret }),
      Buffer.from(`{"${secret}`),
    ];
    for (const body of bodies) {
      const { status, bytes } = await post("/v1/traces", body);
      expect(status).toBe(400);
      expect(bytes.toString()).not.toContain(secret);
    }
  });
});

describe("access", () => {
  it("needs the key and the organization only where they are set", async () => {
    const closed = await startPlatform({ port: 0, apiKey: KEY, organizationId: "first-bank" });
    const request = toTraceRequest(createSpan());
    const send = async (headers: Record<string, string>): Promise<Sent> =>
      post("/v1/traces", request, headers, closed);
    for (const headers of [{}, { authorization: "Bearer wrong" }]) {
      const refused = await send(headers);
      expect(refused.status).toBe(401);
      expect(readStatus(refused)).toMatchObject({ code: 16 });
    }
    const authorization = `Bearer ${KEY}`;
    expect((await send({ authorization, "x-organization-id": "other" })).status).toBe(403);
    expect((await send({ authorization, "x-organization-id": "first-bank" })).status).toBe(200);
    expect((await send({ authorization })).status).toBe(200);
    expect((await get(closed, "/api/traces")).status).toBe(401);
    const { body } = await get(closed, "/api/traces", { authorization });
    expect(body["traces"]).toMatchObject([{ organizationId: "first-bank", spanCount: 1 }]);
    await closed.close();
  });

  it("is refused to web pages of other origins, and without a signature where one is needed", async () => {
    const origin = "http://evil.example";
    const refused = await post("/v1/traces", toTraceRequest(createSpan()), { origin });
    expect(refused.status).toBe(403);
    expect(readStatus(refused)).toMatchObject({ code: 7 });
    const signed = await startPlatform({
      port: 0,
      signingKeys: { s1: "a shared secret of more than 32 bytes" },
    });
    expect((await post("/v1/traces", toTraceRequest(createSpan()), {}, signed)).status).toBe(401);
    await signed.close();
  });
});

describe("the second port", () => {
  it("serves the same, and is closed with the first", async () => {
    const two = await startPlatform({ port: 0, otlpPort: 0 });
    expect(two.otlpUrl).not.toBe(two.url);
    await post("/v1/traces", toTraceRequest(createSpan()), {}, { ...two, url: two.otlpUrl });
    await post("/v1/traces", toTraceRequest(createSpan()), {}, two);
    expect((await two.stats()).spans).toBe(2);
    await two.close();
    await expect(fetch(two.otlpUrl)).rejects.toThrow();
    expect(platform.otlpUrl).toBe(platform.url);
  });

  it("says when it is taken, and leaves nothing open", async () => {
    const { port } = platform;
    await expect(startPlatform({ port: 0, otlpPort: port })).rejects.toThrow(
      `platform: port ${port} on 127.0.0.1 is in use`,
    );
    await expect(startPlatform({ port: 0, otlpPort: -1 })).rejects.toThrow(
      "platform: otlpPort must be 0 to 65535 (got -1)",
    );
  });
});

it("counts what is kept", async () => {
  const { spans, logRecords } = await platform.stats();
  expect((await readTraces()).length).toBeGreaterThan(5);
  expect([spans > 5, logRecords > 2]).toEqual([true, true]);
});
