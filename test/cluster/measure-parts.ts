/*
 * Measures what each part of a deployment takes for an event, for docs/scaling.md; `npx tsx test/cluster/measure-parts.ts`, behind
 * `npm run build` and before `npx oxfmt .ci && npm run docs:generate`, on a machine that does nothing else.
 *
 * Starts three brokers, PostgreSQL, gateways and platforms, and writes what they took to `.ci/docs/scaling/measured.json`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Client } from "pg";
import { startPlatform } from "../../src/platform/index.ts";
import { createBatch, createLoad, ORGANIZATION } from "../bench/platform-load.ts";
import { pause } from "../collector/wait.ts";
import { prepareKafka } from "./support/kafka-files.ts";
import { startKafka } from "./support/kafka-cluster.ts";
import { startPostgres } from "./support/postgres-server.ts";
import { readMetric } from "./support/stored.ts";

const COMMAND = join(import.meta.dirname, "../../dist/cli.js");
const RESULT = join(import.meta.dirname, "../../.ci/docs/scaling/measured.json");
const TOPIC = "agent-events";
/** Events of a small batch, the SDK's default, and of a large one: from both follows what a batch and what an event takes. */
const SIZES = [100, 500] as const;
const EVENTS = Number(process.env["MEASURE_EVENTS"] ?? 40_000);
const WARM_UP_EVENTS = 10_000;
const IN_FLIGHT = 8;
const SAMPLES = 200;
/** Of Linux, in every build for servers. */
const TICKS_PER_SECOND = 100;
const DECILES = 10;

/** CPU that a process has taken, with children that have ended, in ms. */
function readCpu(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return (ticks * 1000) / TICKS_PER_SECOND;
}

/** Lists the processes that a process has started. */
function findChildren(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        return Number(stat.split(") ")[1]?.split(" ")[1]) === parent;
      } catch {
        return false;
      }
    });
}

/** CPU of all processes of a server of PostgreSQL. */
function readPostgresCpu(postmaster: number): number {
  return [postmaster, ...findChildren(postmaster)].reduce((sum, pid) => sum + readCpu(pid), 0);
}

const running = new Set<{ kill(signal: "SIGKILL"): boolean }>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

async function startPart(args: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.add(child);
  const exited = once(child, "exit");
  const url = await new Promise<string>((resolve, reject) => {
    let out = "";
    child.stdout.on("data", (chunk: unknown) => {
      out = (out + String(chunk)).slice(-4000);
      const found = /endpoint +(\S+)\n/.exec(out)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exited.then(() => reject(new Error(`${args[0]} has ended: ${out}`)));
  });
  return {
    url,
    readCpu: () => readCpu(child.pid ?? 0),
    async end() {
      child.kill("SIGTERM");
      await exited;
      running.delete(child);
    },
  };
}

let made = 0;

/** Makes batches of events that nobody has sent before. */
function makeBatches(events: number, size: number): Buffer[] {
  const load = createLoad({ seed: ++made, findings: 0.02 });
  return Array.from({ length: Math.ceil(events / size) }, (_, batch) => {
    const conversations = Array.from({ length: size / 10 }, (__, index) =>
      load.createConversation(made * 1e6 + (batch * size) / 10 + index, Date.now() - 600_000),
    );
    return gzipSync(createBatch(`batch-${made}-${batch}`, Date.now(), conversations.flat()));
  });
}

async function post(url: string, body: Buffer): Promise<void> {
  const response = await fetch(`${url}/v1/batches`, {
    method: "POST",
    headers: {
      authorization: "Bearer key",
      "x-organization-id": ORGANIZATION,
      "content-type": "application/json",
      "content-encoding": "gzip",
    },
    body: new Uint8Array(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`a batch was answered ${response.status}: ${text}`);
}

async function send(url: string, bodies: readonly Buffer[]): Promise<void> {
  const left = bodies.values();
  const sendNext = async (): Promise<void> => {
    for (const body of left) await post(url, body);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, sendNext));
}

/** Sends one batch after the other, and returns the deciles of how long each took, in ms. */
async function findDeciles(url: string, bodies: readonly Buffer[]): Promise<number[]> {
  const times: number[] = [];
  for (const body of bodies) {
    const start = performance.now();
    await post(url, body);
    times.push(performance.now() - start);
  }
  times.sort((one, other) => one - other);
  return Array.from({ length: DECILES }, (_, decile) => {
    const middle = Math.floor(((decile + 0.5) / DECILES) * times.length);
    return Number((times[middle] ?? 0).toFixed(1));
  });
}

/** Counts the statements that a platform needs for a batch: each is a way to PostgreSQL and back, while nobody else writes. */
async function countStatements(database: string, size: number): Promise<number> {
  let count = 0;
  // Called with its client, below.
  const query = Reflect.get(Client.prototype, "query") as (...args: unknown[]) => unknown;
  const platform = await startPlatform({ port: 0, database });
  const bodies = makeBatches(10 * size, size);
  Reflect.set(Client.prototype, "query", function countQuery(this: Client, ...args: unknown[]) {
    count++;
    return Reflect.apply(query, this, args);
  });
  for (const body of bodies) await post(platform.url, body);
  Reflect.set(Client.prototype, "query", query);
  await platform.close();
  return Math.round(count / bodies.length);
}

async function waitForEvents(url: string, count: number): Promise<void> {
  for (;;) {
    const events = await readMetric(url, "agent_monitor_platform_events_total");
    if ((events ?? 0) >= count) return;
    await pause(50);
  }
}

/** CPU of an event, from that of many. */
const toMicros = (millis: number, events: number): number => Math.round((millis * 1000) / events);

const classPath = await prepareKafka();
const directory = mkdtempSync(join(tmpdir(), "agent-monitor-measure-"));
const kafka = await startKafka({ classPath });
const postgres = await startPostgres();
const postmaster = findPostmaster();

function findPostmaster(): number {
  const [found] = findChildren(process.pid).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("/bin/postgres"),
  );
  if (found === undefined) throw new Error("PostgreSQL has no process");
  return found;
}

/** What others did on the machine. */
const loadBefore = Number((loadavg()[0] ?? 0).toFixed(1));
const perSize: Record<string, unknown>[] = [];
try {
  for (const suffix of ["", "-otlp", "-dead"])
    await kafka.createTopic(TOPIC + suffix, { partitions: suffix === "-dead" ? 1 : 12 });
  const address = `kafka://${kafka.brokers.join(",")}/${TOPIC}`;
  const readBrokers = (): number => kafka.pids.reduce<number>((sum, pid) => sum + readCpu(pid!), 0);
  for (const size of SIZES) {
    const sqlite = await startPart([
      "platform",
      "--port",
      "0",
      "--db",
      join(directory, `${size}.db`),
    ]);
    await send(sqlite.url, makeBatches(WARM_UP_EVENTS, size));
    const sqliteBodies = makeBatches(EVENTS, size);
    const sqliteBefore = sqlite.readCpu();
    await send(sqlite.url, sqliteBodies);
    const onePlatform = toMicros(sqlite.readCpu() - sqliteBefore, EVENTS);
    await sqlite.end();

    const gateway = await startPart(["gateway", "--listen", ":0", "--to", address]);
    await send(gateway.url, makeBatches(WARM_UP_EVENTS, size));
    const bodies = makeBatches(EVENTS, size);
    const [gatewayBefore, brokersBefore] = [gateway.readCpu(), readBrokers()];
    await send(gateway.url, bodies);
    const passed = toMicros(gateway.readCpu() - gatewayBefore, EVENTS);
    const brokers = toMicros(readBrokers() - brokersBefore, EVENTS);
    const ackMillis = await findDeciles(gateway.url, makeBatches(SAMPLES * size, size));
    const sent = WARM_UP_EVENTS + EVENTS + SAMPLES * size;

    const name = `measure${size}`;
    const database = await postgres.createDatabase(name);
    const brokersThen = readBrokers();
    const postgresBefore = readPostgresCpu(postmaster);
    // The group reads what came for this size alone: those of the other size are read by it, too, and stored.
    const consumer = await startPart([
      "platform",
      "--port",
      "0",
      "--database",
      database,
      "--from",
      address,
      "--group",
      "measure",
    ]);
    await waitForEvents(consumer.url, sent);
    const stored = toMicros(consumer.readCpu(), sent);
    const postgresMicros = toMicros(readPostgresCpu(postmaster) - postgresBefore, sent);
    const brokersOut = toMicros(readBrokers() - brokersThen, sent);
    await consumer.end();

    const direct = await startPart(["platform", "--port", "0", "--database", database]);
    const writeMillis = await findDeciles(direct.url, makeBatches(SAMPLES * size, size));
    await direct.end();
    await gateway.end();
    perSize.push({
      size,
      micros: {
        onePlatform,
        gateway: passed,
        brokers: brokers + brokersOut,
        consumer: stored,
        postgres: postgresMicros,
      },
      statements: await countStatements(database, size),
      bytes: Math.round(bodies.reduce((sum, { length }) => sum + length, 0) / bodies.length),
      ackMillis,
      writeMillis,
    });
    console.log(JSON.stringify(perSize.at(-1)));
  }
  const machine = { cores: cpus().length, node: process.version, loadBefore };
  writeFileSync(RESULT, `${JSON.stringify({ machine, sizes: perSize }, undefined, 2)}\n`);
} finally {
  await postgres.stop();
  await kafka.stop();
  rmSync(directory, { recursive: true, force: true });
}
