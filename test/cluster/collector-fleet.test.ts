import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  afterAll,
  beforeAll,
  describe,
  expect,
  inject,
  it,
  onTestFailed,
  onTestFinished,
} from "vitest";
import {
  type Gateway,
  type Platform,
  startGateway,
  startPlatform,
} from "../../src/platform/index.ts";
import { type Collector, prepareCollector } from "../collector/collector.ts";
import { writeCertificates } from "../collector/configurations.ts";
import { findCollector } from "../collector/find-collector.ts";
import { CREDENTIALS } from "../collector/receiver.ts";
import { pause } from "../collector/wait.ts";
import { type KafkaCluster, startKafka } from "./support/kafka-cluster.ts";
import { keepService } from "./support/service.ts";
import { readMetric, readStored, readTraceIds } from "./support/stored.ts";
import { startTelemetryApplication } from "./support/telemetry-application.ts";

const classPath = inject("kafkaClassPath");
const collectorPath = classPath === "" ? undefined : await findCollector();
const binary = collectorPath ?? "";
const POLL_MILLIS = 200;
/** A count that stays as it is for this long will not grow. */
const QUIET_MILLIS = 60_000;
/** Of traffic before and between what is killed. */
const TRAFFIC_MILLIS = 1000;

let kafka: KafkaCluster;
let certificates: Record<string, string>;
const directory = mkdtempSync(join(tmpdir(), "agent-monitor-fleet-"));
beforeAll(async () => {
  if (collectorPath === undefined) return;
  certificates = writeCertificates(directory);
  kafka = await startKafka({ classPath, brokers: 1 });
});
afterAll(async () => {
  await kafka?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Waits until a count is reached, as long as it grows: how fast it does is up to the machine. */
async function untilReached(wanted: number, count: () => number | Promise<number>): Promise<void> {
  let last = await count();
  for (let quiet = 0; last < wanted && quiet < QUIET_MILLIS; quiet += POLL_MILLIS) {
    await pause(POLL_MILLIS);
    const now = await count();
    if (now !== last) quiet = 0;
    last = now;
  }
}

/** A platform that is not killed, and how many spans came to it again. */
interface Store {
  readonly platform: Platform;
  readonly countDuplicates: () => number;
}

async function startStore(options: { from?: string }): Promise<Store> {
  let duplicates = 0;
  const ignore = (): void => undefined;
  const info = (message: string): void => {
    duplicates += Number(/(\d+) duplicates?/.exec(message)?.[1] ?? 0);
  };
  const logger = { debug: ignore, info, warn: ignore, error: ignore };
  const platform = await startPlatform({ port: 0, logger, ...options });
  onTestFinished(() => platform.close());
  return { platform, countDuplicates: () => duplicates };
}

/** Starts a gateway in front of a platform, which has no TLS of its own. */
async function startSecureGateway({ platform }: Store): Promise<Gateway> {
  const read = (name: string): string => readFileSync(certificates[name] ?? "", "utf8");
  const tls = {
    ca: read("OTLP_CA_FILE"),
    cert: read("OTLP_CERT_FILE"),
    key: read("OTLP_KEY_FILE"),
  };
  const gateway = await startGateway({ to: platform.url, port: 0, tls });
  onTestFinished(() => gateway.close());
  return gateway;
}

/** Starts a collector of the fleet, with a certificate and a disk of its own. */
async function startCollector(
  name: string,
  configuration: string,
  environment: Readonly<Record<string, string>>,
): Promise<Collector> {
  const collector = await prepareCollector(binary, `fleet/${configuration}`, {
    ...certificates,
    OTLP_QUEUE_DIRECTORY: join(directory, name),
    KAFKA_BROKERS: JSON.stringify(kafka.brokers),
    // These brokers are on this machine.
    KAFKA_PLAINTEXT: "true",
    AGENT_MONITOR_API_KEY: CREDENTIALS.apiKey,
    AGENT_MONITOR_ORGANIZATION_ID: CREDENTIALS.organizationId,
    ...environment,
  });
  onTestFinished(() => collector.kill());
  onTestFailed(() => console.log(`${name}: ${collector.log}`));
  await collector.start();
  return collector;
}

const toAddress = (url: string): string => new URL(url).host;

/** Ends it as a power cut would, leaves it away for a moment, and starts it again. */
async function restart(collector: Collector): Promise<void> {
  await collector.kill();
  await pause(TRAFFIC_MILLIS);
  await collector.start();
}

/**
 * Lets an application send while parts are killed, then send all of it once more, and holds what is stored against
 * what was acknowledged to it.
 */
async function expectEachOnce(
  name: string,
  agent: Collector,
  store: Store,
  kills: readonly (() => Promise<void>)[],
): Promise<void> {
  const application = startTelemetryApplication(name, agent.url);
  onTestFinished(() => application.close());
  const killAll = async (): Promise<void> => {
    await pause(TRAFFIC_MILLIS);
    for (const kill of kills) {
      await kill();
      await pause(TRAFFIC_MILLIS);
    }
  };
  await application.run(killAll());
  const { spans, messages } = application;
  const { platform } = store;
  await untilReached(spans.length, async () => (await platform.stats()).spans);
  const found = await readTraceIds(platform.url);
  const missing = spans.filter(({ traceId }) => !found.has(traceId));
  expect(missing, `of ${spans.length} spans`).toEqual([]);
  expect((await platform.stats()).spans).toBe(spans.length);
  const before = store.countDuplicates();
  await application.repeat();
  await untilReached(before + spans.length, store.countDuplicates);
  expect(store.countDuplicates() - before).toBeGreaterThanOrEqual(spans.length);
  await untilReached(messages.length, async () => (await platform.stats()).events);
  const stored = await readStored(platform.url);
  expect(stored.ids.toSorted()).toEqual(messages.toSorted());
  expect((await platform.stats()).spans).toBe(spans.length);
  console.log(`${name}: ${spans.length} spans acknowledged and stored once, ${before} came again`);
}

describe.skipIf(collectorPath === undefined)("a fleet of Collectors", () => {
  it("brings each event once to a platform behind gateways and Kafka, whichever part is killed", async () => {
    const topic = "fleet-events";
    for (const suffix of ["", "-otlp", "-dead"])
      await kafka.createTopic(`${topic}${suffix}`, { partitions: 3 });
    const address = `kafka://${kafka.brokers.join(",")}/${topic}`;
    const store = await startStore({ from: address });
    const organizations = join(directory, "organizations.json");
    const { organizationId, apiKey } = CREDENTIALS;
    writeFileSync(organizations, JSON.stringify([{ organizationId, key: apiKey }]));
    const { OTLP_CA_FILE = "", OTLP_CERT_FILE = "", OTLP_KEY_FILE = "" } = certificates;
    const tls = ["--tls-cert", OTLP_CERT_FILE, "--tls-key", OTLP_KEY_FILE];
    const access = ["--client-ca", OTLP_CA_FILE, "--organizations", organizations];
    const own = await keepService((port) => [
      "gateway",
      "--listen",
      `:${port}`,
      "--to",
      address,
      ...tls,
      ...access,
    ]);
    onTestFinished(async () => void (await own.end()));
    const OTLP_PLATFORM_ADDRESS = toAddress(own.url);
    const first = await startCollector("gateway-1", "gateway.yaml", { OTLP_PLATFORM_ADDRESS });
    const second = await startCollector("gateway-2", "gateway.yaml", { OTLP_PLATFORM_ADDRESS });
    const agent = await startCollector("agent-1", "agent.yaml", {
      OTLP_GATEWAY_ADDRESS_1: first.address,
      OTLP_GATEWAY_ADDRESS_2: second.address,
    });
    await expectEachOnce("gateways", agent, store, [
      () => own.restart(),
      () => restart(first),
      () => restart(agent),
    ]);
    const lag = "agent_monitor_platform_kafka_lag_records";
    await expect.poll(() => readMetric(store.platform.url, lag), { timeout: QUIET_MILLIS }).toBe(0);
  });

  it("shares traces out by their ids: while one gateway is away, its own wait on the disk of the agent", async () => {
    const store = await startStore({});
    const own = await startSecureGateway(store);
    const OTLP_PLATFORM_ADDRESS = toAddress(own.url);
    const first = await startCollector("gateway-3", "gateway.yaml", { OTLP_PLATFORM_ADDRESS });
    const second = await startCollector("gateway-4", "gateway.yaml", { OTLP_PLATFORM_ADDRESS });
    const agent = await startCollector("agent-3", "agent.yaml", {
      OTLP_GATEWAY_ADDRESS_1: first.address,
      OTLP_GATEWAY_ADDRESS_2: second.address,
    });
    const application = startTelemetryApplication("shares", agent.url);
    onTestFinished(() => application.close());
    await first.kill();
    await application.run(pause(TRAFFIC_MILLIS));
    const { spans } = application;
    const ofSecond = spans.filter(({ traceId }) => /[89a-f]$/.test(traceId));
    expect(ofSecond.length).toBeLessThan(spans.length);
    const stored = async () => (await store.platform.stats()).spans;
    await untilReached(ofSecond.length, stored);
    expect(await stored()).toBe(ofSecond.length);
    await first.start();
    await untilReached(spans.length, stored);
    expect(await stored()).toBe(spans.length);
  });

  it("brings each event once through Kafka between Collectors, whichever of them is killed", async () => {
    const topics = { KAFKA_TRACES_TOPIC: "fleet-traces", KAFKA_LOGS_TOPIC: "fleet-logs" };
    for (const topic of Object.values(topics)) await kafka.createTopic(topic, { partitions: 3 });
    const store = await startStore({});
    const own = await startSecureGateway(store);
    const reader = await startCollector("from-kafka", "from-kafka.yaml", {
      ...topics,
      OTLP_PLATFORM_ADDRESS: toAddress(own.url),
    });
    const writer = await startCollector("to-kafka", "to-kafka.yaml", topics);
    const agent = await startCollector("agent-2", "agent.yaml", {
      OTLP_GATEWAY_ADDRESS_1: writer.address,
      OTLP_GATEWAY_ADDRESS_2: writer.address,
    });
    await expectEachOnce("kafka", agent, store, [() => restart(reader), () => restart(writer)]);
  });
});
