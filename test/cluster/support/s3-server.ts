import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AwsClient } from "aws4fetch";
import { pause } from "../../collector/wait.ts";
import { findFreePorts } from "./free-ports.ts";

const READY_MILLIS = 30_000;
const POLL_MILLIS = 50;
const BUCKET = "archive";

/** An S3-compatible store on this machine, with one bucket whose objects have versions and may be locked. */
export interface S3Server {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Holds the newest version of each object as a file of its name. */
  readonly directory: string;
  /** Lists the keys of all versions, oftener those that have several. */
  listVersions(): Promise<readonly string[]>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and deletes its files. */
  stop(): Promise<void>;
}

/** Starts a server. @param program - From `prepareS3`. */
export async function startS3(program: string): Promise<S3Server> {
  const [port = 0] = await findFreePorts(1);
  const root = mkdtempSync(join(tmpdir(), "agent-monitor-s3-"));
  const folders = ["data", "versions", "facts"].map((name) => join(root, name));
  for (const folder of folders) mkdirSync(folder);
  const [data = "", versions = "", facts = ""] = folders;
  const endpoint = `http://127.0.0.1:${port}`;
  const keys = { accessKeyId: "archiver", secretAccessKey: "a secret of the archiver" };
  const client = new AwsClient({ ...keys, service: "s3", region: "us-east-1", retries: 0 });
  const request = async (method: string, path: string, headers = {}): Promise<Response> =>
    fetch(await client.sign(endpoint + path, { method, headers }));
  let child: ChildProcess | undefined;
  const killAtExit = (): void => void child?.kill("SIGKILL");
  process.once("exit", killAtExit);

  const isServing = async (): Promise<boolean> => {
    try {
      return (await request("GET", "/")).ok;
    } catch {
      return false;
    }
  };
  const start = async (): Promise<void> => {
    const posix = ["posix", "--versioning-dir", versions, "--sidecar", facts, data];
    child = spawn(program, ["--port", `127.0.0.1:${port}`, "--quiet", ...posix], {
      env: { ROOT_ACCESS_KEY: keys.accessKeyId, ROOT_SECRET_KEY: keys.secretAccessKey },
      stdio: "ignore",
    });
    for (const end = performance.now() + READY_MILLIS; !(await isServing());) {
      if (performance.now() > end) throw new Error("the S3 server does not serve");
      await pause(POLL_MILLIS);
    }
  };
  const kill = async (): Promise<void> => {
    const running = child;
    child = undefined;
    if (running?.exitCode !== null || running.signalCode !== null) return;
    running.kill("SIGKILL");
    await once(running, "close");
  };
  await start();
  const made = await request("PUT", `/${BUCKET}`, { "x-amz-bucket-object-lock-enabled": "true" });
  if (!made.ok) throw new Error(`the bucket can't be made: ${made.status} ${await made.text()}`);
  return {
    endpoint,
    bucket: BUCKET,
    ...keys,
    directory: join(data, BUCKET),
    async listVersions() {
      const text = await (await request("GET", `/${BUCKET}?versions&max-keys=1000`)).text();
      if (text.includes("<IsTruncated>true</IsTruncated>")) throw new Error("too many objects");
      return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = ""]) => key);
    },
    kill,
    start,
    async stop() {
      await kill();
      rmSync(root, { recursive: true, force: true });
      process.off("exit", killAtExit);
    },
  };
}
