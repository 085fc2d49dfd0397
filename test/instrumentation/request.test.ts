import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { observe, type Observed } from "./observed.ts";

const HEADERS = { "content-type": "application/json" };
const ANSWER = JSON.stringify({
  id: "chatcmpl-1",
  choices: [{ index: 0, message: { content: "Hi" } }],
});
const PIECE = 64 * 1024;

let server: Server;
let base = "";
/** Bodies that came, and the requests that are not read. */
const bodies: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url?.startsWith("/early") === true) {
      response.writeHead(200, HEADERS).end(ANSWER);
      return;
    }
    if (request.url?.startsWith("/deaf") === true) {
      request.pause();
      return;
    }
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      bodies.push(body);
      response.writeHead(200, HEADERS).end(ANSWER);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const path = "/v1/chat/completions";
const toJson = (content: string): string =>
  JSON.stringify({ model: "m", messages: [{ role: "user", content }] });

/** A stream that counts what is taken from it. */
function count(json: string): { body: ReadableStream<Uint8Array>; pulled: () => number } {
  const bytes = Buffer.from(json);
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(new Uint8Array(bytes.subarray(at, at + PIECE)));
        at += PIECE;
        if (at >= bytes.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, pulled: () => Math.min(at, bytes.length) };
}

const toRequest = (url: string, body: ConstructorParameters<typeof Response>[0]): Request =>
  new Request(url, { method: "POST", body, headers: HEADERS, duplex: "half" } as RequestInit);

const inputOf = (test: Observed): string => JSON.stringify(test.call()["gen_ai.input.messages"]);

it.each([
  ["text", (json: string): ConstructorParameters<typeof Response>[0] => json],
  ["bytes", (json: string): ConstructorParameters<typeof Response>[0] => Buffer.from(json)],
  ["a stream", (json: string): ConstructorParameters<typeof Response>[0] => count(json).body],
])("a request of %s is sent as it is, keeps its body, and is told", async (_, toBody) => {
  const test = observe();
  const request = toRequest(`${base}${path}`, toBody(toJson("Hello")));
  const { body } = request;
  const answer = test.fetch(request);
  expect(request.body).toBe(body);
  expect([request.bodyUsed, request.body?.locked]).toEqual([true, true]);
  await (await answer).text();
  expect(request.body).toBe(body);
  expect(bodies.at(-1)).toBe(toJson("Hello"));
  expect(inputOf(test)).toContain("Hello");
  test.observer.close();
  expect(test.warnings).toEqual([]);
});

it("is not read ahead of what is sent", async () => {
  const takeOf = async (send: typeof fetch): Promise<number> => {
    const { body, pulled } = count(toJson("x".repeat(32 * 1024 * 1024)));
    const aborter = new AbortController();
    const request = new Request(toRequest(`${base}/deaf${path}`, body), { signal: aborter.signal });
    const answer = send(request).catch(() => undefined);
    // What the system takes of a server that does not read.
    let last: number;
    do {
      last = pulled();
      await setTimeout(200);
    } while (last !== pulled() || last === 0);
    aborter.abort();
    await answer;
    return pulled();
  };
  const bare = await takeOf(globalThis.fetch);
  const seen = await takeOf(observe().fetch);
  expect(bare).toBeGreaterThan(0);
  expect(seen).toBeLessThan(bare * 1.25 + 4 * PIECE);
});

it("is told by its address when the answer comes before all of it was sent", async () => {
  const test = observe();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  controller?.enqueue(Buffer.from('{"model":"m",'));
  const response = await test.fetch(toRequest(`${base}/early${path}`, body));
  await response.text().catch(() => undefined);
  controller?.error(new Error("enough"));
  test.observer.close();
  expect(test.ended).toHaveLength(1);
});

it("of which a clone is sent is told once", async () => {
  const test = observe();
  const request = toRequest(`${base}${path}`, toJson("Hello"));
  const copy = request.clone();
  await (await test.fetch(copy)).text();
  expect(await request.json()).toMatchObject({ model: "m" });
  expect(inputOf(test)).toContain("Hello");
});
