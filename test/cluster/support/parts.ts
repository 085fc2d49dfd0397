import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createBatch, createLoad, ORGANIZATION } from "../../bench/platform-load.ts";
import { pause } from "../../collector/wait.ts";
import type { KafkaCluster } from "./kafka-cluster.ts";
import { readMetric } from "./stored.ts";

/** The command, as it is installed. */
export const COMMAND = join(import.meta.dirname, "../../../dist/cli.js");
/** Events that are measured, and those before them. */
export const EVENTS = Number(process.env["MEASURE_EVENTS"] ?? 40_000);
export const WARM_UP_EVENTS = 10_000;
const TOPIC = "agent-events";
const IN_FLIGHT = 8;
/** Of Linux, in every build for servers. */
const TICKS_PER_SECOND = 100;

/** Creates the topics of gateways and consumers; returns their address. */
export async function createTopics(kafka: KafkaCluster): Promise<string> {
  for (const suffix of ["", "-otlp", "-dead"])
    await kafka.createTopic(TOPIC + suffix, { partitions: suffix === "-dead" ? 1 : 12 });
  return `kafka://${kafka.brokers.join(",")}/${TOPIC}`;
}

/** Reads the CPU that a process has taken, with children that have ended, in ms. */
export function readCpu(pid: number): number {
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

/** Finds the server of PostgreSQL that this process has started; returns what reads the CPU of all of its processes, in ms. */
export function createPostgresMeter(): () => number {
  const postmaster = findChildren(process.pid).find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("/bin/postgres"),
  );
  if (postmaster === undefined) throw new Error("PostgreSQL has no process");
  const read = (pid: number): number => {
    try {
      return readCpu(pid);
    } catch {
      // It has ended meanwhile: its CPU is its parent's from then on.
      return 0;
    }
  };
  return () => [...findChildren(postmaster), postmaster].reduce((sum, pid) => sum + read(pid), 0);
}

const running = new Set<{ kill(signal: "SIGKILL"): boolean }>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * Starts a program that prints where it listens.
 *
 * @param args - Of Node.js: a file and its arguments.
 */
export async function startPart(args: readonly string[]) {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  const exited = once(child, "exit");
  const url = await new Promise<string>((resolve, reject) => {
    let out = "";
    child.stdout.on("data", (chunk: unknown) => {
      out = (out + String(chunk)).slice(-4000);
      const found = /endpoint +(\S+)\n/.exec(out)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exited.then(() => reject(new Error(`${args.join(" ")} has ended: ${out}`)));
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
export function makeBatches(events: number, size: number): Buffer[] {
  const load = createLoad({ seed: ++made, findings: 0.02 });
  return Array.from({ length: Math.ceil(events / size) }, (_, batch) => {
    const conversations = Array.from({ length: size / 10 }, (__, index) =>
      load.createConversation(made * 1e6 + (batch * size) / 10 + index, Date.now() - 600_000),
    );
    return gzipSync(createBatch(`batch-${made}-${batch}`, Date.now(), conversations.flat()));
  });
}

/** Sends a batch. @throws unless it is accepted. */
export async function post(url: string, body: Buffer): Promise<void> {
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

/** Sends batches, some at a time. */
export async function send(url: string, bodies: readonly Buffer[]): Promise<void> {
  const left = bodies.values();
  const sendNext = async (): Promise<void> => {
    for (const body of left) await post(url, body);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, sendNext));
}

/** Waits until a platform has so many events; returns how many it has by then. */
export async function waitForEvents(url: string, count: number): Promise<number> {
  for (;;) {
    const events = await readMetric(url, "agent_monitor_platform_events_total");
    if (events !== undefined && events >= count) return events;
    await pause(50);
  }
}

/** Returns the CPU of an event in µs, from that of many in ms. */
export const toMicros = (millis: number, events: number): number =>
  Math.round((millis * 1000) / events);
