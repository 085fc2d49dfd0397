import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { measureBareInsert } from "./bare-insert.ts";
import { createBatch, createLoad, END, type LoadEvent, ORGANIZATION } from "./platform-load.ts";
import { startPlatformSide } from "./platform-process.ts";

const CONVERSATIONS = 5000;
/** Batches before those that are measured: a process that has just started is slower. */
const WARM_UP = 30;
const CONVERSATIONS_PER_BATCH = 50;
const IN_FLIGHT = 8;
const ROUNDS = 3;

/** A part of the load, and the batch in which it travels. */
interface Delivery {
  readonly events: readonly LoadEvent[];
  readonly body: Buffer;
}

function createDeliveries(): Delivery[] {
  const load = createLoad({ findings: 0.02 });
  const deliveries: Delivery[] = [];
  for (let first = 0; first < CONVERSATIONS; first += CONVERSATIONS_PER_BATCH) {
    const events = Array.from({ length: CONVERSATIONS_PER_BATCH }, (_, index) =>
      load.createConversation(first + index, END - 600_000),
    ).flat();
    deliveries.push({ events, body: gzipSync(createBatch(`batch-${first}`, END, events)) });
  }
  return deliveries;
}

function post(url: string, body: Buffer, agent: Agent): Promise<void> {
  const headers = {
    authorization: "Bearer key",
    "x-organization-id": ORGANIZATION,
    "content-type": "application/json",
    "content-encoding": "gzip",
    "content-length": body.length,
  };
  return new Promise((resolve, reject) => {
    request(`${url}/v1/batches`, { method: "POST", agent, headers }, (response) => {
      response.resume().on("end", () => {
        if (response.statusCode === 202) resolve();
        else reject(new Error(`bench: a batch was answered ${response.statusCode}`));
      });
    })
      .on("error", reject)
      .end(body);
  });
}

/** Sends bodies to a platform, so many at a time. */
export async function deliver(url: string, bodies: Iterable<Buffer>): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  const waiting = bodies[Symbol.iterator]();
  const send = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next())
      await post(url, next.value, agent);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, send));
  agent.destroy();
}

interface Run {
  readonly cpuMillis: number;
  readonly millis: number;
}

async function measurePlatform(database: string, deliveries: readonly Delivery[]): Promise<Run> {
  const side = await startPlatformSide({ database });
  const bodies = deliveries.map(({ body }) => body);
  await deliver(side.url, bodies.slice(0, WARM_UP));
  const before = await side.look();
  const start = performance.now();
  await deliver(side.url, bodies.slice(WARM_UP));
  const millis = performance.now() - start;
  const cpuMillis = (await side.look()) - before;
  await side.close();
  return { millis, cpuMillis };
}

/** Figures of the ingest; events in a second, and CPU of the platform alone. */
export interface IngestFigures {
  /** By the clock, with the sender on the same machine. */
  readonly eventsPerSecond: number;
  /** By the platform's own CPU time. */
  readonly eventsPerCpuSecond: number;
  /** CPU of the platform beside that of a bare insert of the same rows by the same driver. */
  readonly vsBareInsert: number;
  readonly micros: { readonly platform: number; readonly bare: number };
}

/** Measures the receiving of batches with gzip, checksum, validation and index, and a bare insert, in turn. */
export async function benchIngest(): Promise<IngestFigures> {
  const deliveries = createDeliveries();
  const directory = mkdtempSync(join(tmpdir(), "bench-ingest-"));
  const count = deliveries.slice(WARM_UP).reduce((sum, { events }) => sum + events.length, 0);
  const runs: Run[] = [];
  const bare: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      runs.push(await measurePlatform(join(directory, `platform-${round}.db`), deliveries));
      const file = join(directory, `bare-${round}.db`);
      bare.push(
        await measureBareInsert(
          file,
          deliveries.map(({ events }) => events),
          WARM_UP,
        ),
      );
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
  const cpuMillis = Math.min(...runs.map((run) => run.cpuMillis));
  const millis = Math.min(...runs.map((run) => run.millis));
  const bareMillis = Math.min(...bare);
  return {
    eventsPerSecond: Math.round((count / millis) * 1000),
    eventsPerCpuSecond: Math.round((count / cpuMillis) * 1000),
    vsBareInsert: cpuMillis / bareMillis,
    micros: { platform: (cpuMillis / count) * 1000, bare: (bareMillis / count) * 1000 },
  };
}
