import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { pause } from "../collector/wait.ts";
import { makeDirectory, recover, startLife } from "../faults/support/child.ts";
import { inParallel } from "../faults/support/pool.ts";
import { expectEmptySpool, expectPromisesKept } from "../faults/support/verdict.ts";
import { runCommand } from "../helpers/command.ts";
import { type KafkaCluster, startKafka } from "./support/kafka-cluster.ts";
import { keepService } from "./support/service.ts";
import { readMetric, readStored } from "./support/stored.ts";

const classPath = inject("kafkaClassPath");
const APPLICATIONS = 20;
const EVENTS = Number(process.env["CLUSTER_EVENTS"] ?? 20_000);
const TOPIC = "agent-events";

let kafka: KafkaCluster;
const directory = mkdtempSync(join(tmpdir(), "agent-monitor-cluster-"));
beforeAll(async () => {
  if (classPath === "") return;
  kafka = await startKafka({ classPath });
  await kafka.createTopic(TOPIC, { partitions: 6 });
  await kafka.createTopic(`${TOPIC}-otlp`, { partitions: 6 });
  await kafka.createTopic(`${TOPIC}-dead`, { partitions: 1 });
});
afterAll(async () => {
  await kafka?.stop();
  rmSync(directory, { recursive: true, force: true });
});

describe.skipIf(classPath === "")("applications, gateways, Kafka, a platform", () => {
  it("lose nothing that was promised, while each part is killed", async () => {
    const address = `kafka://${kafka.brokers.join(",")}/${TOPIC}`;
    const gateways = await Promise.all(
      [1, 2].map(() => keepService((port) => ["gateway", "--listen", `:${port}`, "--to", address])),
    );
    const database = join(directory, "platform.db");
    const platform = await keepService((port) => [
      "platform",
      "--port",
      String(port),
      "--db",
      database,
      "--from",
      address,
    ]);
    const spools = Array.from({ length: APPLICATIONS }, () => makeDirectory());
    const toMonitor = (index: number) => ({
      endpoint: gateways[index % 2]!.url,
      spoolDirectory: spools[index]!,
      durability: "process" as const,
      enableLogging: false,
      batchSize: 50,
      flushInterval: 100,
      retryDelay: 20,
    });
    const perApplication = EVENTS / APPLICATIONS;
    const applications = spools.map((_, index) =>
      startLife({
        name: `application${index}`,
        monitor: toMonitor(index),
        count: perApplication,
        groupSize: 10,
        pauseMillis: 200,
        end: "stay",
      }),
    );
    const broken: string[] = [];
    const breakPart = async (name: string, act: () => Promise<unknown>): Promise<void> => {
      await pause(500);
      broken.push(name);
      await act();
    };
    for (const [index, gateway] of gateways.entries())
      await breakPart(`gateway ${index}`, () => gateway.restart());
    await breakPart("platform", () => platform.restart());
    for (const broker of kafka.brokers.keys())
      await breakPart(`broker ${broker}`, async () => {
        await kafka.settle();
        await kafka.kill(broker);
        await pause(1000);
        if (broker === 1) await kafka.wipe(broker);
        await kafka.start(broker);
      });
    for (const application of applications.slice(0, APPLICATIONS / 2)) application.kill();
    await Promise.all(
      applications.slice(APPLICATIONS / 2).map(async (application) => {
        await application.reported("tracked");
        application.kill();
      }),
    );
    await inParallel([...spools.keys()], 4, (index) => recover(toMonitor(index)));
    for (const spool of spools) expectEmptySpool(spool);
    const promised = applications.flatMap((application) => application.promised);
    const isTaken = async (): Promise<boolean> =>
      (await readMetric(platform.url, "agent_monitor_platform_kafka_lag_records")) === 0 &&
      (await readMetric(platform.url, "agent_monitor_platform_events_total"))! >= promised.length;
    for (let tries = 0; tries < 600 && !(await isTaken()); tries++) await pause(100);
    const stored = await readStored(platform.url);
    expectPromisesKept(stored, promised);
    expect(promised.length).toBeGreaterThan(EVENTS / 2);
    const verified = await runCommand(["verify", platform.url]);
    expect(verified.out + verified.err).toMatch(/verified|intact|ok/i);
    expect(verified.code).toBe(0);
    expect(await readMetric(platform.url, "agent_monitor_platform_kafka_dead_letters_total")).toBe(
      0,
    );
    console.log(`${promised.length} promised events stored; killed: ${broken.join(", ")}`);
    await Promise.all([...gateways, platform].map((service) => service.end()));
  });
});
