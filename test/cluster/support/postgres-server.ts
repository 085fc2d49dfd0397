import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "../../faults/support/until.ts";
import { findFreePorts } from "./free-ports.ts";

const run = promisify(execFile);

const DEBIAN = "/usr/lib/postgresql";
const DEADLINE_MILLIS = 60_000;

/** Finds the programs of PostgreSQL: Debian keeps them out of the path. */
function findPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  return versions
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(DEBIAN, version, "bin"))
    .find((directory) => existsSync(join(directory, "initdb")));
}

/** PostgreSQL refuses to run as root: Debian has a user for it. */
function findUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((each) => each.startsWith("postgres:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid === undefined || gid === undefined ? {} : { uid: Number(uid), gid: Number(gid) };
}

/** Whether a server can be started here. */
export const HAS_POSTGRES = findPrograms() !== undefined;

/** A server of PostgreSQL of this test's own, on loopback. */
export interface PostgresServer {
  /** Its address, without a database. */
  readonly url: string;
  /** Creates an empty database and returns its address. */
  createDatabase(name: string): Promise<string>;
  /** Ends the server as SIGKILL does, with all its connections. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server whose files go when it stops. @param more - Settings, as `fsync=off`. */
export async function startPostgres(more: readonly string[] = []): Promise<PostgresServer> {
  const programs = findPrograms();
  if (programs === undefined)
    throw new Error("PostgreSQL is not installed: apt-get install postgresql");
  const user = findUser();
  const directory = mkdtempSync(join(tmpdir(), "agent-monitor-postgres-"));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid);
  const data = join(directory, "data");
  const login = ["--username=bank", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"];
  await run(join(programs, "initdb"), ["-D", data, "--no-sync", ...login], user);
  const [port = 0] = await findFreePorts(1);
  const base = `postgres://bank@127.0.0.1:${port}`;
  let server: ChildProcess | undefined;

  const ask = (sql: string) =>
    run(join(programs, "psql"), ["--no-psqlrc", "-qAt", "-d", `${base}/postgres`, "-c", sql]);
  const start = async (): Promise<void> => {
    const settings = [`port=${port}`, "listen_addresses=127.0.0.1", "max_connections=300"];
    const options = [...settings, `unix_socket_directories=${directory}`, ...more];
    const flags = options.flatMap((option) => ["-c", option]);
    const launch = () =>
      spawn(join(programs, "postgres"), ["-D", data, ...flags], { ...user, stdio: "ignore" });
    server = launch();
    const isUp = async () => {
      // Its port and memory are in use as long as processes of the one before end.
      if (server && server.exitCode !== null) server = launch();
      return ask("SELECT 1").then(
        () => true,
        () => false,
      );
    };
    await until("PostgreSQL answers", isUp, DEADLINE_MILLIS);
  };
  const end = async (signal: "SIGINT" | "SIGKILL"): Promise<void> => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  };
  await start();
  return {
    url: base,
    start,
    kill: () => end("SIGKILL"),
    async createDatabase(name) {
      await ask(`CREATE DATABASE "${name}"`);
      return `${base}/${name}`;
    },
    async stop() {
      await end("SIGINT");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
