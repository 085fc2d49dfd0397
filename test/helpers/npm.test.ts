import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { npmInstall, writeManifest } from "./npm.ts";
import { runProgram } from "./run-program.ts";

const TIMEOUT_MILLIS = 120_000;

let directory: string;
let server: Server | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-npm-"));
});
afterEach(() => {
  vi.restoreAllMocks();
  server?.close();
  server?.closeAllConnections();
  server = undefined;
  rmSync(directory, { recursive: true, force: true });
});

/** Packs a package that holds nothing. */
async function packNothing(): Promise<Buffer> {
  const source = join(directory, "source");
  writeManifest(source, { name: "nothing", version: "1.0.0" });
  const options = { cwd: source, timeoutMillis: TIMEOUT_MILLIS };
  const packed = await runProgram("npm", ["pack", "--silent"], options);
  expect(packed.code, packed.stderr).toBe(0);
  return readFileSync(join(source, "nothing-1.0.0.tgz"));
}

type Answer = (response: ServerResponse, tarball: Buffer) => void;

/** Starts a registry of one package; `toAnswer` may do something else with the request of a path and a number. */
async function startRegistry(toAnswer: (path: string, number: number) => Answer | undefined) {
  const tarball = await packNothing();
  const requests: string[] = [];
  const started = createServer(({ url = "" }, response) => {
    requests.push(url);
    const number = requests.filter((path) => path === url).length;
    const answer = toAnswer(url, number);
    if (answer) answer(response, tarball);
    else if (url.endsWith(".tgz")) response.end(tarball);
    else response.end(JSON.stringify(toPackument(address)));
  }).listen(0, "127.0.0.1");
  server = started;
  await once(started, "listening");
  const address = `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
  const cache = join(directory, "cache");
  // Shorter than what `npmInstall` sets, since the command line comes first.
  const flags = [`--registry=${address}`, `--cache=${cache}`, "--fetch-timeout=1000"];
  return { requests, flags };
}

const toPackument = (address: string): object => ({
  name: "nothing",
  "dist-tags": { latest: "1.0.0" },
  versions: {
    "1.0.0": {
      name: "nothing",
      version: "1.0.0",
      dist: { tarball: `${address}/nothing/-/nothing-1.0.0.tgz` },
    },
  },
});

function toApp(): string {
  const app = join(directory, "app");
  writeManifest(app, { dependencies: { nothing: "1.0.0" } });
  return app;
}

const hang: Answer = () => undefined;
const breakOff: Answer = (response, tarball) => {
  response.writeHead(200, { "content-length": tarball.length });
  response.write(tarball.subarray(0, 10));
};

describe("npm install", () => {
  it(
    "asks a registry again that does not answer, or not to the end",
    async () => {
      const { flags, requests } = await startRegistry((path, number) => {
        if (number > 1) return undefined;
        return path.endsWith(".tgz") ? breakOff : hang;
      });
      vi.spyOn(console, "error").mockReturnValue();
      const app = toApp();
      await npmInstall(app, process.execPath, flags);
      const installed = readFileSync(join(app, "node_modules/nothing/package.json"), "utf8");
      expect(JSON.parse(installed)).toMatchObject({ name: "nothing", version: "1.0.0" });
      expect(requests.filter((path) => path.endsWith(".tgz"))).toHaveLength(2);
    },
    TIMEOUT_MILLIS,
  );

  it(
    "is not tried again where the registry has said no",
    async () => {
      const { flags, requests } = await startRegistry(() => (response) => {
        response.writeHead(404).end("{}");
      });
      await expect(npmInstall(toApp(), process.execPath, flags)).rejects.toThrow(/E404/);
      expect(requests).toEqual(["/nothing"]);
    },
    TIMEOUT_MILLIS,
  );
});

describe("a program", () => {
  it("that does not heed a signal is ended at its deadline", async () => {
    const deaf =
      'process.on("SIGTERM", () => {}); console.log("deaf"); setInterval(() => {}, 1e3);';
    const options = { cwd: directory, timeoutMillis: 3000 };
    const result = await runProgram(process.execPath, ["-e", deaf], options);
    expect(result).toEqual({
      code: -1,
      isLate: true,
      stdout: "deaf\n",
      stderr: "not at its end after 3 s",
    });
  });
});
