import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SecureListener } from "./secure-listener.ts";
import { runProgram } from "../../helpers/run-program.ts";

const FORMAT_MILLIS = 60_000;
/** Of what a broker says, the newest characters, for the message of a failure. */
const MAX_LOG_LENGTH = 8192;
/** They start faster with one compiler, and need less memory with the plain collector. */
export const JAVA_FLAGS = [
  "-XX:TieredStopAtLevel=1",
  "-XX:+UseSerialGC",
  "-Djava.net.preferIPv4Stack=true",
  "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
  "-Dorg.slf4j.simpleLogger.showDateTime=true",
  "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
];

/** Where a broker listens: for clients and other brokers, as a controller, and for clients with credentials. */
export interface BrokerPorts {
  readonly broker: number;
  readonly controller: number;
  readonly secure: number;
}

/** What all brokers of a cluster have in common. */
export interface ClusterPlan {
  readonly classPath: string;
  readonly clusterId: string;
  /** Holds a folder for each broker. */
  readonly directory: string;
  readonly ports: readonly BrokerPorts[];
  /** Adds a listener with TLS and credentials. */
  readonly secure?: SecureListener;
}

/** One broker, which is a controller as well; nothing runs before `spawn`. */
export interface Broker {
  /** What Kafka calls it, from 1. */
  readonly nodeId: number;
  readonly port: number;
  /** Its process, as long as it runs. */
  readonly pid: number | undefined;
  /** What it has said last. */
  readonly log: string;
  /** Folder with all that it keeps. */
  readonly directory: string;
  /** Makes its folder ready: without this, Kafka does not start in it. */
  format(): Promise<void>;
  /** Starts its process, and waits for nothing. */
  spawn(): void;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Deletes all that it has kept. */
  deleteData(): void;
}

const running = new Set<ChildProcess>();
// Also of a run that is broken off.
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

const toDirectory = ({ directory }: ClusterPlan, index: number): string =>
  join(directory, `broker-${index}`);

function toListeners({ ports, secure }: ClusterPlan, index: number) {
  const { broker, controller, secure: securePort } = ports[index]!;
  const own = [`PLAINTEXT://127.0.0.1:${broker}`];
  if (secure) own.push(`${secure.name}://127.0.0.1:${securePort}`);
  const protocols = ["CONTROLLER:PLAINTEXT", "PLAINTEXT:PLAINTEXT"];
  if (secure) protocols.push(`${secure.name}:SASL_SSL`);
  return {
    listeners: [...own, `CONTROLLER://127.0.0.1:${controller}`].join(","),
    "advertised.listeners": own.join(","),
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": protocols.join(","),
    ...secure?.properties,
  };
}

function toProperties(plan: ClusterPlan, index: number): string {
  const { ports } = plan;
  const count = ports.length;
  const inSync = Math.min(2, count);
  const voters = ports.map((port, other) => `${other + 1}@127.0.0.1:${port.controller}`);
  const properties = {
    "process.roles": "broker,controller",
    "node.id": index + 1,
    "controller.quorum.voters": voters.join(","),
    ...toListeners(plan, index),
    // Not the folder itself, which may be a disk of its own.
    "log.dirs": join(toDirectory(plan, index), "log"),
    "auto.create.topics.enable": false,
    "unclean.leader.election.enable": false,
    "default.replication.factor": count,
    "min.insync.replicas": inSync,
    "offsets.topic.replication.factor": count,
    "offsets.topic.num.partitions": 4,
    "transaction.state.log.replication.factor": count,
    "transaction.state.log.min.isr": inSync,
    "transaction.state.log.num.partitions": 4,
    "share.coordinator.state.topic.replication.factor": count,
    "share.coordinator.state.topic.min.isr": inSync,
    "share.coordinator.state.topic.num.partitions": 1,
    "group.initial.rebalance.delay.ms": 0,
    "group.min.session.timeout.ms": 1000,
    // A killed broker is noticed after these instead of 9 s; much shorter, and a busy machine takes live ones for dead.
    "controller.quorum.fetch.timeout.ms": 1500,
    "broker.heartbeat.interval.ms": 500,
    "broker.session.timeout.ms": 3000,
    // As many threads as three brokers on two cores can use.
    "num.network.threads": 2,
    "num.io.threads": 4,
    "background.threads": 2,
    // It would be 128 MiB, half of the heap.
    "log.cleaner.dedupe.buffer.size": 2 * 1024 * 1024,
  };
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}

/** Prepares a broker of a cluster. */
export function prepareBroker(plan: ClusterPlan, index: number): Broker {
  const { classPath, clusterId, directory } = plan;
  const configuration = join(directory, `broker-${index}.properties`);
  writeFileSync(configuration, toProperties(plan, index));
  let current: ChildProcess | undefined;
  let log = "";
  const note = (text: string): void => {
    log = (log + text).slice(-MAX_LOG_LENGTH);
  };
  const isRunning = (): boolean => current?.exitCode === null && current.signalCode === null;
  return {
    nodeId: index + 1,
    port: plan.ports[index]!.broker,
    directory: toDirectory(plan, index),
    get pid() {
      return isRunning() ? current?.pid : undefined;
    },
    get log() {
      return log;
    },
    async format() {
      // In one word: an id may begin with a dash.
      const id = `--cluster-id=${clusterId}`;
      const format = ["kafka.tools.StorageTool", "format", id, "-c", configuration];
      const users = plan.secure?.formatArguments ?? [];
      const args = ["-Xmx128m", ...JAVA_FLAGS, "-cp", classPath, ...format, ...users];
      const options = { cwd: directory, timeoutMillis: FORMAT_MILLIS };
      const { code, stdout, stderr } = await runProgram("java", args, options);
      if (code !== 0) throw new Error(`the folder of a broker can't be made: ${stdout}${stderr}`);
    },
    spawn() {
      if (isRunning()) throw new Error(`broker ${index} is running`);
      const args = ["-Xmx256m", ...JAVA_FLAGS, "-cp", classPath, "kafka.Kafka", configuration];
      const child = spawn("java", args, { cwd: directory, stdio: ["ignore", "pipe", "pipe"] });
      current = child;
      running.add(child);
      child.stdout.on("data", (chunk: Buffer) => note(chunk.toString()));
      child.stderr.on("data", (chunk: Buffer) => note(chunk.toString()));
      child.on("error", (error) => note(error.message));
      child.on("close", () => running.delete(child));
    },
    async kill() {
      const child = current;
      current = undefined;
      if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "close");
    },
    deleteData() {
      if (isRunning()) throw new Error(`broker ${index} is running: its data can't be deleted`);
      rmSync(join(toDirectory(plan, index), "log"), { recursive: true, force: true });
    },
  };
}
