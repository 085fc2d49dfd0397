/*
 * Measures what Kafka costs a gateway, and storing a consumer, each beside the least that it can be; `npm run bench` runs it behind its
 * other measurements, and takes the last line. On a machine of two cores brokers, gateway and database share these: so by CPU.
 */
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { startKafka } from "./support/kafka-cluster.ts";
import { prepareKafka } from "./support/kafka-files.ts";
import {
  COMMAND,
  createPostgresMeter,
  createTopics,
  EVENTS,
  makeBatches,
  send,
  startPart,
  toMicros,
  waitForEvents,
  WARM_UP_EVENTS,
} from "./support/parts.ts";
import { startPostgres } from "./support/postgres-server.ts";

const GATEWAY = join(import.meta.dirname, "../.bench/gateway-side.js");
const SIZE = 500;
/** The tables of an event: its row, its JSON, its words. */
const COPIED = ["event", "body", "message"];

const round = (figure: number): number => Math.round(figure * 100) / 100;

/** Measures the CPU of a gateway, µs for an event. */
async function measureGateway(address: string): Promise<number> {
  const gateway = await startPart([GATEWAY, ...(address === "" ? [] : [address])]);
  await send(gateway.url, makeBatches(WARM_UP_EVENTS, SIZE));
  const bodies = makeBatches(EVENTS, SIZE);
  const before = gateway.readCpu();
  await send(gateway.url, bodies);
  const micros = toMicros(gateway.readCpu() - before, EVENTS);
  await gateway.end();
  return micros;
}

/** Runs work, and returns what it took by the clock and by a meter, in ms. */
async function measure(readCpu: () => number, work: () => Promise<unknown>) {
  const [before, start] = [readCpu(), performance.now()];
  await work();
  return { millis: performance.now() - start, cpu: readCpu() - before };
}

/** Where the server writes what is copied. */
const toFile = (table: string): string => join(tmpdir(), `agent-monitor-${table}.copy`);

/** Measures `COPY` of what a database has into tables with the same columns, keys and indexes. */
async function measureCopy(database: string, readPostgres: () => number) {
  const client = new Client({ connectionString: database });
  await client.connect();
  await client.query("CREATE SCHEMA twin");
  for (const table of COPIED) {
    await client.query(`CREATE TABLE twin.${table} (LIKE public.${table} INCLUDING ALL)`);
    await client.query(`COPY public.${table} TO '${toFile(table)}'`);
  }
  const copy = await measure(readPostgres, async () => {
    for (const table of COPIED) await client.query(`COPY twin.${table} FROM '${toFile(table)}'`);
  });
  await client.end();
  for (const table of COPIED) rmSync(toFile(table));
  return copy;
}

const kafka = await startKafka({ classPath: await prepareKafka() });
const postgres = await startPostgres();
try {
  const address = await createTopics(kafka);
  const withKafka = await measureGateway(address);
  const discarding = await measureGateway("");

  const database = await postgres.createDatabase("ratios");
  const readPostgres = createPostgresMeter();
  const count = WARM_UP_EVENTS + EVENTS;
  const args = ["platform", "--port", "0", "--database", database, "--from", address];
  const consumer = await startPart([COMMAND, ...args]);
  // Many are stored at a time: it has more by then.
  const begun = await waitForEvents(consumer.url, WARM_UP_EVENTS);
  const stored = await measure(
    () => readPostgres() + consumer.readCpu(),
    () => waitForEvents(consumer.url, count),
  );
  await consumer.end();
  const copy = await measureCopy(database, readPostgres);
  const perSecond = (events: number, millis: number): number =>
    Math.round((events * 1000) / millis);
  const rates = {
    consumer: perSecond(count - begun, stored.millis),
    copy: perSecond(count, copy.millis),
  };
  const micros = {
    consumerAndPostgres: toMicros(stored.cpu, count - begun),
    copy: toMicros(copy.cpu, count),
  };
  process.stdout.write(
    `gateway       ${round(discarding / withKafka)} of one that discards (aim 0.7), by CPU: ${withKafka} us an event beside ${discarding}\n` +
      `consumer      ${round(rates.consumer / rates.copy)} of COPY (aim 0.4): ${rates.consumer} events/s beside ${rates.copy}; ` +
      `by CPU ${micros.consumerAndPostgres} us an event beside ${micros.copy}\n`,
  );
  const figures = {
    "gateway.vsDiscard": round(discarding / withKafka),
    "consumer.vsCopy": round(rates.consumer / rates.copy),
    "consumer.eventsPerSecond": rates.consumer,
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
} finally {
  await postgres.stop();
  await kafka.stop();
}
