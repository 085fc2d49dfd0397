import { request as sendRequest } from "node:http";
import { gzipSync } from "node:zlib";
import {
  JsonLogsSerializer,
  JsonTraceSerializer,
  ProtobufLogsSerializer,
  ProtobufTraceSerializer,
} from "@opentelemetry/otlp-transformer";
import type { ReadableLogRecord } from "@opentelemetry/sdk-logs";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import * as fc from "fast-check";
import { agentInfoSchema } from "../../src/events/agent.ts";
import { record, span } from "./arbitrary-telemetry.ts";
import { createConversations } from "./banking-conversations.ts";
import { createAgent, createBatch, KEY, START } from "./helpers.ts";
import { applyAll, mutation } from "./mutations.ts";

/** A delivery as it is sent. */
export interface Delivery {
  readonly method: "POST" | "PUT";
  readonly path: string;
  /** A name may stand here twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** An answer to a delivery. */
export interface DeliveryAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends a delivery as it stands: `fetch` would put headers in order. */
export function sendDelivery(
  url: string,
  { method, path, headers, body }: Delivery,
): Promise<DeliveryAnswer> {
  return new Promise((resolve, reject) => {
    const all = { host: new URL(url).host, "content-length": String(body.length) };
    const raw = [...Object.entries(all), ...headers].flat();
    const sent = sendRequest(url + path, { method, headers: raw }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Bound of a body for which the deliveries here are made. */
export const MAX_BODY_BYTES = 100_000;

const JSON_TYPE = "application/json";
const PROTOBUF_TYPE = "application/x-protobuf";
const BASE = [
  ["authorization", `Bearer ${KEY}`],
  ["x-organization-id", "first-bank"],
] as const;

const toBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

function toDelivery(path: string, bytes: Buffer, isGzip: boolean, type = JSON_TYPE): Delivery {
  const encoding = isGzip ? [["content-encoding", "gzip"] as const] : [];
  const headers = [...BASE, ["content-type", type] as const, ...encoding];
  return { method: "POST", path, headers, body: isGzip ? gzipSync(bytes) : bytes };
}

const changes = fc.array(mutation, { minLength: 1, maxLength: 4 });

/** A batch that was damaged anywhere. */
export const badBatch = fc
  .tuple(changes, fc.boolean())
  .map(([mutations, isGzip]) =>
    toDelivery(
      "/v1/batches",
      toBytes(applyAll(createBatch(createConversations(START)), mutations)),
      isGzip,
    ),
  );

/** Number of events in `badEvents`. */
export const EVENT_COUNT = createConversations(START).length;

/** A batch with right sums whose events were damaged. */
export const badEvents = changes.map((mutations) => {
  const events = createConversations(START).map((event, index) =>
    index % 3 === 0 ? applyAll(event, mutations) : event,
  );
  return toDelivery("/v1/batches", toBytes(createBatch(events)), false);
});

/** An agent's profile that was damaged, or none at all. */
export const badAgent = fc.array(mutation, { maxLength: 3 }).map((mutations): Delivery => {
  const tool = { name: "t", description: "", category: "c", riskLevel: "low" } as const;
  const agent = applyAll(createAgent({ availableTools: [tool] }), mutations);
  const { id } = agent;
  const isValid = typeof id === "string" && agentInfoSchema.safeParse(agent).success;
  // No path can have a part of a character.
  const name = isValid && !/\p{Surrogate}/u.test(id) ? id : "agent-1";
  const path = `/v1/agents/${encodeURIComponent(name)}`;
  return { ...toDelivery(path, toBytes(agent), false), method: "PUT" };
});

const anyBytes = fc.uint8Array({ maxLength: 500 }).map((array) => Buffer.from(array));

/** Changes one byte, or cuts the bytes off there. */
const damage = (given: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> =>
  fc.tuple(given, fc.nat(), fc.nat(255), fc.boolean()).map(([bytes, place, byte, isCut]) => {
    const at = place % Math.max(1, bytes.length);
    if (isCut) return bytes.subarray(0, at);
    const changed = Buffer.from(bytes);
    changed[at] = byte;
    return changed;
  });

/** Bodies that take much of whoever reads them. */
const largeBytes = fc.constantFrom(
  Buffer.from(`{"events":${"[".repeat(50_000)}`),
  Buffer.from(`${'{"a":'.repeat(2000)}1${"}".repeat(2000)}`),
  Buffer.alloc(MAX_BODY_BYTES + 1, "a"),
  // What OpenTelemetry data may have.
  Buffer.alloc(4 * MAX_BODY_BYTES + 1, "a"),
  gzipSync(Buffer.alloc(10_000_000)),
);

const headerText = fc.string({
  unit: fc.constantFrom(...Array.from('abc"\\=:;, -/*256shaüÿ\t')),
  maxLength: 60,
});
const NAMES = [
  "content-digest",
  "idempotency-key",
  "content-encoding",
  "content-type",
  "accept",
  "x-organization-id",
  "x-batch-id",
  "authorization",
  "signature",
  "signature-input",
  "traceparent",
  "user-agent",
  "origin",
  "cookie",
];
const VALUES = [
  "gzip",
  "br",
  "gzip, gzip",
  "sha-256=:AAAA:",
  "text/plain",
  `${JSON_TYPE}; charset=latin1`,
  PROTOBUF_TYPE,
  "UTF-8''%zz",
  "UTF-8''Erste%20Bank%20%C3%84",
  "UTF-8''%00",
  "x".repeat(3000),
  "null",
];
const oddHeader = fc.tuple(
  fc.constantFrom(...NAMES),
  fc.oneof(headerText, fc.constantFrom(...VALUES)),
);

/** Adds headers to a delivery, whether it has them or not. */
const withOddHeaders = (given: fc.Arbitrary<Delivery>, maxLength: number): fc.Arbitrary<Delivery> =>
  fc
    .tuple(given, fc.array(oddHeader, { maxLength }))
    .map(([delivery, added]) => ({ ...delivery, headers: [...delivery.headers, ...added] }));

const batchBytes = fc.constant(undefined).map(() => toBytes(createBatch()));

/** A batch as it should be. */
export const goodBatch = batchBytes.map((bytes) => toDelivery("/v1/batches", bytes, false));

/** Any bytes with any headers, where batches are taken. */
export const badBytes = withOddHeaders(
  fc
    .tuple(
      fc.oneof(
        { weight: 3, arbitrary: anyBytes },
        { weight: 3, arbitrary: fc.json().map((text) => Buffer.from(text)) },
        { weight: 4, arbitrary: damage(batchBytes) },
        { weight: 2, arbitrary: damage(batchBytes.map((bytes) => gzipSync(bytes))) },
        { weight: 3, arbitrary: batchBytes },
        { weight: 1, arbitrary: largeBytes },
      ),
      fc.boolean(),
    )
    .map(([bytes, isCompressed]) => {
      const delivery = toDelivery("/v1/batches", bytes, false);
      const added = isCompressed ? [["content-encoding", "gzip"] as const] : [];
      return { ...delivery, headers: [...delivery.headers, ...added] };
    }),
  2,
);

interface Serializer<Item> {
  serializeRequest(items: Item[]): Uint8Array | undefined;
}

interface Format<Item> {
  readonly path: string;
  readonly items: fc.Arbitrary<Item[]>;
  readonly json: Serializer<Item>;
  readonly protobuf: Serializer<Item>;
}

/** Requests of one kind of telemetry: whole, damaged, cut off, and bytes that are none. */
function telemetryOf<Item>({ path, items, json, protobuf }: Format<Item>): fc.Arbitrary<Delivery> {
  const write = (serializer: Serializer<Item>): fc.Arbitrary<Buffer> =>
    items.map((some) => Buffer.from(serializer.serializeRequest(some) ?? []));
  const mutated = fc
    .tuple(write(json), changes)
    .map(([bytes, mutations]) => toBytes(applyAll(JSON.parse(bytes.toString()), mutations)));
  const inJson = fc.oneof(write(json), mutated, mutated, damage(write(json)));
  const inProtobuf = fc.oneof(write(protobuf), damage(write(protobuf)), damage(write(protobuf)));
  const none = fc.oneof({ weight: 3, arbitrary: anyBytes }, { weight: 1, arbitrary: largeBytes });
  const toRequest = (bytes: fc.Arbitrary<Buffer>, type: string): fc.Arbitrary<Delivery> =>
    fc.tuple(bytes, fc.boolean()).map(([given, isGzip]) => toDelivery(path, given, isGzip, type));
  const compressed = damage(inProtobuf.map((bytes) => gzipSync(bytes))).map((bytes) => {
    const delivery = toDelivery(path, bytes, false, PROTOBUF_TYPE);
    return { ...delivery, headers: [...delivery.headers, ["content-encoding", "gzip"] as const] };
  });
  return fc.oneof(
    { weight: 4, arbitrary: toRequest(inJson, JSON_TYPE) },
    { weight: 4, arbitrary: toRequest(inProtobuf, PROTOBUF_TYPE) },
    { weight: 1, arbitrary: compressed },
    { weight: 1, arbitrary: toRequest(none, JSON_TYPE) },
    { weight: 1, arbitrary: toRequest(none, PROTOBUF_TYPE) },
    { weight: 1, arbitrary: toRequest(inJson, PROTOBUF_TYPE) },
  );
}

const some = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { maxLength: 4 });

/** Spans and log records: whole, damaged, cut off, as another type, and bytes that are none. */
export const badTelemetry = withOddHeaders(
  fc.oneof(
    telemetryOf({
      path: "/v1/traces",
      items: some(span as unknown as fc.Arbitrary<ReadableSpan>),
      json: JsonTraceSerializer,
      protobuf: ProtobufTraceSerializer,
    }),
    telemetryOf({
      path: "/v1/logs",
      items: some(record as unknown as fc.Arbitrary<ReadableLogRecord>),
      json: JsonLogsSerializer,
      protobuf: ProtobufLogsSerializer,
    }),
  ),
  1,
);
