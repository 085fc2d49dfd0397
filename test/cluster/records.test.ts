import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { EventEmitter } from "node:events";
import { gzipSync } from "node:zlib";
import {
  type Consumer,
  type CreationEvent,
  instancesChannel,
  Producer,
  stringSerializers,
} from "@platformatic/kafka";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import {
  type Gateway,
  type Platform,
  startGateway,
  startPlatform,
} from "../../src/platform/index.ts";
import { badBatch, badTelemetry } from "../platform/bad-deliveries.ts";
import { until } from "../faults/support/until.ts";
import {
  createAgent,
  createBatch,
  createEvent,
  get,
  postBatch,
  putAgent,
  toAnswer,
} from "../platform/helpers.ts";
import { type KafkaCluster, startKafka } from "./support/kafka-cluster.ts";
import { readMetric } from "./support/stored.ts";

const classPath = inject("kafkaClassPath");
const TOPIC = "records";

let kafka: KafkaCluster;
let gateway: Gateway;
let platform: Platform;
const toAddress = (topic = TOPIC): string => `kafka://${kafka.brokers.join(",")}/${topic}`;
/** Consumers that were made, the newest last. */
const consumers: Consumer[] = [];
const keepConsumer = (message: unknown): void => {
  const { type, instance } = message as CreationEvent<Consumer>;
  if (type === "consumer") consumers.push(instance);
};
beforeAll(async () => {
  if (classPath === "") return;
  subscribe(instancesChannel.name, keepConsumer);
  kafka = await startKafka({ classPath, brokers: 1 });
  for (const name of [TOPIC, `${TOPIC}-otlp`, `${TOPIC}-dead`])
    await kafka.createTopic(name, { partitions: 3 });
  gateway = await startGateway({ to: toAddress(), port: 0 });
  platform = await startPlatform({ from: toAddress(), port: 0 });
});
afterAll(async () => {
  unsubscribe(instancesChannel.name, keepConsumer);
  await gateway?.close();
  await platform?.close();
  await kafka?.stop();
});

const SPAN = {
  spanId: "b7ad6b7169203331",
  name: "chat gpt-5",
  kind: 3,
  startTimeUnixNano: "1763647200000000000",
  endTimeUnixNano: "1763647201000000000",
  attributes: [
    { key: "gen_ai.operation.name", value: { stringValue: "chat" } },
    { key: "gen_ai.request.model", value: { stringValue: "gpt-5" } },
    {
      key: "gen_ai.input.messages",
      value: { stringValue: '[{"role":"user","parts":[{"type":"text","content":"Hi"}]}]' },
    },
    {
      key: "gen_ai.output.messages",
      value: { stringValue: '[{"role":"assistant","parts":[{"type":"text","content":"Hello"}]}]' },
    },
  ],
};

const anyBytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const header = (...usual: readonly string[]) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...usual).map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: anyBytes },
  );
/** A record whose headers are like those of gateways, of anybody's bytes. */
const anyRecord = fc.record({
  topic: fc.constantFrom(TOPIC, `${TOPIC}-otlp`),
  key: anyBytes,
  value: fc.oneof(
    anyBytes,
    fc.oneof(badBatch, badTelemetry).map(({ body }) => body),
  ),
  headers: fc
    .record(
      {
        "agent-monitor-record": header("batch/1", "agent/1", "traces/1", "logs/1"),
        "organization-id": header("first-bank", "Erste Bank Österreich"),
        "received-at": header("1763647200000", "-1", "9007199254740991", "0"),
        "content-type": header("application/json", "application/x-protobuf", "application/jose"),
        "content-encoding": header("identity", "gzip"),
        other: anyBytes,
      },
      { requiredKeys: ["agent-monitor-record", "organization-id", "received-at"] },
    )
    .map(
      (given) => new Map(Object.entries(given).map(([name, text]) => [Buffer.from(name), text])),
    ),
});

const deadLetters = () =>
  readMetric(platform.url, "agent_monitor_platform_kafka_dead_letters_total");

describe.skipIf(classPath === "")("what a gateway writes to Kafka", () => {
  it("is acknowledged with the counts that the gateway knows, and stored once", async () => {
    const before = await platform.stats();
    for (const gzip of [false, true]) {
      const batch = createBatch([createEvent(), { ...createEvent(), timestamp: "now" }]);
      const { status, body } = await postBatch(gateway, batch, { gzip });
      expect(status).toBe(202);
      expect(body).toMatchObject({ status: "partial", accepted: 1, duplicates: 0 });
      expect(body["rejected"]).toMatchObject([{ index: 1 }]);
      // The gateway does not know it; the store does.
      expect((await postBatch(gateway, batch, { gzip })).status).toBe(202);
    }
    await until("all is stored", async () => (await platform.stats()).events === before.events + 2);
    await until(
      "repetitions are known",
      async () => (await platform.stats()).duplicates === before.duplicates + 2,
    );
    expect((await platform.stats()).batches).toBe(before.batches + 2);
  });

  it("may be an agent's profile", async () => {
    const before = (await platform.stats()).agents;
    const agent = createAgent({ id: "agent/kafka" });
    const { status, body } = await putAgent(gateway, agent, agent.id);
    expect(status).toBe(200);
    expect(body).toEqual(agent);
    await until("it is stored", async () => (await platform.stats()).agents === before + 1);
  });

  it("may be OpenTelemetry data, split by trace, whose events come once however often it comes", async () => {
    const before = await platform.stats();
    const traceIds = ["1", "2", "3"].map((digit) => digit.repeat(32));
    const spans = traceIds.map((traceId) => ({ ...SPAN, traceId }));
    const request = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
    const body = gzipSync(JSON.stringify(request));
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const send = () =>
      fetch(`${gateway.otlpUrl}/v1/traces`, { method: "POST", headers, body }).then(toAnswer);
    expect(await send()).toMatchObject({ status: 200, body: {} });
    await until(
      "spans are stored",
      async () => (await platform.stats()).spans === before.spans + 3,
    );
    expect(await send()).toMatchObject({ status: 200, body: {} });
    await until(
      "they are events",
      async () => (await platform.stats()).events >= before.events + 6,
    );
    const lag = "agent_monitor_platform_kafka_lag_records";
    await expect.poll(() => readMetric(platform.url, lag), { timeout: 30_000 }).toBe(0);
    expect(await platform.stats()).toMatchObject({
      spans: before.spans + 3,
      events: before.events + 6,
    });
  });

  it("is refused where a record is larger than the topic takes, and what else comes is taken", async () => {
    const random = () => Math.random().toString(36).slice(2);
    const content = Array.from({ length: 150_000 }, random).join("");
    const large = createBatch([
      createEvent("user_message", { content, contentLength: content.length }),
    ]);
    const answers = await Promise.all([
      postBatch(gateway, createBatch()),
      postBatch(gateway, large),
      postBatch(gateway, createBatch()),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([202, 413, 202]);
    expect(answers[1]?.body).toMatchObject({ code: "payload_too_large" });
  });

  it("does not exist where a topic is missing: neither side starts", async () => {
    await expect(startGateway({ to: toAddress("missing"), port: 0 })).rejects.toThrow(
      /^gateway: 127\.0\.0\.1:\d+: expected the topic missing, which does not exist$/,
    );
    await expect(startPlatform({ from: toAddress("missing"), port: 0 })).rejects.toThrow(
      /^platform: 127\.0\.0\.1:\d+: expected the topic missing, which does not exist$/,
    );
  });

  it("is stored where the client can't join its group again, too", async () => {
    const before = (await platform.stats()).events;
    const count = consumers.length;
    // What it does then, which takes a member that dies at the wrong moment.
    (consumers.at(-1) as unknown as EventEmitter).emit("error", new Error("not joined"));
    await until("another client consumes", () => consumers.length > count);
    expect((await postBatch(gateway, createBatch())).status).toBe(202);
    await expect
      .poll(async () => (await platform.stats()).events, { timeout: 60_000 })
      .toBe(before + 1);
  });

  it("is on its way while the brokers live: without them nothing is acknowledged", async () => {
    await kafka.kill(0);
    const batch = createBatch();
    const refused = await postBatch(gateway, batch);
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({ code: "unavailable" });
    expect(refused.headers.get("retry-after")).toBe("5");
    expect((await get(gateway, "/readyz")).status).toBe(503);
    await kafka.start(0);
    const before = (await platform.stats()).events;
    await expect
      .poll(async () => (await postBatch(gateway, batch)).status, { timeout: 60_000 })
      .toBe(202);
    await expect
      .poll(async () => (await platform.stats()).events, { timeout: 60_000 })
      .toBe(before + 1);
  });
});

describe.skipIf(classPath === "")("records that nobody can store", () => {
  it("are dead letters with the reason, and what is behind them is stored", async () => {
    const before = (await deadLetters()) ?? 0;
    const events = (await platform.stats()).events;
    const producer = new Producer({
      clientId: "stranger",
      bootstrapBrokers: [...kafka.brokers],
      serializers: stringSerializers,
    });
    onTestFinished(() => producer.close());
    const headers = {
      "agent-monitor-record": "batch/1",
      "organization-id": "first-bank",
      "received-at": "1763647200000",
      "content-type": "application/json",
    };
    const own = JSON.stringify(createBatch());
    const values: [string | undefined, Record<string, string>][] = [
      [undefined, {}],
      [undefined, headers],
      ["of another program", {}],
      ["{", headers],
      [own.replace("first-bank", "second-bank"), headers],
      [own, { ...headers, "agent-monitor-record": "batch/2" }],
      [own, { ...headers, "content-encoding": "gzip" }],
      [own, { ...headers, "received-at": "soon" }],
      [own, headers],
    ];
    const partition = 0;
    await producer.send({
      messages: values.map(([value, given]) => ({
        topic: TOPIC,
        partition,
        key: "k",
        ...(value !== undefined && { value }),
        headers: given,
      })),
    });
    await until(
      "the last one is stored",
      async () => (await platform.stats()).events === events + 1,
    );
    await expect.poll(deadLetters, { timeout: 30_000 }).toBe(before + 8);
  });

  it("may be anything: the platform goes on", async () => {
    const producer = new Producer({
      clientId: "stranger",
      bootstrapBrokers: [...kafka.brokers],
    });
    onTestFinished(() => producer.close());
    const before = (await deadLetters()) ?? 0;
    const messages = fc.sample(anyRecord, { numRuns: 300, seed: 20_261_130 });
    await producer.send({ messages });
    const lag = () => readMetric(platform.url, "agent_monitor_platform_kafka_lag_records");
    await expect.poll(lag, { timeout: 30_000 }).toBe(0);
    expect(await deadLetters()).toBeGreaterThan(before + 100);
    const batch = createBatch();
    expect((await postBatch(gateway, batch)).status).toBe(202);
    const { events } = await platform.stats();
    await until(
      "what comes behind is stored",
      async () => (await platform.stats()).events > events,
    );
    expect((await get(platform, "/readyz")).status).toBe(200);
  });
});
