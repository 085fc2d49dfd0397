import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { pause } from "./wait.ts";

const CONFIGURATIONS = join(import.meta.dirname, "../../examples/collector");
const READY_MILLIS = 30_000;
const POLL_MILLIS = 20;
/** Of what a collector says, the newest characters, for the message of a failure. */
const MAX_LOG_LENGTH = 16_384;
/** A collector says so when its receivers listen. */
const READY = "Everything is ready";

/** A collector of one configuration of `examples/collector`. */
export interface Collector {
  /** Base URL that it listens on without TLS, the same after a restart. */
  readonly url: string;
  /** The same without the scheme. */
  readonly address: string;
  /** What it has said last. */
  readonly log: string;
  /** Starts it and waits until it listens. @throws when it does not. */
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

/**
 * Prepares a collector; nothing runs before `start`.
 *
 * @param binary - Path of the collector.
 * @param configuration - Path of a file below `examples/collector`, which is used as it is.
 * @param environment - What the file asks for, except where to listen.
 */
export async function prepareCollector(
  binary: string,
  configuration: string,
  environment: Readonly<Record<string, string>>,
): Promise<Collector> {
  const port = await findFreePort();
  const address = `127.0.0.1:${port}`;
  let current: ChildProcess | undefined;
  const said = { log: "", isReady: false };
  const note = (chunk: Buffer): void => {
    said.log = (said.log + chunk.toString()).slice(-MAX_LOG_LENGTH);
    said.isReady ||= said.log.includes(READY);
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
    url: `http://${address}`,
    address,
    get log() {
      return said.log;
    },
    async start() {
      Object.assign(said, { log: "", isReady: false });
      // Metrics of the collector itself need a port of their own, which a test has no use for.
      const args = ["--config", configuration, "--set", "service::telemetry::metrics::level=none"];
      const child = spawn(binary, args, {
        cwd: CONFIGURATIONS,
        env: { ...process.env, ...environment, OTLP_LISTEN: address },
        stdio: ["ignore", "pipe", "pipe"],
      });
      current = child;
      running.add(child);
      child.stdout.on("data", note);
      child.stderr.on("data", note);
      child.on("error", (error) => note(Buffer.from(error.message)));
      for (const end = performance.now() + READY_MILLIS; !said.isReady;) {
        if (child.exitCode !== null || !child.pid || performance.now() > end) {
          await kill();
          throw new Error(`${configuration}: the collector does not listen: ${said.log}`);
        }
        await pause(POLL_MILLIS);
      }
    },
    kill,
  };
}
