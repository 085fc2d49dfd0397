import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { type Gateway, startArchive, startGateway } from "../../src/platform/index.ts";
import { until } from "../faults/support/until.ts";
import { createChainWriter } from "../helpers/chained-batches.ts";
import { runCommand } from "../helpers/command.ts";
import { postBatch } from "../platform/helpers.ts";
import { type KafkaCluster, startKafka } from "./support/kafka-cluster.ts";
import { type S3Server, startS3 } from "./support/s3-server.ts";
import { type Service, startService } from "./support/service.ts";
import { readMetric } from "./support/stored.ts";

const classPath = inject("kafkaClassPath");
const s3Server = inject("s3Server");

const WRITERS = 8;
const BATCHES_EACH = 50;
const BATCHES = WRITERS * BATCHES_EACH;
/** So many objects are there when the archive is killed. */
const KILLED_AT = [BATCHES * 0.2, BATCHES * 0.5, BATCHES * 0.8];

let kafka: KafkaCluster;
let gateway: Gateway;
const directory = mkdtempSync(join(tmpdir(), "agent-monitor-archive-"));
const toAddress = (topic: string): string => `kafka://${kafka.brokers.join(",")}/${topic}`;
beforeAll(async () => {
  if (classPath !== "") kafka = await startKafka({ classPath, brokers: 1 });
});
afterAll(async () => {
  await kafka?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Bytes as they were sent, by the id of the batch. */
type Sent = ReadonlyMap<string, Buffer>;

/** Sends batches of several writers through a gateway, each writer's in order. */
async function sendBatches(topic: string): Promise<Sent> {
  for (const name of [topic, `${topic}-otlp`]) await kafka.createTopic(name, { partitions: 3 });
  gateway = await startGateway({ to: toAddress(topic), port: 0 });
  onTestFinished(() => gateway.close());
  const sent = new Map<string, Buffer>();
  const headers = { "content-encoding": "gzip" };
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      const writer = createChainWriter();
      for (let index = 0; index < BATCHES_EACH; index++) {
        const batch = writer.plan({ sequences: [index + 1] });
        // Spaces that no JSON of the gateway's own would have.
        const bytes = gzipSync(`${JSON.stringify(batch)}${" ".repeat(index % 3)}`);
        expect((await postBatch(gateway, bytes, { headers })).status).toBe(202);
        sent.set(batch.batchId, bytes);
      }
    }),
  );
  return sent;
}

function listFiles(root: string): string[] {
  if (!existsSync(root)) return [];
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  return names.map((name) => join(root, name)).filter((path) => statSync(path).isFile());
}

const listBatches = (root: string): string[] => listFiles(join(root, "batches"));

/** Counts the objects that an index names. */
function countIndexed(root: string): number {
  const lines = listFiles(join(root, "archive-index")).flatMap((path) =>
    readFileSync(path, "utf8").trimEnd().split("\n"),
  );
  return new Set(lines.map((line) => (JSON.parse(line) as { readonly object?: string }).object))
    .size;
}

function expectArchived(root: string, sent: Sent): void {
  const paths = listBatches(root);
  expect(paths).toHaveLength(sent.size);
  for (const path of paths) {
    const [id = "", sha256] = basename(path).split(".");
    const bytes = readFileSync(path);
    expect(bytes.equals(sent.get(id) ?? Buffer.alloc(0))).toBe(true);
    expect(sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
  }
}

async function expectVerified(root: string): Promise<void> {
  const { code, out, err } = await runCommand(["verify", root]);
  expect(out).toContain(`verified: ${BATCHES} batches, ${WRITERS} writers`);
  expect(out).toContain(`archive: verified: ${BATCHES} records, ${BATCHES} objects`);
  expect({ code, err }).toEqual({ code: 0, err: "" });
}

/** Starts archives, whose output has where they answer. */
const startOne = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  startService(["gateway", "archive", "--listen", ":0", ...args], env);

/** Runs an archive that is killed and started again, until all is there. */
async function archiveWhileKilled(start: () => Promise<Service>, root: string): Promise<void> {
  const count = (): number => listBatches(root).length;
  let archive = await start();
  for (const least of KILLED_AT) {
    await until(`${least} objects are there`, () => count() >= least, 120_000);
    await archive.kill();
    archive = await start();
  }
  await until("all is there", () => count() === BATCHES, 120_000);
  // One that was killed behind its objects has left them to the next one, which reads their records again.
  await until("the index has all", () => countIndexed(root) === BATCHES, 120_000);
  expect(await archive.end()).toBe(0);
}

describe.skipIf(classPath === "")("an archive in a directory", () => {
  it("has each batch once, as it came, however often the archive was killed", async () => {
    const sent = await sendBatches("to-directory");
    const root = join(directory, "archive");
    const start = () => startOne(["--from", toAddress("to-directory"), "--to", root]);
    const count = (): number => listBatches(root).length;
    // No index can be written: it is killed behind the objects, and before it acknowledges them.
    mkdirSync(root);
    writeFileSync(join(root, "archive-index"), "");
    const blocked = await start();
    await until("objects are there", () => count() > 0, 60_000);
    await until("it says so", () => blocked.output().includes("can't be written to"), 60_000);
    await blocked.kill();
    rmSync(join(root, "archive-index"));
    await archiveWhileKilled(start, root);
    expectArchived(root, sent);
    await expectVerified(root);
  });

  it("does not start without its topics", async () => {
    const options = { from: toAddress("missing"), to: join(directory, "nothing") };
    await expect(startArchive(options)).rejects.toThrow(/^archive: 127\.0\.0\.1:\d+: /);
    expect(existsSync(options.to)).toBe(false);
  });
});

describe.skipIf(classPath === "" || s3Server === "")("an archive in an S3-compatible store", () => {
  let s3: S3Server;
  const toEnvironment = (secret = s3.secretAccessKey) => ({
    AWS_ACCESS_KEY_ID: s3.accessKeyId,
    AWS_SECRET_ACCESS_KEY: secret,
    AWS_ENDPOINT_URL_S3: s3.endpoint,
  });
  beforeAll(async () => {
    s3 = await startS3(s3Server);
  });
  afterAll(() => s3?.stop());

  it("has each batch once, in one version, however often archive and store were killed", async () => {
    const topic = "to-s3";
    const sent = await sendBatches(topic);
    const from = toAddress(topic);
    const to = `s3://${s3.bucket}/of-a/bank`;
    const root = join(s3.directory, "of-a/bank");
    // While the store is away nothing is acknowledged.
    await s3.kill();
    const back = setTimeout(() => void s3.start(), 3000);
    onTestFinished(() => clearTimeout(back));
    const start = () => startOne(["--from", from, "--to", to], toEnvironment());
    await archiveWhileKilled(start, root);
    expectArchived(root, sent);
    await expectVerified(root);
    const batches = async () =>
      (await s3.listVersions()).filter((key) => key.includes("/batches/"));
    expect(new Set(await batches()).size).toBe(BATCHES);
    expect(await batches()).toHaveLength(BATCHES);

    // Another group takes all of it once more: nothing is written again.
    const { endpoint, accessKeyId, secretAccessKey } = s3;
    const access = { endpoint, accessKeyId, secretAccessKey };
    const again = await startArchive({ from, to, consumerGroup: "again", s3: access });
    onTestFinished(() => again.close());
    await until("all was taken again", () => again.stats().records === BATCHES, 60_000);
    expect(await batches()).toHaveLength(BATCHES);
  });

  it("acknowledges nothing where its credentials are wrong, and does not show them", async () => {
    const topic = "refused";
    const sent = await sendBatches(topic);
    const args = ["--from", toAddress(topic), "--to", `s3://${s3.bucket}/refused`];
    const start = (secret?: string) => startOne(args, toEnvironment(secret));
    const refused = await start("another secret");
    await until("it says why", () => refused.output().includes("SignatureDoesNotMatch"), 60_000);
    expect(refused.output()).toMatch(
      /^archive: batches\/first-bank\/\S+: status 403, SignatureDoesNotMatch$/m,
    );
    expect(refused.output()).not.toContain("another secret");
    await refused.end();
    const archive = await start();
    const root = join(s3.directory, "refused");
    await until("all is there", () => listBatches(root).length === sent.size, 60_000);
    const metric = (name: string) => readMetric(archive.url, `agent_monitor_archive_${name}`);
    await expect.poll(() => metric("records_total"), { timeout: 30_000 }).toBe(BATCHES);
    await expect.poll(() => metric("kafka_lag_records"), { timeout: 30_000 }).toBe(0);
    expect((await fetch(`${archive.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${archive.url}/readyz`)).status).toBe(200);
    await archive.end();
    expectArchived(root, sent);
  });
});
