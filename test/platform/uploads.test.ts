import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform, type PlatformOptions } from "../../src/platform/index.ts";
import { createAgent, createBatch, createEvent, get, KEY, postBatch, putAgent } from "./helpers.ts";

interface Line {
  readonly level: string;
  readonly message: string;
}

const lines: Line[] = [];
const sockets: Socket[] = [];
let platform: Platform | undefined;
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await platform?.close();
  lines.length = 0;
});

async function start(options: PlatformOptions = {}): Promise<Platform> {
  const write = (level: string) => (message: string) => void lines.push({ level, message });
  const logger = {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
  };
  platform = await startPlatform({ port: 0, logger, ...options });
  return platform;
}

/** Begins an upload and leaves its end open. */
async function beginUpload(port: number, sent: number, declared = sent + 1): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(
    `POST /v1/batches HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${KEY}\r\n` +
      `X-Organization-Id: first-bank\r\nContent-Type: application/json\r\nContent-Length: ${declared}\r\n\r\n`,
  );
  socket.write(Buffer.alloc(sent, " "));
  return socket;
}

/** Returns the bytes of all buffers that are held; those that were let go of are collected first. */
function measureHeldBuffers(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  return process.memoryUsage().arrayBuffers;
}

describe("an upload", () => {
  it("that the client breaks off is a line for debugging, and no failure", async () => {
    const { port } = await start();
    const socket = await beginUpload(port, 100_000, 200_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await expect
      .poll(() => lines)
      .toEqual([{ level: "debug", message: "POST /v1/batches: the client broke off its upload" }]);
  });

  it("finds room only while all of them together hold no more than the bound", async () => {
    const started = await start({ maxBodyBytes: 100_000, maxPendingBodyBytes: 800_000 });
    for (let count = 0; count < 8; count++) await beginUpload(started.port, 90_000);
    const batch = createBatch([createEvent("user_message", { content: "x".repeat(99_000) })]);
    // Those that hold their bytes are not asked to go, and what is small still fits.
    await expect.poll(async () => (await postBatch(started, batch)).status).toBe(503);
    const refused = await postBatch(started, batch);
    expect(refused).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect(refused.headers.get("retry-after")).toBe("2");
    expect((await postBatch(started, createBatch())).status).toBe(202);
    for (const socket of sockets.splice(0)) socket.destroy();
    await expect.poll(async () => (await postBatch(started, batch)).status).toBe(202);
  });

  it("counts what it becomes when it is decompressed", async () => {
    const started = await start({ maxBodyBytes: 100_000, maxPendingBodyBytes: 800_000 });
    for (let count = 0; count < 7; count++) await beginUpload(started.port, 99_000);
    const body = gzipSync(
      JSON.stringify(createBatch([createEvent("user_message", { content: "x".repeat(90_000) })])),
    );
    const fits = await postBatch(started, createBatch([createEvent()]), { gzip: true });
    expect(fits.status).toBe(202);
    await beginUpload(started.port, 60_000);
    const headers = { "content-encoding": "gzip" };
    await expect.poll(async () => (await postBatch(started, body, { headers })).status).toBe(503);
  });

  it("of a hundred clients that hold almost 5 MB each costs no more memory than the bound", async () => {
    const started = await start();
    const before = measureHeldBuffers();
    for (let count = 0; count < 100; count++) await beginUpload(started.port, 4_900_000, 5_000_000);
    await expect
      .poll(() => lines.filter(({ message }) => message.includes("503 unavailable")).length, {
        timeout: 20_000,
      })
      .toBeGreaterThan(80);
    // The clients are of this process too: what they have not sent yet is measured as well.
    expect(measureHeldBuffers() - before).toBeLessThan(150 * 1024 * 1024);
    expect((await get(started, "/api/stats")).status).toBe(200);
  }, 30_000);
});

describe("a document that says a thing twice", () => {
  const repeat = (json: string, member: string): string => json.replace(/^\{/, `{${member},`);

  it.each(["organizationId", "batchId", "checksum", "events", "eventCount"])(
    "is refused: %s of a batch",
    async (name) => {
      const started = await start();
      const batch = createBatch();
      const body = repeat(JSON.stringify(batch), `"${name}":${JSON.stringify(batch[name])}`);
      expect(await postBatch(started, body)).toMatchObject({
        status: 400,
        body: {
          code: "malformed_body",
          detail: `the member ${name} stands twice`,
          errors: [{ pointer: `/${name}`, code: "duplicate_member" }],
        },
      });
      expect((await started.stats()).batches).toBe(0);
    },
  );

  it("is refused when the name is written in another way, or stands in the metadata", async () => {
    const started = await start();
    const escaped = repeat(JSON.stringify(createBatch()), '"batch\\u0049d":"other"');
    expect((await postBatch(started, escaped)).status).toBe(400);
    const metadata = JSON.stringify(createBatch()).replace(
      '"batchVersion":"1.0"',
      '"chain":{"sequence":1,"sequence":2},"batchVersion":"1.0"',
    );
    expect(await postBatch(started, metadata)).toMatchObject({
      status: 400,
      body: { detail: "a member stands twice" },
    });
  });

  it("costs one event what another one need not suffer", async () => {
    const started = await start();
    const [first, second] = [createEvent(), createEvent("agent_response")];
    const doubled = JSON.stringify(second).replace(/^\{/, '{"content":"I never said that",');
    const array = `[${JSON.stringify(first)},${doubled}]`;
    const sums = { eventCount: 2, totalSize: Buffer.byteLength(array), checksum: undefined };
    const body = JSON.stringify(createBatch([], sums)).replace('"events":[]', `"events":${array}`);
    expect(await postBatch(started, body)).toMatchObject({
      status: 202,
      body: {
        status: "partial",
        accepted: 1,
        rejected: [{ index: 1, code: "duplicate_member", pointer: "/events/1" }],
      },
    });
  });

  it("leaves alone what a tool was given: it is content, and no part of the envelope", async () => {
    const started = await start();
    const event = createEvent("tool_call", { toolParameters: { a: 1, b: { c: 2 } } });
    const array = `[${JSON.stringify(event).replace('"c":2', '"c":2,"c":3')}]`;
    const sums = { eventCount: 1, totalSize: Buffer.byteLength(array), checksum: undefined };
    const body = JSON.stringify(createBatch([], sums)).replace('"events":[]', `"events":${array}`);
    expect((await postBatch(started, body)).status).toBe(202);
  });

  it("is refused as an agent's profile, its tools and settings included", async () => {
    const started = await start();
    const tool = { name: "t", description: "d", category: "c", riskLevel: "low" as const };
    const json = JSON.stringify(createAgent({ availableTools: [tool] }));
    const version = await putAgent(started, repeat(json, '"version":"9"'), "agent-1");
    expect(version).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/version", code: "duplicate_member" }] },
    });
    const nested = json.replace('"riskLevel":"low"', '"riskLevel":"high","riskLevel":"low"');
    expect((await putAgent(started, nested, "agent-1")).status).toBe(400);
    expect((await started.stats()).agents).toBe(0);
  });
});

describe("options", () => {
  it.each([
    [{ prot: 1 }, 'platform: unknown option "prot": did you mean port?'],
    [{ port: 0, apikey: "x" }, 'platform: unknown option "apikey": did you mean apiKey?'],
    [{ db: "x" }, /unknown option "db": expected port, otlpPort/],
    [{ port: 0, maxPendingBodyBytes: 1 }, /maxPendingBodyBytes must be at least 41943040/],
  ])("that make no sense are refused: %j", async (options, message) => {
    await expect(startPlatform(options as PlatformOptions)).rejects.toThrow(message);
  });
});
