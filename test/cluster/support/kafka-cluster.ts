import { Admin } from "@platformatic/kafka";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pause } from "../../collector/wait.ts";
import { findFreePorts } from "./free-ports.ts";
import { runProgram } from "../../helpers/run-program.ts";
import { prepareSecureListener, type SecureListener } from "./secure-listener.ts";
import { type Broker, type ClusterPlan, JAVA_FLAGS, prepareBroker } from "./kafka-broker.ts";
import { readClusterView, type ClusterView } from "./kafka-metadata.ts";

const READY_MILLIS = 90_000;
const POLL_MILLIS = 50;
const TOOL_MILLIS = 60_000;

/** What a cluster is started with. */
export interface ClusterOptions {
  /** From `prepareKafka`. */
  readonly classPath: string;
  /** @defaultValue 3 */
  readonly brokers?: number;
  /** Whether it listens for clients with TLS and credentials as well. */
  readonly isSecure?: boolean;
  /** Called with the folder of each broker before anything is in it. */
  readonly onDirectory?: (directory: string) => void;
}

/** A cluster of Apache Kafka on this machine; a broker is named by its index in `brokers`. */
export interface KafkaCluster {
  /** host:port of each broker on 127.0.0.1, the same after a restart. */
  readonly brokers: readonly string[];
  /** Listeners that ask for credentials; absent where they were not wanted. */
  readonly secure:
    | (Pick<SecureListener, "access"> & { readonly brokers: readonly string[] })
    | undefined;
  /** Folder of each broker, with all that it keeps. */
  readonly directories: readonly string[];
  /** Processes of the brokers; nothing for one that is down. */
  readonly pids: readonly (number | undefined)[];
  /** Creates a topic with a replica on each broker, two of which must be in sync; waits until all that run know it. */
  createTopic(name: string, options: { readonly partitions: number }): Promise<void>;
  /** Runs a command of those who run a cluster, by its class; returns what it has written. @throws when it fails. */
  runTool(name: string, args: readonly string[]): Promise<string>;
  /** Ends a broker as a power cut would. */
  kill(index: number): Promise<void>;
  /**
   * Starts a broker again and waits until it serves; it may still lack records that others have.
   *
   * @throws when it does not: a broker needs a majority of the brokers, so that two of three are started together.
   */
  start(index: number): Promise<void>;
  /**
   * Deletes what a broker has kept, which must be down. Nothing acknowledged is lost when `settle` was awaited before
   * it was killed, and no other is down.
   */
  wipe(index: number): Promise<void>;
  /** Waits until each replica on a broker that runs is in sync, internal topics included. @throws when they are not. */
  settle(): Promise<void>;
  /** Ends all brokers and deletes their files. */
  stop(): Promise<void>;
}

/** What must be so of a broker's view, for a wait to end. */
type Condition = (view: ClusterView, broker: Broker) => boolean;

async function waitFor(what: string, broker: Broker, isSo: Condition): Promise<void> {
  for (const end = performance.now() + READY_MILLIS; ; await pause(POLL_MILLIS)) {
    const view = await readClusterView(broker.port);
    if (view && isSo(view, broker)) return;
    if (broker.pid === undefined || performance.now() > end) {
      const state = broker.pid === undefined ? "has ended" : `runs for ${READY_MILLIS / 1000} s`;
      throw new Error(`not so: ${what}; broker ${broker.nodeId} ${state}: ${broker.log}`);
    }
  }
}

/** A broker lists itself when the controllers have admitted it. */
const serves: Condition = ({ brokers }, { nodeId }) =>
  brokers.some((broker) => broker.nodeId === nodeId);

const isInSync: Condition = ({ topics }, { nodeId }) =>
  topics.every(({ partitions }) => partitions.every(({ isrNodes }) => isrNodes.includes(nodeId)));

function hasLeaders(topic: string, partitions: number): Condition {
  return ({ topics }) => {
    const found = topics.find(({ name }) => name === topic)?.partitions ?? [];
    return found.length === partitions && found.every(({ leaderId }) => leaderId > 0);
  };
}

async function planCluster({
  classPath,
  brokers: count = 3,
  isSecure = false,
}: ClusterOptions): Promise<ClusterPlan> {
  const ports = await findFreePorts(3 * count);
  const directory = mkdtempSync(join(tmpdir(), "agent-monitor-kafka-"));
  return {
    classPath,
    // Kafka's form of a UUID.
    clusterId: randomBytes(16).toString("base64url"),
    directory,
    ports: Array.from({ length: count }, (_, index) => ({
      broker: ports[3 * index]!,
      controller: ports[3 * index + 1]!,
      secure: ports[3 * index + 2]!,
    })),
    ...(isSecure && { secure: prepareSecureListener(directory) }),
  };
}

async function runTool(
  { classPath, directory }: ClusterPlan,
  name: string,
  own: readonly string[],
) {
  const args = ["-Xmx128m", ...JAVA_FLAGS, "-cp", classPath, name, ...own];
  const options = { cwd: directory, timeoutMillis: TOOL_MILLIS };
  const { code, stdout, stderr } = await runProgram("java", args, options);
  if (code !== 0) throw new Error(`${name} has failed: ${stdout}${stderr}`);
  return stdout;
}

async function createTopic(
  all: readonly Broker[],
  topic: string,
  partitions: number,
): Promise<void> {
  const up = all.filter(({ pid }) => pid !== undefined);
  const admin = new Admin({
    clientId: "cluster",
    bootstrapBrokers: up.map(({ port }) => ({ host: "127.0.0.1", port })),
  });
  const configs = [{ name: "min.insync.replicas", value: String(Math.min(2, all.length)) }];
  try {
    await admin.createTopics({ topics: [topic], partitions, replicas: all.length, configs });
  } finally {
    await admin.close();
  }
  // One that does not know it yet would refuse its first records.
  const knows = hasLeaders(topic, partitions);
  await Promise.all(up.map((broker) => waitFor(`it knows topic ${topic}`, broker, knows)));
}

/**
 * Starts a cluster in KRaft mode, where each broker is a controller as well, and waits until all of them serve.
 * Brokers that are left over are killed at the exit of this process.
 *
 * @throws when it does not start.
 */
export async function startKafka(options: ClusterOptions): Promise<KafkaCluster> {
  const plan = await planCluster(options);
  const removeFiles = (): void => rmSync(plan.directory, { recursive: true, force: true });
  // Also of a run that is broken off. Brokers are killed before: their module was loaded first.
  process.once("exit", removeFiles);
  const all = plan.ports.map((_, index) => prepareBroker(plan, index));
  const at = (index: number): Broker => {
    const broker = all[index];
    if (!broker)
      throw new RangeError(`expected a broker from 0 to ${all.length - 1}, got ${index}`);
    return broker;
  };
  const start = async (broker: Broker): Promise<void> => {
    broker.spawn();
    await waitFor("it serves", broker, serves);
  };
  const cluster: KafkaCluster = {
    brokers: all.map(({ port }) => `127.0.0.1:${port}`),
    secure: plan.secure && {
      brokers: plan.ports.map(({ secure }) => `127.0.0.1:${secure}`),
      access: plan.secure.access,
    },
    directories: all.map(({ directory }) => directory),
    get pids() {
      return all.map(({ pid }) => pid);
    },
    runTool: (name, args) => runTool(plan, name, args),
    createTopic: (name, { partitions }) => createTopic(all, name, partitions),
    kill: (index) => at(index).kill(),
    start: (index) => start(at(index)),
    async wipe(index) {
      at(index).deleteData();
      await at(index).format();
    },
    async settle() {
      const up = all.filter(({ pid }) => pid !== undefined);
      await Promise.all(up.map((broker) => waitFor("all is in sync", broker, isInSync)));
    },
    async stop() {
      await Promise.all(all.map((broker) => broker.kill()));
      removeFiles();
      process.off("exit", removeFiles);
    },
  };
  try {
    for (const { directory } of all) options.onDirectory?.(directory);
    await Promise.all(all.map((broker) => broker.format()));
    await Promise.all(all.map(start));
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
