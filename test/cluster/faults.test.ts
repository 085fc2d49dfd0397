import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { type KafkaAccess, startGateway, startPlatform } from "../../src/platform/index.ts";
import { mountDisk, type MountedDisk } from "../faults/support/mounted-disk.ts";
import { createAuthority } from "../helpers/certificates.ts";
import { type Finished, runCommand } from "../helpers/command.ts";
import { createBatch, get, type JsonObject, postBatch } from "../platform/helpers.ts";
import { type KafkaCluster, startKafka } from "./support/kafka-cluster.ts";
import { startLoad } from "./support/load.ts";
import { type Service, startService } from "./support/service.ts";
import { readMetric, readStored } from "./support/stored.ts";

const classPath = inject("kafkaClassPath");
const TOPIC = "faults";
const SHARED = "shared";
const PARTITIONS = 6;
const DISK = "96m";

const directory = mkdtempSync(join(tmpdir(), "agent-monitor-cluster-"));
const disks: MountedDisk[] = [];
const unmountAll = (): void => {
  for (const disk of disks.splice(0)) disk.unmount();
};
let kafka: KafkaCluster;
/** Those of the brokers' listeners that ask for certificates and credentials. */
let secure: NonNullable<KafkaCluster["secure"]>;
let gateway: Service;
let platform: Service;
/** Of all tests, whatever became of it. */
const acknowledged: string[] = [];

const toAddress = (brokers: readonly string[], topic = TOPIC): string =>
  `kafka://${brokers.join(",")}/${topic}`;

function writeAccess(name: string, access: KafkaAccess): string {
  const path = join(directory, `${name}.json`);
  writeFileSync(path, JSON.stringify(access));
  return path;
}

beforeAll(async () => {
  if (classPath === "") return;
  // Before the files are deleted, also where the tests are broken off.
  process.prependOnceListener("exit", unmountAll);
  kafka = await startKafka({
    classPath,
    isSecure: true,
    onDirectory(path) {
      const disk = mountDisk(path, DISK);
      if (disk) disks.push(disk);
    },
  });
  secure = kafka.secure!;
  for (const topic of [TOPIC, SHARED])
    for (const name of [topic, `${topic}-otlp`, `${topic}-dead`])
      await kafka.createTopic(name, { partitions: name === topic ? PARTITIONS : 1 });
  const own = ["--kafka", writeAccess("right", secure.access)];
  const address = toAddress(secure.brokers);
  gateway = await startService(["gateway", "--listen", ":0", "--to", address, ...own]);
  const database = join(directory, "platform.db");
  platform = await startService(
    ["platform", "--port", "0", "--db", database, "--from", address].concat(own),
  );
});
afterAll(async () => {
  await Promise.all([gateway?.kill(), platform?.kill()]);
  unmountAll();
  process.off("exit", unmountAll);
  await kafka?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Waits until the platform has all that was acknowledged, and expects it to be there once. */
async function expectStored(): Promise<void> {
  const count = () => readMetric(platform.url, "agent_monitor_platform_events_total");
  await expect.poll(count, { timeout: 60_000 }).toBe(acknowledged.length);
  const { eventIds } = await readStored(platform.url);
  expect(eventIds.toSorted()).toEqual(acknowledged.toSorted());
}

/** Sends a batch until it is acknowledged. */
async function deliver(side: { readonly url: string }, batch: JsonObject): Promise<void> {
  const send = async () => (await postBatch(side, batch)).status;
  await expect.poll(send, { timeout: 30_000 }).toBe(202);
  const events = batch["events"] as readonly { readonly eventId: string }[];
  acknowledged.push(...events.map(({ eventId }) => eventId));
}

/** Runs both commands with wrong credentials. */
async function runRefused(): Promise<readonly Finished[]> {
  const { tls, sasl } = secure.access;
  const wrong = { tls, sasl: { ...sasl, password: "another-password" } };
  const own = ["--kafka", writeAccess("wrong", wrong)];
  const address = toAddress(secure.brokers);
  const commands = [
    ["gateway", "--listen", ":0", "--to", address],
    ["platform", "--port", "0", "--from", address],
  ];
  return Promise.all(commands.map((command) => runCommand([...command, ...own])));
}

describe.skipIf(classPath === "")("brokers that ask for certificates and credentials", () => {
  it.each(["SCRAM-SHA-512", "PLAIN"] as const)(
    "take and give with right ones: %s",
    async (mechanism) => {
      const { tls, sasl } = secure.access;
      const own = { tls, sasl: { ...sasl, mechanism } };
      const other = await startGateway({ to: toAddress(secure.brokers), kafka: own, port: 0 });
      onTestFinished(() => other.close());
      // A coordinator may still be on its way.
      await deliver(other, createBatch());
      await expectStored();
    },
  );

  it("refuse others, and who asks says what is wrong in one line, without what it was given", async () => {
    const { tls, sasl } = secure.access;
    const password = "another-password";
    const stranger = createAuthority("Another authority");
    const toSecure = toAddress(secure.brokers);
    const toPlain = toAddress(kafka.brokers);
    const cases: [string, KafkaAccess, RegExp][] = [
      [
        toSecure,
        { tls, sasl: { ...sasl, password } },
        /a user and a password .* got SASL_AUTHENTICATION_FAILED$/,
      ],
      [
        toSecure,
        { tls, sasl: { ...sasl, mechanism: "PLAIN", password } },
        /got SASL_AUTHENTICATION_FAILED$/,
      ],
      [
        toSecure,
        { tls, sasl: { ...sasl, username: "another-user" } },
        /got SASL_AUTHENTICATION_FAILED$/,
      ],
      [toSecure, { tls, sasl: { ...sasl, mechanism: "SCRAM-SHA-256" } }, /a mechanism in sasl/],
      [
        toSecure,
        { tls: { ca: tls.ca }, sasl },
        /tls with a certificate and a key that the brokers/,
      ],
      [
        toSecure,
        { tls: { ...tls, ...stranger.issue("client") }, sasl },
        /tls with a certificate and a key that the brokers/,
      ],
      [
        toSecure,
        { tls: { ...tls, ca: stranger.cert }, sasl },
        /a certificate of the authority in tls\.ca/,
      ],
      [toSecure, { tls }, /brokers that answer, with tls and sasl as they ask/],
      [toSecure, { sasl }, /brokers that answer, with tls and sasl as they ask/],
      [toSecure, {}, /brokers that answer, with tls and sasl as they ask/],
      [toPlain, { tls, sasl }, /brokers that answer, with tls and sasl as they ask/],
      [toPlain, { sasl }, /expected no sasl/],
    ];
    const whole =
      /^gateway: 127\.0\.0\.1:\d+,127\.0\.0\.1:\d+,127\.0\.0\.1:\d+: expected .*, got [\w ,/]+$/;
    const refused = runRefused();
    await Promise.all(
      cases.map(async ([to, own, expected]) => {
        const said = await startGateway({ to, kafka: own, port: 0 }).then(
          () => "has started",
          (error: Error) => error.message,
        );
        expect(said).toMatch(expected);
        expect(said).toMatch(whole);
        expect(said).not.toMatch(/another-|gateway-user|password-of|BEGIN/);
      }),
    );
    for (const { code, out, err } of await refused) {
      expect(code).toBe(1);
      expect(err).toMatch(/^[^\n]*expected a user and a password[^\n]*\n$/);
      expect(out + err).not.toMatch(/another-password/);
    }
  });
});

const toNode = (number: number): number => (number % 3) + 1;

/** Has partitions led and kept by others, as whoever runs a cluster does, and waits until they are. */
async function reassign(topic: string, toReplicas: (partition: number) => readonly number[]) {
  const partitions = Array.from({ length: PARTITIONS }, (_, partition) => ({
    topic,
    partition,
    replicas: toReplicas(partition),
  }));
  const plan = join(directory, "plan.json");
  writeFileSync(plan, JSON.stringify({ version: 1, partitions }));
  const server = ["--bootstrap-server", kafka.brokers.join(",")];
  const command = "org.apache.kafka.tools.reassign.ReassignPartitionsCommand";
  const run = (action: string) =>
    kafka.runTool(command, [...server, "--reassignment-json-file", plan, action]);
  await run("--execute");
  await expect.poll(() => run("--verify"), { timeout: 60_000 }).not.toMatch(/still in progress/);
}

/** Has partitions led by the first of their replicas. */
async function elect(): Promise<void> {
  const server = ["--bootstrap-server", kafka.brokers.join(",")];
  const election = ["--election-type", "preferred", "--all-topic-partitions"];
  await kafka.runTool("org.apache.kafka.tools.LeaderElectionCommand", [...server, ...election]);
}

describe.skipIf(classPath === "")("partitions that are moved while batches flow", () => {
  it("lose nothing that was acknowledged, and nothing is stored twice", async () => {
    const load = startLoad(gateway.url);
    // A replica less, by which some lose their leader, then all of them, led by another.
    await reassign(TOPIC, (partition) => [toNode(partition), toNode(partition + 1)]);
    await reassign(TOPIC, (partition) => [2, 0, 1].map((other) => toNode(partition + other)));
    await elect();
    await load.stop();
    console.log(
      `${load.acknowledged.length} events while moved; refused: ${[...load.refused].join(" ")}`,
    );
    acknowledged.push(...load.acknowledged);
    expect([...load.refused].filter((status) => status !== 503)).toEqual([]);
    await expectStored();
  });
});

/** Writes to a disk until it is full; returns what gives the space back. */
function fill({ path }: MountedDisk): () => void {
  const ballast = join(path, "ballast");
  const file = openSync(ballast, "w");
  for (let bytes = 1 << 20; bytes > 0; bytes >>= 1) {
    try {
      for (;;) writeSync(file, Buffer.alloc(bytes));
    } catch {
      // Smaller ones may still fit.
    }
  }
  closeSync(file);
  return () => rmSync(ballast);
}

describe.skipIf(classPath === "")("a broker whose disk is full", () => {
  it("ends; while too few are left nothing is acknowledged, and all is well once there is space", async (context) => {
    // Only root may mount.
    if (disks.length === 0) return context.skip("no right to mount");
    const load = startLoad(gateway.url);
    const advance = async (): Promise<void> => {
      const before = load.acknowledged.length;
      await expect
        .poll(() => load.acknowledged.length, { timeout: 60_000 })
        .toBeGreaterThan(before);
    };
    await advance();
    const empties: (() => void)[] = [];
    for (const broker of [0, 1]) {
      empties.push(fill(disks[broker]!));
      await expect.poll(() => kafka.pids[broker], { timeout: 60_000 }).toBeUndefined();
      if (broker === 0) await advance();
    }
    const refused = createBatch();
    const { status, headers, body } = await postBatch(gateway, refused);
    expect(status).toBe(503);
    expect(headers.get("retry-after")).toBe("5");
    expect(body).toMatchObject({ code: "unavailable" });
    for (const empty of empties) empty();
    await Promise.all([kafka.start(0), kafka.start(1)]);
    await advance();
    await load.stop();
    // The leader may have it: who was refused sends it again.
    await deliver(gateway, refused);
    console.log(
      `${load.acknowledged.length} events while full; refused: ${[...load.refused].join(" ")}`,
    );
    acknowledged.push(...load.acknowledged);
    expect([...load.refused]).toEqual([503]);
    expect((await get(gateway, "/readyz")).status).toBe(200);
    await kafka.settle();
    await expectStored();
  });
});

describe.skipIf(classPath === "")("two platforms of one group", () => {
  it("share the partitions, and one takes those of the other when that dies", async () => {
    const address = toAddress(kafka.brokers, SHARED);
    const own = await startGateway({ to: address, port: 0 });
    onTestFinished(() => own.close());
    const databases = ["first", "second"].map((name) => join(directory, `${name}.db`));
    const [first, second] = await Promise.all(
      databases.map((database) =>
        startService(["platform", "--port", "0", "--db", database, "--from", address]),
      ),
    );
    onTestFinished(async () => {
      await first!.kill();
      await second!.kill();
    });
    const load = startLoad(own.url);
    for (const { url } of [first!, second!]) {
      const taken = () => readMetric(url, "agent_monitor_platform_kafka_records_total");
      await expect.poll(taken, { timeout: 60_000 }).toBeGreaterThan(20);
    }
    await first!.kill();
    const before = load.acknowledged.length;
    await expect
      .poll(() => load.acknowledged.length, { timeout: 60_000 })
      .toBeGreaterThan(before + 100);
    await load.stop();
    const left = await startPlatform({ database: databases[0]!, port: 0 });
    onTestFinished(() => left.close());
    const { eventIds: kept } = await readStored(left.url);
    expect(kept.length).toBeGreaterThan(0);
    const findMissing = async (): Promise<string[]> => {
      const { eventIds } = await readStored(second!.url);
      const stored = new Set([...kept, ...eventIds]);
      return load.acknowledged.filter((id) => !stored.has(id));
    };
    await expect.poll(findMissing, { timeout: 60_000, interval: 500 }).toEqual([]);
    const { eventIds } = await readStored(second!.url);
    expect(eventIds.length).toBe(
      await readMetric(second!.url, "agent_monitor_platform_events_total"),
    );
    expect(new Set([...kept, ...eventIds])).toEqual(new Set(load.acknowledged));
  });
});
