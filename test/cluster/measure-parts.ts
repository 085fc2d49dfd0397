/*
 * Measures what each part of a deployment takes for an event, for docs/scaling.md; `npx tsx test/cluster/measure-parts.ts`, behind
 * `npm run build` and before `npx oxfmt .ci && npm run docs:generate`, on a machine that does nothing else.
 *
 * Starts three brokers, PostgreSQL, gateways and platforms, and writes what they took to `.ci/docs/scaling/measured.json`.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { startPlatform } from "../../src/platform/index.ts";
import { pause } from "../collector/wait.ts";
import { prepareKafka } from "./support/kafka-files.ts";
import { startKafka } from "./support/kafka-cluster.ts";
import {
  COMMAND,
  createPostgresMeter,
  createTopics,
  EVENTS,
  makeBatches,
  post,
  readCpu,
  send,
  startPart,
  toMicros,
  waitForEvents,
  WARM_UP_EVENTS,
} from "./support/parts.ts";
import { startPostgres } from "./support/postgres-server.ts";

const RESULT = join(import.meta.dirname, "../../.ci/docs/scaling/measured.json");
/** Events of a small batch, the SDK's default, and of a large one: from both follows what a batch and what an event takes. */
const SIZES = [100, 500] as const;
const SAMPLES = 200;
const DECILES = 10;

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

/** Longer than anything that is done between two statements. */
const DELAY_MILLIS = 20;

/**
 * Counts how often a platform waits for PostgreSQL with a batch: a way there and back each, while nobody else writes. It does not wait for
 * statements whose outcome it does not need; answers are delayed, so that those are under way when the next is sent.
 */
async function countRoundTrips(database: string, size: number): Promise<number> {
  let [count, underWay] = [0, 0];
  // Called with its client, below.
  const query = Reflect.get(Client.prototype, "query") as (...args: unknown[]) => unknown;
  const platform = await startPlatform({ port: 0, database });
  const bodies = makeBatches(10 * size, size);
  Reflect.set(Client.prototype, "query", function countQuery(this: Client, ...args: unknown[]) {
    const outcome = Reflect.apply(query, this, args);
    // What is read before the lock has a function to call.
    if (!(outcome instanceof Promise)) return outcome;
    if (underWay++ === 0) count++;
    return outcome.finally(() => pause(DELAY_MILLIS)).finally(() => underWay--);
  });
  for (const body of bodies) await post(platform.url, body);
  Reflect.set(Client.prototype, "query", query);
  await platform.close();
  return Math.round(count / bodies.length);
}

const classPath = await prepareKafka();
const directory = mkdtempSync(join(tmpdir(), "agent-monitor-measure-"));
const kafka = await startKafka({ classPath });
const postgres = await startPostgres();
const readPostgres = createPostgresMeter();

/** What others did on the machine. */
const loadBefore = Number((loadavg()[0] ?? 0).toFixed(1));
const perSize: Record<string, unknown>[] = [];
try {
  const address = await createTopics(kafka);
  const readBrokers = (): number => kafka.pids.reduce<number>((sum, pid) => sum + readCpu(pid!), 0);
  for (const size of SIZES) {
    const sqlite = await startPart([
      COMMAND,
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

    const gateway = await startPart([COMMAND, "gateway", "--listen", ":0", "--to", address]);
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
    const postgresBefore = readPostgres();
    // The group reads what came for this size alone: those of the other size are read by it, too, and stored.
    const consumer = await startPart([
      COMMAND,
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
    const postgresMicros = toMicros(readPostgres() - postgresBefore, sent);
    const brokersOut = toMicros(readBrokers() - brokersThen, sent);
    await consumer.end();

    const direct = await startPart([COMMAND, "platform", "--port", "0", "--database", database]);
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
      roundTrips: await countRoundTrips(database, size),
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
