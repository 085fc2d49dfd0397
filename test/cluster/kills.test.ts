import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { pause } from "../collector/wait.ts";
import { makeDirectory, recover, startLife } from "../faults/support/child.ts";
import { inParallel } from "../faults/support/pool.ts";
import { expectEmptySpool, expectPromisesKept } from "../faults/support/verdict.ts";
import { runCommand } from "../helpers/command.ts";
import { type KafkaCluster, startKafka } from "./support/kafka-cluster.ts";
import { HAS_POSTGRES, type PostgresServer, startPostgres } from "./support/postgres-server.ts";
import { readComments, startReviewing } from "./support/reviewing.ts";
import { keepService } from "./support/service.ts";
import { readMetric, readStored } from "./support/stored.ts";

const classPath = inject("kafkaClassPath");
const CAN_RUN = classPath !== "" && HAS_POSTGRES;
const APPLICATIONS = 20;
/** `--small`, or all of it; see `run.ts`. */
const IS_SMALL = process.env["CLUSTER_SIZE"] === "small";
const EVENTS = IS_SMALL ? 50_000 : 500_000;
/** How often each part is killed. */
const TIMES = IS_SMALL ? 1 : 2;
const BETWEEN_KILLS_MILLIS = IS_SMALL ? 500 : 15_000;
const HOUR_MILLIS = 3_600_000;
/** Storing goes on as long as the count grows at least this often. */
const STANDSTILL_MILLIS = 120_000;
const TOPIC = "agent-events";

let kafka: KafkaCluster;
let postgres: PostgresServer;
beforeAll(async () => {
  if (!CAN_RUN) return;
  postgres = await startPostgres();
  kafka = await startKafka({ classPath });
  await kafka.createTopic(TOPIC, { partitions: 6 });
  await kafka.createTopic(`${TOPIC}-otlp`, { partitions: 6 });
  await kafka.createTopic(`${TOPIC}-dead`, { partitions: 1 });
});
afterAll(async () => {
  await kafka?.stop();
  await postgres?.stop();
});

/** Waits until all that was written to Kafka is stored. */
async function untilStored(consumers: readonly { readonly url: string }[], count: number) {
  let [stored, since] = [0, performance.now()];
  while (performance.now() - since < STANDSTILL_MILLIS) {
    const lags = await Promise.all(
      consumers.map(({ url }) => readMetric(url, "agent_monitor_platform_kafka_lag_records")),
    );
    const events = await readMetric(consumers[0]!.url, "agent_monitor_platform_events_total");
    if (lags.every((lag) => lag === 0) && (events ?? 0) >= count) return;
    if ((events ?? 0) > stored) [stored, since] = [events ?? 0, performance.now()];
    await pause(100);
  }
}

describe.skipIf(!CAN_RUN)("applications, gateways, Kafka, consumers, PostgreSQL, replicas", () => {
  it(
    "lose nothing that was promised, while each part is killed",
    { timeout: HOUR_MILLIS },
    async () => {
      const address = `kafka://${kafka.brokers.join(",")}/${TOPIC}`;
      const gateways = await Promise.all(
        [1, 2].map(() =>
          keepService((port) => ["gateway", "--listen", `:${port}`, "--to", address]),
        ),
      );
      const database = await postgres.createDatabase("platform");
      const toPlatform = (port: number) => [
        "platform",
        "--port",
        String(port),
        "--database",
        database,
      ];
      const consumers = await Promise.all(
        [1, 2].map(() => keepService((port) => [...toPlatform(port), "--from", address])),
      );
      const replicas = await Promise.all([1, 2].map(() => keepService(toPlatform)));
      const endReview = startReviewing(replicas.map(({ url }) => url));
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
        await pause(BETWEEN_KILLS_MILLIS);
        broken.push(name);
        await act();
      };
      const breakAll = async (): Promise<void> => {
        for (const [index, gateway] of gateways.entries())
          await breakPart(`gateway ${index}`, () => gateway.restart());
        for (const [index, consumer] of consumers.entries())
          await breakPart(`consumer ${index}`, () => consumer.restart());
        for (const [index, replica] of replicas.entries())
          await breakPart(`replica ${index}`, () => replica.restart());
        await breakPart("PostgreSQL", async () => {
          await postgres.kill();
          await pause(1000);
          await postgres.start();
        });
        for (const broker of kafka.brokers.keys())
          await breakPart(`broker ${broker}`, async () => {
            await kafka.settle();
            await kafka.kill(broker);
            await pause(1000);
            if (broker === 1) await kafka.wipe(broker);
            await kafka.start(broker);
          });
      };
      for (let time = 0; time < TIMES; time++) await breakAll();
      for (const application of applications.slice(0, APPLICATIONS / 2)) application.kill();
      await Promise.all(
        applications.slice(APPLICATIONS / 2).map(async (application) => {
          await application.reported("tracked", HOUR_MILLIS / 2, 2000);
          application.kill();
        }),
      );
      await inParallel([...spools.keys()], 4, (index) =>
        recover({ ...toMonitor(index), shutdownTimeout: HOUR_MILLIS / 6 }),
      );
      for (const spool of spools) expectEmptySpool(spool);
      const promised = applications.flatMap((application) => application.promised);
      await untilStored(consumers, promised.length);
      const comments = await endReview();
      const [replica] = replicas;
      const stored = await readStored(replica!.url);
      expectPromisesKept(stored, promised);
      expect(promised.length).toBeGreaterThan(EVENTS / 2);
      expect(comments.length).toBeGreaterThan(10);
      const kept = (await readComments(replica!.url)).filter((text) => text.startsWith("comment "));
      expect(kept).toEqual(comments);
      const verified = await runCommand(["verify", replica!.url]);
      expect(verified.out + verified.err).toMatch(/verified|intact|ok/i);
      expect(verified.code).toBe(0);
      for (const { url } of consumers)
        expect(await readMetric(url, "agent_monitor_platform_kafka_dead_letters_total")).toBe(0);
      const counts = `${promised.length} promised events and ${comments.length} decisions stored`;
      console.log(`${counts}; killed: ${broken.join(", ")}`);
      await Promise.all([...gateways, ...consumers, ...replicas].map((service) => service.end()));
    },
  );
});
