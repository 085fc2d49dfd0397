import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import OpenAI from "openai";
import { createFakeClock } from "../helpers/clock.ts";
import { startModelServer, type ModelServer } from "../helpers/model-server/index.ts";
import { observe, type Observed } from "./observed.ts";

const QUESTION = "When does the Delft branch open?";
const ANSWER = "The Delft branch opens at nine and closes at five.";
const PATH = "/v1/chat/completions";

let server: ModelServer;
let observed: Observed;
const rejections: unknown[] = [];
const onRejection = (reason: unknown): void => void rejections.push(reason);

beforeEach(async () => {
  process.on("unhandledRejection", onRejection);
  server = await startModelServer();
  observed = observe();
});
afterEach(async () => {
  observed.observer.close();
  await server.close();
  process.off("unhandledRejection", onRejection);
  expect(rejections.splice(0)).toEqual([]);
  expect(observed.warnings).toEqual([]);
  expect(observed.started.length).toBe(observed.ended.length);
  expect(observed.providers.spans().length).toBe(observed.ended.length);
});

const toBody = (content: string, more: object = {}): string =>
  JSON.stringify({ model: "m", messages: [{ role: "user", content }], ...more });

const ask = (
  words = "",
  { send = observed.fetch, headers = {}, ...init }: RequestInit & { send?: typeof fetch } = {},
): Promise<Response> =>
  send(`${server.url}${PATH}`, {
    method: "POST",
    body: toBody(QUESTION),
    headers: { "x-model-script": words, ...(headers as Record<string, string>) },
    ...init,
  });

const streamed = { body: toBody(QUESTION, { stream: true }) };

/** A server of one's own, for what no model would say. */
async function serve(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const own = createServer((request, response) => {
    request.resume().on("end", () => listener(request, response));
  });
  await new Promise<void>((resolve) => void own.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(own.address() as AddressInfo).port}${PATH}`, server: own };
}

describe("attempts", () => {
  it("of a client are one call", async () => {
    const client = new OpenAI({
      apiKey: "key",
      baseURL: `${server.url}/v1`,
      fetch: observed.fetch,
    });
    await client.chat.completions.create({
      model: "m",
      messages: [{ role: "user", content: `${QUESTION} [[status=429,retry-after=0.01,times=2]]` }],
    });
    expect(server.requests.map(({ status }) => status)).toEqual([429, 429, 200]);
    expect(observed.call()).toMatchObject({
      "http.request.resend_count": 2,
      "http.response.status_code": 200,
    });
    expect(observed.call()["error.type"]).toBeUndefined();
    expect(observed.events().map(({ kind }) => kind)).toEqual(["user_message", "agent_response"]);
  });

  it("without a count are one call when the request is the same", async () => {
    const failed = await ask("status=503,times=1");
    await failed.text();
    expect(observed.ended).toEqual([]);
    await (await ask("status=503,times=1")).json();
    expect(observed.call()["http.request.resend_count"]).toBe(1);
  });

  it("are two calls when the request or the count is another", async () => {
    await (await ask("status=503")).text();
    await (await ask("", { body: toBody("And on Saturday?") })).json();
    await (await ask("", { headers: { "x-stainless-retry-count": "0" } })).json();
    observed.observer.flush();
    expect(observed.ended.map(({ attributes }) => attributes["error.type"])).toEqual([
      undefined,
      undefined,
      "server_error",
    ]);
  });

  it("that fail at last are told when no other one comes, with the time of the failure", async () => {
    const clock = createFakeClock();
    const waiting = observe({ clock });
    await (await ask("status=503,retry-after=20", { send: waiting.fetch })).text();
    await clock.advance(29_000);
    expect(waiting.ended).toEqual([]);
    await clock.advance(2000);
    expect(waiting.ended).toMatchObject([
      { status: { code: 2 }, startTime: [1_700_000_000, 0], endTime: [1_700_000_000, 0] },
    ]);
    expect(clock.pending).toBe(0);
  });

  it("without a body that was read say the status", async () => {
    const clock = createFakeClock();
    const waiting = observe({ clock });
    const response = await ask("status=401", { send: waiting.fetch });
    await clock.advance(2000);
    expect(waiting.call()).toMatchObject({ "error.type": "401", "http.response.status_code": 401 });
    expect(await response.text()).toContain("told to fail");
  });

  it("that can't connect say why", async () => {
    const { url, server: own } = await serve(() => undefined);
    await new Promise((resolve) => own.close(resolve));
    await expect(observed.fetch(url, { method: "POST", body: toBody("Hi") })).rejects.toThrow(
      "fetch failed",
    );
    expect(observed.events()).toMatchObject([
      { kind: "user_message" },
      { kind: "error", errorType: "ECONNREFUSED" },
    ]);
  });
});

describe("aborts", () => {
  it("before the answer are told as such, at once", async () => {
    const controller = new AbortController();
    const asking = ask("hang", { signal: controller.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort();
    await expect(asking).rejects.toThrow();
    expect(observed.call()["error.type"]).toBe("AbortError");
  });

  it("with a reason of one's own as well", async () => {
    const controller = new AbortController();
    const asking = ask("hang", { signal: controller.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort(new RangeError("mine"));
    await expect(asking).rejects.toThrow("mine");
    expect(observed.call()["error.type"]).toBe("AbortError");
  });

  it("in the middle keep what was said", async () => {
    const controller = new AbortController();
    const response = await ask("slow=5,piece=2", { ...streamed, signal: controller.signal });
    await expect(async () => {
      for await (const chunk of response.body!) {
        if (Buffer.from(chunk).includes("Delft")) continue;
        if (observed.started.length > 0) setTimeout(() => controller.abort(), 20);
      }
    }).rejects.toThrow();
    const [, told] = observed.events();
    expect(told).toMatchObject({ kind: "error", errorType: "AbortError" });
    expect(ANSWER.startsWith(String(told!["partialContent"]))).toBe(true);
  });

  it("by a time limit are told as such", async () => {
    await expect(ask("hang", { signal: AbortSignal.timeout(20) })).rejects.toThrow();
    observed.observer.flush();
    expect(observed.call()["error.type"]).toBe("TimeoutError");
  });

  it("by the time limit of a client are attempts", async () => {
    const client = new OpenAI({
      apiKey: "key",
      baseURL: `${server.url}/v1`,
      fetch: observed.fetch,
      maxRetries: 1,
    });
    const create = (words: string) =>
      client.chat.completions.create(
        { model: "m", messages: [{ role: "user", content: `${QUESTION} [[${words}]]` }] },
        { timeout: 1000 },
      );
    await create("hang,times=1");
    expect(observed.call()).toMatchObject({ "http.request.resend_count": 1 });
    await expect(create("hang")).rejects.toThrow("timed out");
    observed.observer.flush();
    expect(observed.ended[1]!.attributes).toMatchObject({
      "error.type": "TimeoutError",
      "http.request.resend_count": 1,
    });
  });
});

describe("requests", () => {
  const url = (): string => server.url + PATH;
  const bytes = (): Uint8Array<ArrayBuffer> => new TextEncoder().encode(toBody(QUESTION));
  const json = { "content-type": "application/json" };

  const REQUESTS: Record<string, () => Parameters<typeof fetch>> = {
    "a string": () => [url(), { method: "POST", body: toBody(QUESTION) }],
    "a URL": () => [new URL(url()), { method: "post", body: toBody(QUESTION) }],
    "an Uint8Array": () => [url(), { method: "POST", body: bytes() }],
    "a Buffer": () => [url(), { method: "POST", body: Buffer.from(bytes()) }],
    "an ArrayBuffer": () => [url(), { method: "POST", body: bytes().buffer }],
    "a DataView": () => [url(), { method: "POST", body: new DataView(bytes().buffer) }],
    "a Blob": () => [url(), { method: "POST", body: new Blob([bytes()]) }],
    "a Request": () => [
      new Request(url(), { method: "POST", body: toBody(QUESTION), headers: json }),
    ],
    "a Request of a stream": () => [
      new Request(url(), {
        method: "POST",
        body: new Blob([bytes()]).stream(),
        headers: json,
        duplex: "half",
      }),
    ],
    "a Request with a body beside it": () => [
      new Request(url(), { method: "POST", body: "other", headers: json }),
      { body: toBody(QUESTION) },
    ],
  };

  it.each(Object.entries(REQUESTS))("of %s are read, and arrive", async (_, toArguments) => {
    await (await observed.fetch(...toArguments())).json();
    expect(server.requests[0]!.body).toEqual(JSON.parse(toBody(QUESTION)));
    expect(observed.call()).toMatchObject({
      "gen_ai.request.model": "m",
      "gen_ai.input.messages": [{ role: "user", parts: [{ type: "text", content: QUESTION }] }],
      "gen_ai.output.messages": [{ parts: [{ type: "text", content: ANSWER }] }],
    });
  });

  it("of a stream are not touched: what is known is told", async () => {
    const body = new Blob([bytes()]).stream();
    const init = { method: "POST", body, duplex: "half" } as RequestInit;
    await (await observed.fetch(url(), init)).json();
    expect(server.requests[0]!.body).toEqual(JSON.parse(toBody(QUESTION)));
    expect(observed.events()).toMatchObject([
      { kind: "user_message", captured: false },
      { kind: "agent_response", content: ANSWER },
    ]);
  });

  it("that are no model calls pass as they are", async () => {
    const seen: unknown[][] = [];
    const answer = new Response("{}");
    const through = function through(this: unknown, ...args: unknown[]) {
      seen.push([this, ...args]);
      return Promise.resolve(answer);
    } as typeof fetch;
    const own = observe({ through });
    const cases: unknown[][] = [
      ["https://bank.example/accounts", { method: "POST", body: "{}" }],
      [`https://bank.example${PATH}`],
      [`https://bank.example${PATH}`, { method: "POST", body: '{"amount":1}' }],
      ["https://bank.example/api/chat", { method: "POST", body: '{"text":"hi"}' }],
      ["https://bank.example/v1/messages", { method: "POST", body: '{"messages":[]}' }],
      ["https://bank.example/v1/messages", { method: "POST", body: new FormData() }],
      [{ url: 1 }, null],
      [],
      [Symbol("no")],
    ];
    const self = {};
    for (const args of cases) {
      expect(await Reflect.apply(own.fetch, self, args)).toBe(answer);
    }
    expect(seen).toEqual(cases.map((args) => [self, ...args]));
    expect(seen.every((given, at) => given.slice(1).every((arg, i) => arg === cases[at]![i]))).toBe(
      true,
    );
    expect(own.started).toEqual([]);
    expect([own.warnings, Object.getOwnPropertyNames(answer)]).toEqual([[], []]);
  });

  it("that are too long to parse pass, and what is known is told", async () => {
    const body = toBody("x".repeat(9 * 1024 * 1024));
    await (await ask("", { body })).json();
    expect(observed.call()).not.toHaveProperty("gen_ai.input.messages");
    expect(observed.call()).toMatchObject({ "gen_ai.response.model": "m" });
  });

  it("with a long history keep its end", async () => {
    const messages = Array.from({ length: 2000 }, (_, index) => ({
      role: index % 2 === 0 ? "user" : "assistant",
      content: `${index} ${"x".repeat(1000)}`,
    }));
    await (
      await ask("", {
        body: JSON.stringify({
          model: "m",
          messages: [...messages, { role: "user", content: QUESTION }],
        }),
      })
    ).json();
    const input = observed.call()["gen_ai.input.messages"];
    expect(input.length).toBe(500);
    expect(input.at(-1).parts[0].content).toBe(QUESTION);
  });
});

describe("answers", () => {
  const TOLD = { messages: [{ role: "user", content: "Hello" }], model: "m" };
  const text = (content: string) =>
    `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}]}`;

  /** Bodies, whether a stream was asked for, and the text that can be made out. */
  const BODIES: Record<
    string,
    [body: string | Buffer, isStreamed: boolean, expected: string | undefined]
  > = {
    "a page": ["<!doctype html><p>Sorry", false, undefined],
    "a page instead of a stream": ["<!doctype html><p>Sorry", true, undefined],
    nothing: ["", true, undefined],
    "half a JSON text": ['{"choices":[{"message":{"content":"Hel', false, undefined],
    "JSON of something else": ['[1,null,{"choices":7,"usage":"no","error":[]}]', true, undefined],
    "odd members": [
      '{"choices":[null,{"index":"x","message":[],"delta":3},{"message":{"content":{"a":1},"tool_calls":[7,{"function":[]}]}}],"usage":{"prompt_tokens":-1}}',
      false,
      undefined,
    ],
    "a whole answer instead of a stream": [
      '{"choices":[{"index":0,"message":{"content":"Hi"},"finish_reason":"stop"}]}',
      true,
      "Hi",
    ],
    "a stream instead of a whole answer": [`${text("Hi")}\n\ndata: [DONE]\n\n`, false, "Hi"],
    "events with comments, names and several lines": [
      `: hello\r\nid: 7\r\nretry: 10\r\nevent: x\r\ndata: {"choices":\r\ndata:[{"index":0,"delta":{"content":"Hi"}}]}\r\n\r\n:\r\n\r\ndata: nonsense\r\n\r\n${text("!")}\r\n\r\n`,
      true,
      "Hi!",
    ],
    "lines that end with a carriage return": [`${text("Hi")}\r\r${text("!")}\r\r`, true, "Hi!"],
    "a last event without an end": [`${text("Hi")}\n\n${text("!")}`, true, "Hi!"],
    "a byte order mark": [`\uFEFF${text("Hi")}\n\n`, true, "Hi"],
    "bytes that are no UTF-8": [
      Buffer.concat([
        Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"Hi'),
        Buffer.from([0xff, 0xc3]),
        Buffer.from('"}}]}\n\n'),
      ]),
      true,
      "Hi��",
    ],
    "a line without an end": [`${text("Hi")}\n\ndata: ${"x".repeat(5 * 1024 * 1024)}`, true, "Hi"],
    zeros: [Buffer.alloc(100), true, undefined],
    "deep nesting": [`{"choices":${"[".repeat(50_000)}`, true, undefined],
  };

  it.each(Object.entries(BODIES))(
    "%s: pass, and what is known is told",
    async (_, [body, stream, expected]) => {
      const { url, server: own } = await serve((_request, response) => {
        response.writeHead(200, { "content-type": "image/png", connection: "close" }).end(body);
      });
      const init = { method: "POST", body: JSON.stringify({ ...TOLD, stream }) };
      const bare = await (await fetch(url, init)).text();
      expect(await (await observed.fetch(url, init)).text()).toBe(bare);
      const chunks: Uint8Array[] = [];
      for await (const chunk of (await observed.fetch(url, init)).body!) chunks.push(chunk);
      expect(Buffer.concat(chunks).equals(Buffer.from(body))).toBe(true);
      for (const { attributes } of observed.ended) {
        const json = attributes["gen_ai.output.messages"] as string | undefined;
        const parts = /"content":"([^"]*)"/.exec(json ?? "")?.[1];
        expect(parts).toBe(expected);
      }
      expect(observed.ended.length).toBe(2);
      own.close();
    },
  );

  it("that are compressed are read as the caller gets them", async () => {
    await (await ask("gzip")).json();
    expect(observed.call()["gen_ai.output.messages"][0].parts[0].content).toBe(ANSWER);
    const { url, server: own } = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip", connection: "close" });
      response.end(gzipSync(`${text("Hi")}\n\n`).fill(7, 12));
    });
    const init = { method: "POST", body: JSON.stringify({ ...TOLD, stream: true }) };
    for (const send of [fetch, observed.fetch]) {
      await expect(send(url, init).then((response) => response.text())).rejects.toThrow();
    }
    expect(observed.ended[1]).toMatchObject({ status: { code: 2 } });
    own.close();
  });

  it("that are too long are kept up to a bound, and marked", async () => {
    await (await ask("size=3000000,piece=1000", streamed)).text();
    const json = String(observed.ended[0]!.attributes["gen_ai.output.messages"]);
    expect(json.length).toBeLessThanOrEqual(1_000_200);
    expect(observed.events()[1]).toMatchObject({ kind: "agent_response", truncated: true });
  });

  it("as a list of JSON, as Gemini streams it without SSE", async () => {
    const chunk = (words: string) => ({
      candidates: [{ content: { role: "model", parts: [{ text: words }] } }],
    });
    const { url, server: own } = await serve((_request, response) => {
      response.writeHead(200, { connection: "close" });
      const body = JSON.stringify(
        [
          chunk('a "}{" '),
          chunk("b\\ "),
          { ...chunk("c"), usageMetadata: { promptTokenCount: 3 } },
        ],
        null,
        1,
      );
      for (const character of body) response.write(character);
      response.end();
    });
    const to = url.replace(PATH, "/v1beta/models/gemini-3:streamGenerateContent");
    const body = JSON.stringify({ contents: "Hello" });
    await (await observed.fetch(to, { method: "POST", body })).text();
    expect(observed.call()).toMatchObject({
      "gen_ai.request.model": "gemini-3",
      "gen_ai.usage.input_tokens": 3,
      "gen_ai.output.messages": { partial: [{ parts: [{ content: 'a "}{" b\\ c' }] }] },
    });
    own.close();
  });

  it("that nobody reads are told after a while", async () => {
    const clock = createFakeClock();
    const waiting = observe({ clock });
    const response = await ask("slow=1", { ...streamed, send: waiting.fetch });
    const reader = response.body!.getReader();
    await reader.read();
    await clock.advance(59_000);
    expect(waiting.ended).toEqual([]);
    await clock.advance(3000);
    expect(waiting.call()).toMatchObject({ "gen_ai.response.finish_reasons": ["incomplete"] });
    expect(clock.pending).toBe(0);
    // The caller may go on all the same.
    while (!(await reader.read()).done);
    expect(waiting.ended.length).toBe(1);
  });

  it("that are read while calls are flushed go on", async () => {
    const response = await ask("slow=2", streamed);
    const reader = response.body!.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      observed.observer.flush();
    }
    expect(observed.call()["gen_ai.output.messages"][0].parts[0].content).toBe(ANSWER);
  });

  it("are not waited for after a paused caller is closed", async () => {
    const response = await ask("size=50000000,piece=4000", streamed);
    const reader = response.body!.getReader();
    await reader.read();
    const before = process.memoryUsage().arrayBuffers;
    await new Promise((resolve) => setTimeout(resolve, 200));
    // Only what fits into the buffers of the connection was sent.
    expect(server.requests[0]!.text.length).toBeLessThan(20_000_000);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024);
    observed.observer.close();
    expect(observed.call()["gen_ai.response.finish_reasons"]).toEqual(["incomplete"]);
    await reader.cancel();
    await expect.poll(() => server.openStreams).toBe(0);
  });
});
