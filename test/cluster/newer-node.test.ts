import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createBatch, createEvent, get, postBatch } from "../platform/helpers.ts";
import { until } from "../faults/support/until.ts";
import { type KafkaCluster, startKafka } from "./support/kafka-cluster.ts";
import { installNewerCommand, type NewerCommand } from "./support/newer-command.ts";
import { type Service, startService } from "./support/service.ts";
import { readMetric } from "./support/stored.ts";

const classPath = inject("kafkaClassPath");
const TOPIC = "newer";
/** Installing may be tried twice. */
const SETUP_TIMEOUT_MILLIS = 450_000;

let kafka: KafkaCluster;
let newer: NewerCommand;
const services: Service[] = [];
beforeAll(async () => {
  if (classPath === "") return;
  newer = await installNewerCommand();
  kafka = await startKafka({ classPath, brokers: 1 });
  for (const name of [TOPIC, `${TOPIC}-otlp`, `${TOPIC}-dead`])
    await kafka.createTopic(name, { partitions: 3 });
}, SETUP_TIMEOUT_MILLIS);
afterAll(async () => {
  for (const service of services) await service.end();
  await kafka?.stop();
  newer?.remove();
});

/** Starts a command, on Node.js 24 with the client's version 2 or on this Node.js with version 1. */
async function start(isNewer: boolean, args: readonly string[]): Promise<Service> {
  const service = await startService(args, {}, isNewer ? newer : undefined);
  services.push(service);
  return service;
}

describe.skipIf(classPath === "")("Node.js 24 and version 2 of Kafka's client", () => {
  it.each([
    [true, true],
    [true, false],
    [false, true],
  ])(
    "a gateway (newer: %s) and a platform (newer: %s) go together",
    async (gatewayIs, platformIs) => {
      const address = `kafka://${kafka.brokers.join(",")}/${TOPIC}`;
      const gateway = await start(gatewayIs, ["gateway", "--listen", ":0", "--to", address]);
      const group = `group-${gatewayIs}-${platformIs}`;
      const from = ["--from", address, "--group", group, "--db", ":memory:"];
      const platform = await start(platformIs, ["platform", "--port", "0", ...from]);
      const batches = Array.from({ length: 20 }, () =>
        createBatch([createEvent("user_message"), createEvent("agent_response")]),
      );
      for (const batch of batches) expect((await postBatch(gateway, batch)).status).toBe(202);
      const wanted = batches.map((batch) => String(batch["batchId"]));
      await until("all batches are stored", async () => {
        const { body } = await get(platform, "/api/batches?limit=200");
        const stored = (body["batches"] as { batchId: string }[]).map(({ batchId }) => batchId);
        return wanted.every((id) => stored.includes(id));
      });
      const { body } = await get(platform, "/api/batches?limit=200");
      const stored = (body["batches"] as { batchId: string }[]).map(({ batchId }) => batchId);
      expect(stored).toHaveLength(new Set(stored).size);
      expect(
        await readMetric(platform.url, "agent_monitor_platform_kafka_dead_letters_total"),
      ).toBe(0);
    },
  );
});
