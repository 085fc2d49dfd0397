import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UsageError } from "../../src/cli/parse-arguments.ts";
import { readBatches } from "../../src/cli/read-batches.ts";
import { verifyCommand } from "../../src/cli/verify.ts";
import { verifyBatches } from "../../src/delivery/chain/verify-chain.ts";
import { startPlatform, type Platform, type PlatformOptions } from "../../src/platform/index.ts";
import { playHistory, type ChainStep } from "../helpers/chain-history.ts";
import {
  copyOf,
  createChainWriter,
  rehash,
  resum,
  type ChainedBatch,
} from "../helpers/chained-batches.ts";
import { createFakeClock } from "../helpers/clock.ts";
import { runCommand, type Finished } from "../helpers/command.ts";
import { createBatch, createEvent, KEY, postBatch } from "./helpers.ts";
import { bytesOf, openStored, textOf } from "./stored-database.ts";

const HISTORY: readonly ChainStep[] = [
  { kind: "sent", size: 3 },
  { kind: "refused", size: 4, bad: [1] },
  { kind: "full", count: 2 },
  { kind: "sent", size: 2 },
];

let directory: string;
const platforms: Platform[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
});
afterEach(async () => {
  await Promise.all(platforms.splice(0).map((platform) => platform.close()));
  rmSync(directory, { recursive: true, force: true });
});

async function start(options: PlatformOptions = {}): Promise<Platform> {
  const platform = await startPlatform({ port: 0, ...options });
  platforms.push(platform);
  return platform;
}

async function deliver(platform: Platform, batches: readonly unknown[]): Promise<void> {
  for (const batch of batches) expect((await postBatch(platform, batch)).status).toBe(202);
}

function write(name: string, ...batches: readonly unknown[]): string {
  const path = join(directory, name);
  writeFileSync(path, batches.map((batch) => `${JSON.stringify(batch)}\n`).join(""));
  return path;
}

function verify(...args: readonly string[]): Promise<Finished> {
  return runCommand(["verify", ...args]);
}

async function readExport(platform: Platform, query = ""): Promise<string[]> {
  const response = await fetch(`${platform.url}/api/batches/export${query}`);
  expect(response.headers.get("content-type")).toBe("application/x-ndjson");
  return (await response.text()).split("\n").slice(0, -1);
}

describe("an export", () => {
  it("gives every batch byte for byte, in the order of arrival", async () => {
    const platform = await start();
    const event = createEvent();
    const spaced = `[ ${JSON.stringify(event)} , ${JSON.stringify(createEvent())}, 7 ]`;
    const totalSize = Buffer.byteLength(spaced);
    const envelope = { ...createBatch([1, 2, 3], { checksum: undefined, totalSize }), events: 0 };
    const bodies = [
      JSON.stringify(createBatch([createEvent(), createEvent("tool_call"), createEvent()])),
      // Known events, as they were and changed, a refused one, and spaces.
      JSON.stringify(envelope).replace('"events":0', `"events": ${spaced}`),
      JSON.stringify(createBatch([{ ...event, content: "Other" }, createEvent(), event, null])),
      JSON.stringify(createBatch([createEvent("error", { errorMessage: "grüße 😀 \\u0000" })])),
    ];
    for (const [index, body] of bodies.entries())
      expect((await postBatch(platform, body, { gzip: index % 2 === 0 })).status).toBe(202);
    await postBatch(platform, bodies[0]);
    expect(await readExport(platform)).toEqual(bodies);
  });

  it("wraps a batch that has line breaks", async () => {
    const platform = await start();
    const batch = JSON.stringify(createBatch(), null, 2);
    // The array has other bytes now, and the checksum of the spaced ones.
    const events = batch.slice(batch.indexOf("[\n"), batch.indexOf("\n  ],") + 4);
    const sums = { checksum: undefined, totalSize: Buffer.byteLength(events) };
    const body = JSON.stringify({ ...JSON.parse(batch), ...sums, events: 0 }).replace(
      '"events":0',
      () => `"events":${events}`,
    );
    expect((await postBatch(platform, body)).status).toBe(202);
    const [line = ""] = await readExport(platform);
    const { base64 } = JSON.parse(line) as { base64: string };
    expect(Buffer.from(base64, "base64").toString()).toBe(body);
  });

  it("may be of one organization", async () => {
    const platform = await start();
    const batch = createBatch([createEvent()], { organizationId: "second-bank" });
    await postBatch(platform, batch, { organizationId: "second-bank" });
    await deliver(platform, [createBatch()]);
    expect(await readExport(platform, "?organization=second-bank")).toEqual([
      JSON.stringify(batch),
    ]);
    expect(await readExport(platform)).toHaveLength(2);
    expect(await readExport(platform, "?organization=third-bank")).toEqual([]);
  });

  it("needs what all reading needs", async () => {
    const platform = await start({ apiKey: KEY });
    const url = `${platform.url}/api/batches/export`;
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(url, { method: "POST" })).status).toBe(401);
    const headers = { authorization: `Bearer ${KEY}` };
    expect((await fetch(url, { headers })).status).toBe(200);
    expect((await fetch(url, { headers, method: "POST" })).status).toBe(405);
    expect(await (await fetch(url, { headers, method: "HEAD" })).text()).toBe("");
  });

  it("ends when the reader leaves, or the platform closes while nobody reads", async () => {
    const clock = createFakeClock();
    const platform = await start({ clock });
    const content = "x".repeat(1_000_000);
    // More than the sockets on the way can hold.
    for (let count = 0; count < 24; count++)
      await deliver(platform, [createBatch([createEvent("user_message", { content })])]);
    const leaving = await fetch(`${platform.url}/api/batches/export`);
    await leaving.body?.cancel();
    const waiting = await fetch(`${platform.url}/api/batches/export`);
    const closed = platform.close();
    await clock.advance(60_000);
    await closed;
    await expect(waiting.text()).rejects.toThrow("terminated");
  });
});

describe("verifying a platform", () => {
  it("finds a chain as it was written, refused events and all", async () => {
    const { delivered, writer } = playHistory(HISTORY);
    const platform = await start();
    // The platform refuses an event that was sent; the chain has it all the same.
    const refused = createChainWriter().plan({ sequences: [1, 2] });
    refused.events[1]!["content"] = 5;
    await deliver(platform, [...delivered.toReversed(), rehash(resum(refused)), createBatch()]);
    const { code, out, err } = await verify(
      platform.url,
      "--expect-last",
      `${writer.writerId}=${writer.planned.length},${writer.planned.at(-1)!.metadata.chain.hash}`,
    );
    expect(err).toBe("");
    expect(out).toContain(
      `writer ${writer.writerId}: verified; ${delivered.length} batches, ` +
        `${writer.planned.length - delivered.length} planned and not there, 10 events, ` +
        "given up: 1 dead, 2 queue_full, last batch",
    );
    expect(out).toMatch(
      /\nverified: \d+ batches, 2 writers, 1 without a chain\nnot proven: .*of 1 writer are there.*\n$/,
    );
    expect(code).toBe(0);
  });

  const tampering: [string, string, string][] = [
    [
      "an edited event",
      `UPDATE body SET json = replace(json, 'message 5', 'message 6') WHERE json LIKE '%message 5%'`,
      "its events are not those that were sent",
    ],
    [
      "a removed event",
      "DELETE FROM body WHERE json LIKE '%message 5%'",
      "event 5 of it can't be found, and no report says why",
    ],
    [
      "a removed batch",
      "DELETE FROM batch WHERE seq = 3",
      "it can't be found, nor can events 5 to 6",
    ],
    [
      "an edited envelope",
      `UPDATE frame SET bytes = ${bytesOf(`replace(${textOf("bytes")}, 'first-bank', 'other-bank')`)} WHERE seq = 3`,
      "its hash is not that of its envelope",
    ],
    [
      "a batch that is no JSON any more",
      `UPDATE frame SET bytes = ${bytesOf("'{'")} WHERE seq = 3`,
      "it can't be found, nor can events 5 to 6",
    ],
  ];
  it.each(tampering)("finds %s in the database", async (_, sql, finding) => {
    const database = join(directory, "platform.db");
    const { delivered } = playHistory(Array.from({ length: 5 }, () => ({ kind: "sent", size: 2 })));
    const before = await start({ database });
    await deliver(before, delivered);
    await before.close();
    const opened = await openStored(database);
    expect(await opened.run(sql)).toBeGreaterThan(0);
    await opened.close();
    const { url: target } = await start({ database });
    const source = { target, apiKey: undefined, organizationId: undefined };
    const report = await verifyBatches(readBatches({ ...source, onUnreadable: () => undefined }));
    expect(report.writers[0]?.firstBreak).toMatchObject({
      sequence: 3,
      detail: expect.stringContaining(finding) as string,
    });
  });

  it("takes the key and the organization", async () => {
    const platform = await start({ apiKey: KEY });
    const { delivered } = playHistory([]);
    await deliver(platform, delivered);
    const refused = await verify(platform.url);
    expect(refused.err).toContain("status 401: the API key may not read here");
    expect(refused.code).toBe(3);
    expect((await verify(platform.url, "--api-key", KEY)).code).toBe(0);
    const other = await verify(platform.url, "--api-key", KEY, "--organization", "second-bank");
    expect(other).toMatchObject({ code: 3, out: "incomplete: 0 batches, 0 writers\n" });
  });

  it("tells what is no platform, and follows no redirect", async () => {
    const server = createServer((request, response) => {
      if (request.url?.startsWith("/cut/") === true) {
        response.writeHead(200, { "content-type": "application/x-ndjson" });
        response.write('{}\n{"events":');
        setImmediate(() => response.destroy());
      } else if (request.url?.startsWith("/moved/") === true) {
        response.writeHead(302, { location: "/" }).end();
      } else {
        response.end("<html>");
      }
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answers = await Promise.all([verify(url), verify(`${url}/moved`), verify(`${url}/cut`)]);
    server.close();
    await once(server, "close");
    answers.push(await verify(url));
    expect(answers.map(({ code }) => code)).toEqual([3, 3, 3, 3]);
    expect(answers.map(({ err }) => err.replace(`agent-monitor: ${url}: `, ""))).toEqual([
      "expected an export of batches: this is no local platform\n",
      "status 302: redirects are not followed\n",
      "can't be read (UND_ERR_SOCKET)\n",
      "can't be read (ECONNREFUSED)\n",
    ]);
  });
});

describe("verifying files", () => {
  const key = { keyId: "key-1", key: Buffer.alloc(32, 7) };
  const keyed = playHistory(HISTORY, key);
  const plain = playHistory(HISTORY);

  it("reads one batch, lines of them, directories, and the standard input", async () => {
    mkdirSync(join(directory, "batches"));
    const [first, ...others] = plain.delivered;
    write("batches/2.json", first);
    write("batches/1.jsonl", ...others);
    write("batches/notes.txt", "nothing");
    expect((await verify(join(directory, "batches"))).code).toBe(0);
    const { code, out } = await verify(join(directory, "batches/2.json"));
    expect(out).toMatch(
      /^writer \S+: verified; 1 batch, 3 events, last batch 1 sha256:\S+\nverified: 1 batch, 1 writer\nnot proven: .*\n$/,
    );
    expect(code).toBe(0);
    const input = plain.delivered.map((batch) => JSON.stringify(batch)).join("\n");
    expect(await runCommand(["verify", "-"], { input })).toMatchObject({ code: 0 });
  });

  it("names the first broken link, in words and as JSON", async () => {
    const changed: ChainedBatch = copyOf(plain.delivered[1]!);
    changed.timestamp++;
    const path = write("batches.jsonl", ...plain.delivered.with(1, changed));
    const { sequence } = changed.metadata.chain;
    const { code, out } = await verify(path);
    expect(out).toContain(
      `writer ${plain.writer.writerId}: BROKEN at batch ${sequence} (${changed.batchId}): its hash is not that of its envelope; `,
    );
    expect(code).toBe(1);
    const json = await verify(path, "--json");
    expect(JSON.parse(json.out)).toMatchObject({
      status: "broken",
      unreadable: 0,
      writers: [{ firstBreak: { kind: "hash_changed", sequence, batchId: changed.batchId } }],
    });
    expect(json.code).toBe(1);
  });

  it("tells a chain that was cut off when it is told how far it went", async () => {
    const path = write("batches.jsonl", ...plain.delivered.slice(0, -1));
    const { writerId, planned } = plain.writer;
    const expected = `${writerId}=${planned.length}`;
    expect((await verify(path)).code).toBe(0);
    const { code, out } = await verify(path, "--expect-last", expected);
    expect(out).toContain("the chain ends before it");
    expect(code).toBe(1);
  });

  it("needs the key of a chain that has one", async () => {
    const path = write("batches.jsonl", ...keyed.delivered);
    const file = join(directory, "key.txt");
    writeFileSync(file, `${key.key.toString("base64")}\n`);
    const without = await verify(path);
    expect(without.out).toContain('not proven: the key "key-1" is needed');
    expect(without.code).toBe(3);
    expect(await verify(path, "--key", `key-1=${file}`)).toMatchObject({ code: 0 });
    const unkeyed = await verify(
      write("plain.jsonl", ...plain.delivered),
      "--key",
      `key-1=${file}`,
    );
    expect(unkeyed.code).toBe(3);
  });

  it("says what can't be read or proves nothing, without repeating it", async () => {
    const path = write("batches.jsonl", ...plain.delivered);
    writeFileSync(path, '{"content":"secret"', { flag: "a" });
    const bad = await verify(path);
    expect(bad.err).toBe(
      `agent-monitor: ${path}:${plain.delivered.length + 1}: expected a JSON object in UTF-8\n`,
    );
    expect(bad.out).toMatch(/verified; .*1 unreadable\nnot proven: .*\n$/s);
    expect(bad.code).toBe(3);
    expect(await verify(join(directory, "nothing"))).toMatchObject({
      code: 3,
      err: expect.stringContaining("can't be read (ENOENT)") as string,
    });
    expect(await verify(write("unchained.json", createBatch()))).toMatchObject({
      code: 3,
      out: "incomplete: 1 batch, 0 writers, 1 without a chain\n",
    });
  });

  it.each([
    [[], /verify needs one file/],
    [["a", "b"], /verify needs one file/],
    [["a", "--expect", "x"], /--expect/],
    [["a", "--expect-last", "writer"], /--expect-last must be <writer>=<n>/],
    [["a", "--expect-last", "writer=0"], /--expect-last must be <writer>=<n>/],
    [["a", "--key", "secret"], /--key must be <id>=<file>$/],
    [["a", "--key", "id=nowhere"], /--key id: the file can't be read \(ENOENT\)/],
    [
      ["a", "--key", `id=${import.meta.dirname}/../../LICENSE`, "--key", "id=x"],
      /names the key id twice/,
    ],
    [["http://bank.example"], /endpoint: expected https, or http to a loopback address/],
    [["https://user:secret@bank.example"], /endpoint: expected a URL without user name/],
  ])("refuses to be called in a wrong way: %j", async (args, message) => {
    const error: unknown = await verifyCommand.run(args).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain("secret");
  });

  it("ends with 2 when it is called in a wrong way", async () => {
    expect(await verify("--key", "secret")).toEqual({
      code: 2,
      out: "",
      err: 'agent-monitor: verify needs one file, directory or URL, or - for the standard input\nRun "agent-monitor --help" for usage.\n',
    });
  });
});
