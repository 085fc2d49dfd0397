import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform, type PlatformOptions } from "../../src/platform/index.ts";
import { runCommand, type Finished } from "../helpers/command.ts";
import {
  createBatch,
  createEvent,
  KEY,
  postBatch,
  START,
  type JsonObject,
} from "../platform/helpers.ts";

const POLICY = join(import.meta.dirname, "../../examples/policy/policy.yaml");
const WAIVED = "I have waived the overdraft fee for you.";
const BALANCE = "Your balance is $12.40.";

const directory = mkdtempSync(join(tmpdir(), "agent-monitor-policy-"));
afterAll(() => rmSync(directory, { recursive: true }));
const platforms: Platform[] = [];
afterEach(async () => {
  await Promise.all(platforms.splice(0).map((platform) => platform.close()));
});

async function start(options: PlatformOptions = {}): Promise<Platform> {
  const platform = await startPlatform({ port: 0, ...options });
  platforms.push(platform);
  return platform;
}

interface Report {
  readonly answers: number;
  readonly errors: number;
  readonly new: number;
  readonly patterns: readonly {
    readonly pattern: string;
    readonly hits: number;
    readonly samples: readonly JsonObject[];
  }[];
}

const test = (...args: readonly string[]): Promise<Finished> =>
  runCommand(["policy", "test", POLICY, ...args]);

async function report(...args: readonly string[]): Promise<Report> {
  const { code, out, err } = await test(...args, "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out) as Report;
}

const hitsOf = ({ patterns }: Report): number | undefined =>
  patterns.find(({ pattern }) => pattern === "bank-fee-waiver/promise")?.hits;

/** Builds a question and its answer. */
function exchange(sessionId: string, answer: string, at = START): JsonObject[] {
  return [
    createEvent("user_message", { sessionId, timestamp: at }),
    createEvent("agent_response", { sessionId, timestamp: at + 1, content: answer }),
  ];
}

describe("policy test on a platform", () => {
  it("reads every conversation, page by page, and each once", async () => {
    const platform = await start();
    const short = Array.from({ length: 450 }, (_, index) =>
      exchange(`session-${index}`, index % 10 === 0 ? WAIVED : BALANCE, START + index * 1000),
    );
    // More events than a page has, and more characters.
    const long = Array.from({ length: 700 }, (_, index) =>
      exchange("long", index === 699 ? WAIVED : BALANCE, START + index * 1000),
    );
    const large = exchange("large", `${BALANCE} ${"x".repeat(2_000_000)}`);
    for (let from = 0; from < short.length; from += 90)
      await postBatch(platform, createBatch(short.slice(from, from + 90).flat()));
    await postBatch(platform, createBatch(long.slice(0, 350).flat()));
    await postBatch(platform, createBatch(long.slice(350).flat()));
    await postBatch(platform, createBatch(large));
    const found = await report("--on", platform.url);
    expect(found).toMatchObject({ answers: 450 + 700 + 1, errors: 0, new: 46 });
    expect(hitsOf(found)).toBe(46);
    const [sample] = found.patterns[0]?.samples ?? [];
    expect(sample).toMatchObject({ kind: "new", file: platform.url, conversation: "long" });
    const { events } = { events: long.flat() };
    expect(sample?.["eventId"]).toBe(events.at(-1)?.["eventId"]);
  }, 60_000);

  it("finds what it finds in the export of the same platform", async () => {
    const platform = await start();
    const call = createEvent("tool_call", { sessionId: "quote", toolName: "getWireQuote" });
    const result = createEvent("tool_result", {
      sessionId: "quote",
      toolName: "getWireQuote",
      toolResult: { transferFee: 25 },
    });
    const [asked, answered] = exchange(
      "quote",
      "The wire is free of charge, you pay nothing for it.",
      START,
    );
    await postBatch(platform, createBatch([asked, call, result, answered]));
    await postBatch(platform, createBatch(exchange("waiver", WAIVED)));
    const file = join(directory, "export.jsonl");
    const lines = await (await fetch(`${platform.url}/api/batches/export`)).text();
    writeFileSync(file, lines);
    const toCounts = ({ patterns, ...rest }: Report) => ({
      ...rest,
      patterns: patterns.map(({ samples: _samples, ...counts }) => counts),
    });
    const fromPlatform = await report("--on", platform.url);
    expect(toCounts(fromPlatform)).toEqual(toCounts(await report("--on", file)));
    expect(fromPlatform).toMatchObject({ answers: 2, new: 1, vanished: 1 });
  });

  it("reads one organization only, where one is named", async () => {
    const platform = await start();
    const other = createBatch(exchange("other", WAIVED), { organizationId: "second-bank" });
    await postBatch(platform, other, { organizationId: "second-bank" });
    await postBatch(platform, createBatch(exchange("first", BALANCE)));
    const of = (...args: readonly string[]) => report("--on", platform.url, ...args);
    expect(await of()).toMatchObject({ answers: 2, new: 1 });
    expect(await of("--organization", "second-bank")).toMatchObject({ answers: 1, new: 1 });
    expect(await of("--organization", "third-bank")).toMatchObject({ answers: 0, new: 0 });
  });

  it("needs the key of a platform that has one, and never repeats it", async () => {
    const platform = await start({ apiKey: KEY });
    await postBatch(platform, createBatch(exchange("waiver", WAIVED)));
    expect(await report("--on", platform.url, "--api-key", KEY)).toMatchObject({ answers: 1 });
    const refused = [
      await test("--on", platform.url),
      await test("--on", platform.url, "--api-key", "another-secret"),
    ];
    for (const { code, err } of refused) {
      expect(code).toBe(2);
      expect(err).toBe(
        `agent-monitor: ${platform.url}: status 401: the API key may not read here\n`,
      );
    }
    const file = await test("--on", "transcripts.jsonl", "--api-key", "another-secret");
    expect(file).toMatchObject({ code: 2 });
    expect(file.err).toContain("--api-key is for the URL of a platform, not for transcripts.jsonl");
  });
});

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

describe("policy test on something else", () => {
  it("says what is no platform, follows no redirect, and ends where pages go in a circle", async () => {
    const json = { "content-type": "application/json" };
    const server = await serve((request, response) => {
      const path = request.url ?? "";
      if (path.startsWith("/moved/")) response.writeHead(302, { location: "/" }).end();
      else if (path.startsWith("/none/")) response.writeHead(404, json).end("{}");
      else if (path.startsWith("/other/")) response.writeHead(200, json).end('{"items":[]}');
      else if (path.startsWith("/broken/")) response.writeHead(200, json).end("{secret");
      else if (path.startsWith("/circle/api/conversations/k"))
        response.writeHead(200, json).end('{"events":[],"next":0}');
      else if (path.startsWith("/circle/"))
        response.writeHead(200, json).end('{"conversations":[{"key":"k"}],"next":"1.1"}');
      else if (path.startsWith("/again/api/conversations/k"))
        response.writeHead(200, json).end('{"events":[],"next":null}');
      else if (path.startsWith("/again/"))
        response.writeHead(200, json).end('{"conversations":[{"key":"k"}],"next":"1.1"}');
      else response.end("<html>");
    });
    const paths = ["", "/moved", "/none", "/other", "/broken", "/circle"];
    const answers = await Promise.all(paths.map((path) => test("--on", server.url + path)));
    const again = await test("--on", `${server.url}/again`);
    await server.close();
    const none = "expected conversations: this is no local platform\n";
    expect(answers.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(answers.map(({ err }) => err.replace(`agent-monitor: ${server.url}: `, ""))).toEqual([
      none,
      "status 302: redirects are not followed\n",
      "status 404: this is no local platform\n",
      none,
      none,
      none,
    ]);
    // A page that comes again has nothing new.
    expect(again).toMatchObject({ code: 0, err: "" });
    const closed = await test("--on", server.url);
    expect(closed).toMatchObject({
      code: 2,
      err: `agent-monitor: ${server.url}: can't be read (ECONNREFUSED)\n`,
    });
  });

  it("refuses a URL that is none, and one with a password, without repeating it", async () => {
    for (const url of ["http://", "http://user:hunter2@127.0.0.1:1"]) {
      const { code, err } = await test("--on", url);
      expect(code).toBe(2);
      expect(err).toContain("endpoint: ");
      expect(err).not.toContain("hunter2");
    }
  });
});
