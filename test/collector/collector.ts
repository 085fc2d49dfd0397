import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { pause } from "./wait.ts";

const CONFIGURATIONS = join(import.meta.dirname, "../../examples/collector");
const READY_MILLIS = 30_000;
const POLL_MILLIS = 20;
/** Of what a collector says, the newest characters, for the message of a failure. */
const MAX_LOG_LENGTH = 8192;

/** A collector of one configuration of `examples/collector`. */
export interface Collector {
  /** Base URL that it listens on, the same after a restart. */
  readonly url: string;
  /** Starts it and waits until it answers. @throws when it does not. */
  start(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

/** Finds a port on which nobody listens. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const running = new Set<ChildProcess>();
// Also of a run that is broken off.
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Sends what holds nothing: the answer tells that the whole pipeline is there. */
async function isReady(url: string): Promise<boolean> {
  try {
    const headers = { "content-type": "application/json" };
    return (await fetch(`${url}/v1/logs`, { method: "POST", headers, body: "{}" })).ok;
  } catch {
    return false;
  }
}

/**
 * Prepares a collector; nothing runs before `start`.
 *
 * @param binary - Path of the collector.
 * @param configuration - Name of a file of `examples/collector`, which is used as it is.
 * @param environment - What the file asks for, except where to listen.
 */
export async function prepareCollector(
  binary: string,
  configuration: string,
  environment: Readonly<Record<string, string>>,
): Promise<Collector> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  let current: ChildProcess | undefined;
  let log = "";
  const note = (chunk: Buffer): void => {
    log = (log + chunk.toString()).slice(-MAX_LOG_LENGTH);
  };
  const kill = async (): Promise<void> => {
    const child = current;
    current = undefined;
    if (child) running.delete(child);
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "close");
  };
  return {
    url,
    async start() {
      // Metrics of the collector itself need a port of their own, which a test has no use for.
      const args = ["--config", configuration, "--set", "service::telemetry::metrics::level=none"];
      const child = spawn(binary, args, {
        cwd: CONFIGURATIONS,
        env: { ...process.env, ...environment, OTLP_LISTEN: `127.0.0.1:${port}` },
        stdio: ["ignore", "pipe", "pipe"],
      });
      current = child;
      running.add(child);
      child.stdout.on("data", note);
      child.stderr.on("data", note);
      child.on("error", (error) => note(Buffer.from(error.message)));
      for (const end = performance.now() + READY_MILLIS; !(await isReady(url));) {
        if (child.exitCode !== null || !child.pid || performance.now() > end) {
          await kill();
          throw new Error(`${configuration}: the collector does not answer: ${log}`);
        }
        await pause(POLL_MILLIS);
      }
    },
    kill,
  };
}
