import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createBatchEncoder } from "../../src/delivery/batch-sender.ts";
import { VERSION } from "../../src/version.ts";
import { findTestKey, toEncryption } from "../helpers/keys.ts";
import { runCommand } from "../helpers/command.ts";
import { startChildPlatform } from "./child-platform.ts";
import { createBatch, get, postBatch } from "./helpers.ts";

it("prints its version and its help", async () => {
  expect(await runCommand(["--version"])).toMatchObject({ code: 0, out: `${VERSION}\n` });
  expect((await runCommand(["--help"])).out).toMatch(/Commands:\n {2}dev /);
  expect(await runCommand(["dev", "--help"])).toMatchObject({
    code: 0,
    out: expect.stringContaining("--organization <id>") as string,
  });
});

it.each([
  [["deev"], /unknown command "deev": did you mean dev\?/],
  [["sppol", "ls"], /unknown command "sppol": did you mean spool\?/],
  [
    ["serve"],
    /unknown command "serve": expected dev, platform, gateway, review, .*, spool, doctor\n/,
  ],
  [["--verison"], /unknown option "--verison": did you mean --version\?/],
  [["dev", "--prot", "1"], /unknown option --prot: did you mean --port\?/],
  [["dev", "--prot=1"], /unknown option --prot: did you mean --port\?/],
  [["dev", "--otlpport", "1"], /unknown option --otlpport: did you mean --otlp-port\?/],
  [["dev", "--hlep"], /unknown option --hlep: did you mean --help\?/],
  [["dev", "--colour"], /unknown option --colour\n/],
  [["dev", "-p", "1"], /unknown option -p\n/],
  [["dev", "--port"], /argument missing/],
  [
    ["check", "x.jsonl", "--fial-on", "never"],
    /unknown option --fial-on: did you mean --fail-on\?/,
  ],
  [["verify", "x.jsonl", "--expectlast", "a"], /did you mean --expect-last\?/],
  [["doctor", "--urk", "x"], /unknown option --urk: did you mean --url\?/],
  [["spool", "redrve", "x"], /unknown command "redrve": did you mean redrive\?/],
  [
    ["spool", "frobnicate", "x"],
    /spool: unknown command "frobnicate": expected ls, redrive, adopt/,
  ],
  [["spool", "show", "x"], /spool show is now: agent-monitor spool ls <dir> with --writer/],
  [["spool", "export", "x"], /spool export is now: agent-monitor spool redrive <dir> --to-file/],
  [["spool", "adopt", "x", "--writr", "y"], /unknown option --writr: did you mean --writer\?/],
  [["dev", "--port", "many"], /--port must be 0 to 65535 \(got many\)/],
  [["dev", "--otlp-port", "-1"], /--otlp-port/],
  [["dev", "extra"], /extra/],
  [["dev", "--port", "0", "--port", "1"], /--port stands twice/],
  [["dev", "--db", "a", "--db=b"], /--db stands twice/],
  [["verify", "x.jsonl", "--organization", "bank"], /--organization is for the URL of a platform/],
  [
    ["verify", "x.jsonl", "--api-key", "k"],
    /--api-key is for the URL of a platform, not for x.jsonl/,
  ],
  [["verify", "x.jsonl", "--spool-key", "k"], /--spool-key: the file can't be read \(ENOENT\)/],
  [["dev", "--key", "hunter2"], /--key must be <id>=<file>\n/],
  [["dev", "--signing-key", "s1="], /--signing-key must be <id>=<file>\n/],
])("ends with 2 and says what is wrong: %j", async (args, message) => {
  const { code, err } = await runCommand(args);
  expect(err).toMatch(message);
  expect(code).toBe(2);
});

it("ends with 1 when it can't start", async () => {
  const { code, err } = await runCommand(["dev", "--host", "0.0.0.0"]);
  expect(err).toBe(
    "agent-monitor: platform: host 0.0.0.0 can be reached from other machines and therefore needs an apiKey\n",
  );
  expect(code).toBe(1);
});

it.each([
  [["--db", "/proc/self/platform.db"], /can't open the database \/proc\/self\/platform\.db/],
  [["--db", "/tmp"], /\/tmp is a directory, expected a file \(EISDIR\)/],
  [["--db", "/etc/hostname/platform.db"], /\/etc\/hostname is a file, expected a directory/],
])("says why a database can't be opened: %j", async (args, message) => {
  const { code, err } = await runCommand(["dev", "--port", "0", ...args]);
  expect(err).toMatch(message);
  expect(err.trim().split("\n")).toHaveLength(1);
  expect(code).toBe(1);
});

it("says where the data is, and that it is lost without a file", async () => {
  const inMemory = await startChildPlatform();
  expect(inMemory.output()).toMatch(
    /data +in memory, lost when this ends; keep it with --db <file>/,
  );
  await inMemory.end("SIGTERM");
  const file = join(directory, "kept", "platform.db");
  const kept = await startChildPlatform(["--db", file]);
  expect(kept.output()).toContain(`data      ${file}\n`);
  await kept.end("SIGTERM");
});

it.each(["SIGINT", "SIGTERM"] as const)("runs the platform until %s", async (signal) => {
  const child = await startChildPlatform();
  expect((await postBatch(child, createBatch())).status).toBe(202);
  expect((await get(child, "/api/stats")).body).toMatchObject({ batches: 1, events: 1 });
  expect(child.output()).toMatch(/batch \S+: 1 accepted, 0 duplicates, 0 rejected/);
  expect(await child.end(signal)).toBe(0);
});

it("takes OpenTelemetry data on a port of its own as well", async () => {
  const child = await startChildPlatform(["--otlp-port", "0"]);
  await expect.poll(() => child.output()).toMatch(/otlp +http:\S+\n/);
  const otlpUrl = /otlp +(\S+)\n/.exec(child.output())?.[1] ?? "";
  expect(otlpUrl).not.toBe(child.url);
  const spans = [{ traceId: "1".repeat(32), spanId: "2".repeat(16) }];
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
  for (const url of [otlpUrl, child.url]) {
    const headers = { "content-type": "application/json" };
    expect((await fetch(`${url}/v1/traces`, { method: "POST", headers, body })).status).toBe(200);
  }
  expect((await get(child, "/api/stats")).body).toMatchObject({ spans: 1 });
  expect(child.output()).toMatch(/spans: 1 accepted, 0 duplicates, 0 rejected/);
  expect(await child.end("SIGTERM")).toBe(0);
});

it("prints the address of the viewer with its token, and never the key", async () => {
  const child = await startChildPlatform([
    "--api-key",
    "very-secret",
    "--organization",
    "first-bank",
  ]);
  expect(child.output()).toMatch(/viewer +http:\S+\/#token=\S+/);
  expect((await postBatch(child, createBatch())).status).toBe(401);
  expect(child.output()).not.toContain("very-secret");
  await child.end("SIGTERM");
});

it("takes the key from the environment, as command lines can be read by others", async () => {
  const key = { AGENT_MONITOR_PLATFORM_API_KEY: "very-secret" };
  const child = await startChildPlatform([], key);
  expect((await postBatch(child, createBatch())).status).toBe(401);
  const headers = { authorization: "Bearer very-secret" };
  expect((await postBatch(child, createBatch(), { headers })).status).toBe(202);
  expect(child.output()).not.toContain("very-secret");
  await child.end("SIGTERM");
  const both = await runCommand(["dev", "--port", "0", "--api-key", "another"], {
    env: { ...process.env, ...key },
  });
  expect(both.err).toMatch(/--api-key and AGENT_MONITOR_PLATFORM_API_KEY are both given/);
  expect(both.code).toBe(2);
});

const directory = mkdtempSync(join(tmpdir(), "agent-monitor-keys-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function writeKey(name: string, text: string): string {
  const file = join(directory, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

it("refuses the key of a spool where there is none", async () => {
  const file = writeKey("spool.key", "a shared secret of more than 32 bytes");
  const { code, err } = await runCommand(["verify", "LICENSE", "--spool-key", file]);
  expect(err).toMatch(/--spool-key is for a spool directory, and LICENSE is none/);
  expect(code).toBe(2);
});

it("decrypts with the keys it is given", async () => {
  const keys = ["RSA", "direct"].map((name) => findTestKey(name));
  const child = await startChildPlatform(
    keys.flatMap(({ name, receiver }) => [
      "--key",
      `${name}=${writeKey(`${name}.key`, `${receiver[0]}\n`)}`,
    ]),
  );
  for (const key of keys) {
    const batch = createBatch();
    const encryption = toEncryption(key, key.name);
    const { headers, body } = await createBatchEncoder({ compression: "gzip", encryption }).encode(
      {
        batchId: batch["batchId"] as string,
        body: Buffer.from(JSON.stringify(batch)),
        compression: "gzip",
      },
      batch["organizationId"] as string,
      false,
    );
    expect((await postBatch(child, body, { headers })).status).toBe(202);
  }
  await child.end("SIGTERM");
});

it("takes only signed deliveries where it has a signing key", async () => {
  const file = writeKey("signing.key", "a shared secret of more than 32 bytes\n");
  const child = await startChildPlatform(["--signing-key", `s1=${file}`]);
  expect(await postBatch(child, createBatch())).toMatchObject({
    status: 401,
    body: { code: "unauthorized" },
  });
  expect(child.output()).not.toContain("shared secret");
  await child.end("SIGTERM");
});

it("ends with 1 for a key that it can't use, and does not show it", async () => {
  const file = writeKey("bad.key", "hunter2 hunter2");
  const bad = await runCommand(["dev", "--port", "0", "--key", `k1=${file}`]);
  expect(bad).toMatchObject({ code: 1, out: "" });
  expect(bad.err).toMatch(/decryptionKeys: key k1: expected PEM, a JWK or Base64/);
  expect(bad.err).not.toContain("hunter2");
  const missing = await runCommand(["dev", "--port", "0", "--key", `k1=${file}.missing`]);
  expect(missing).toMatchObject({ code: 2 });
  expect(missing.err).toMatch(/--key k1: the file can't be read \(ENOENT\)/);
  const twice = await runCommand(["dev", "--key", `k1=${file}`, "--key", `k1=${file}`]);
  expect(twice).toMatchObject({ code: 2 });
  expect(twice.err).toMatch(/--key names the key k1 twice/);
});
