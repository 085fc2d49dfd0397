import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { observe } from "./observed.ts";

const BODY = JSON.stringify({
  id: "chatcmpl-1",
  model: "m",
  choices: [
    { index: 0, message: { role: "assistant", content: "Grüße 🏦" }, finish_reason: "stop" },
  ],
});
const REQUEST: RequestInit = {
  method: "POST",
  body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello" }] }),
};
const PIECES = 40;

function sendStream(response: ServerResponse): void {
  response.setHeader("content-type", "text/event-stream");
  let sent = 0;
  const next = (): void => {
    if (sent++ < PIECES) {
      response.write(`data: {"choices":[{"index":0,"delta":{"content":"${sent},"}}]}\n\n`);
      setTimeout(next, 1);
    } else response.end("data: [DONE]\n\n");
  };
  next();
}

function answer(path: string, response: ServerResponse): void {
  if (path.startsWith("/moved")) {
    response.writeHead(307, { location: "/v1/chat/completions" }).end();
  } else if (path.startsWith("/none")) response.writeHead(204).end();
  else if (path.startsWith("/teapot")) {
    response.writeHead(418, "I'm a teapot", { "x-one": "1" }).end('{"error":{"message":"no"}}');
  } else if (path.startsWith("/form")) {
    response.setHeader("content-type", "application/x-www-form-urlencoded");
    response.end("a=1&b=2");
  } else if (path.startsWith("/gzip")) {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(BODY));
  } else if (path.startsWith("/cut")) {
    response.writeHead(200, { "content-length": "999" }).write(BODY.slice(0, 20));
    setTimeout(() => response.destroy(), 20);
  } else if (path.startsWith("/stream")) sendStream(response);
  else response.writeHead(200, { "set-cookie": ["a=1", "b=2"] }).end(BODY);
}

let server: Server;
let base = "";

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on("end", () => answer(request.url ?? "", response));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function settle(action: () => unknown): Promise<unknown> {
  try {
    return { value: await action() };
  } catch (error) {
    const { name, message, code } = error as Error & { code?: string };
    return { name, message, code, isTypeError: error instanceof TypeError };
  }
}

const toBytes = (buffer: ArrayBuffer): string => Buffer.from(buffer).toString("base64");

/** Not every Node 20 has it. */
async function readBytes(response: Response): Promise<Uint8Array> {
  const { bytes } = response as unknown as { bytes?: () => Promise<Uint8Array> };
  return bytes ? bytes.call(response) : new Uint8Array(await response.arrayBuffer());
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function readInto(stream: ReadableStream<Uint8Array>): Promise<unknown[]> {
  const reader = stream.getReader({ mode: "byob" });
  const seen: unknown[] = [];
  let buffer = new ArrayBuffer(16);
  for (;;) {
    const { done, value } = await reader.read(new Uint8Array(buffer));
    if (done)
      return [
        seen.reduce((sum: number, size) => sum + Number(size), 0),
        reader.closed instanceof Promise,
      ];
    seen.push(value.byteLength);
    buffer = value.buffer;
  }
}

/** What a caller may do with a response, and see of it. */
const BEHAVIOURS: Record<string, (response: Response) => unknown> = {
  members: (response) => {
    const { status, statusText, ok, url, redirected, type, bodyUsed } = response;
    const headers = [...response.headers].filter(([name]) => name !== "date");
    const { constructor } = response;
    return [
      { status, statusText, ok, url, redirected, type, bodyUsed, headers },
      constructor === Response,
      response instanceof Response,
      response.headers.getSetCookie(),
      Object.keys(response),
      JSON.stringify(response),
      Object.prototype.toString.call(response),
      response.body === response.body,
      response.body === null || response.body instanceof ReadableStream,
      // Symbols are the platform's own, with the times of the request.
      inspect(response).replaceAll(/date: '[^']*'|[A-Z][a-z]{2}, .* GMT/g, ""),
    ];
  },
  "immutable headers": (response) => response.headers.set("a", "b"),
  json: (response) => response.json(),
  text: (response) => response.text(),
  arrayBuffer: async (response) => toBytes(await response.arrayBuffer()),
  blob: async (response) => {
    const blob = await response.blob();
    return [blob.type, blob.size, await blob.text()];
  },
  bytes: async (response) => toBytes((await readBytes(response)).buffer as ArrayBuffer),
  // oxlint-disable-next-line typescript/no-deprecated -- callers use it all the same
  formData: async (response) => [...(await response.formData())],
  "bodyUsed after a read": async (response) => {
    const reading = response.text();
    const during = [response.bodyUsed, response.body?.locked];
    await settle(() => reading);
    return [during, response.bodyUsed, response.body?.locked];
  },
  "a second read": async (response) => [
    await settle(() => response.text()),
    await settle(() => response.json()),
  ],
  "two reads at once": (response) =>
    Promise.all([settle(() => response.text()), settle(() => response.json())]),
  "a read of a locked body": async (response) => {
    const reader = response.body?.getReader();
    const failed = await settle(() => response.text());
    reader?.releaseLock();
    return [failed, response.bodyUsed, await settle(() => response.text())];
  },
  clone: async (response) => {
    const copy = response.clone();
    const { status, url, redirected, type, bodyUsed } = copy;
    return [
      { status, url, redirected, type, bodyUsed },
      copy instanceof Response,
      await settle(() => copy.text()),
      response.bodyUsed,
      await settle(() => response.text()),
    ];
  },
  "clone of a clone, read as streams": async (response) => {
    const copies = [response.clone().clone(), response];
    return Promise.all(copies.map((copy) => settle(() => copy.body && readAll(copy.body))));
  },
  "clone after a read": async (response) => {
    await settle(() => response.text());
    return settle(() => response.clone().status);
  },
  "detached readers": (response) => {
    const { text } = response;
    return Reflect.apply(text, undefined, []);
  },
  "readers of the class": (response) => Response.prototype.text.call(response),
  iteration: (response) => response.body && readAll(response.body),
  "members of its stream": (response) => {
    if (!response.body) return null;
    const iterator = response.body[Symbol.asyncIterator]();
    const keys = [response.body, iterator].map((each) => Object.keys(each));
    return [keys, inspect(iterator)];
  },
  "iteration that is left": async (response) => {
    for await (const _ of response.body ?? []) break;
    return [response.bodyUsed, response.body?.locked];
  },
  "iteration that is paused": async (response) => {
    if (!response.body) return null;
    for await (const _ of response.body.values({ preventCancel: true })) break;
    const { locked } = response.body;
    // How much came in one piece is not said.
    return [locked, typeof (await readAll(response.body))];
  },
  "a default reader": async (response) => {
    if (!response.body) return null;
    const reader = response.body.getReader();
    const { done } = await reader.read();
    const { locked } = response.body;
    await reader.cancel("enough");
    const after = await reader.read();
    reader.releaseLock();
    return [done, locked, after, response.body.locked, await settle(() => reader.read())];
  },
  "a reader that is released while it reads": async (response) => {
    if (!response.body) return null;
    const reader = response.body.getReader();
    await reader.read();
    const reading = settle(() => reader.closed);
    reader.releaseLock();
    return reading;
  },
  "a BYOB reader": (response) => response.body && readInto(response.body),
  cancel: async (response) => [
    await settle(() => response.body?.cancel("enough")),
    response.bodyUsed,
    await settle(() => response.text()),
  ],
  "cancel while locked": async (response) => {
    const reader = response.body?.getReader();
    const failed = await settle(() => response.body?.cancel());
    await reader?.cancel();
    return failed;
  },
  tee: async (response) => {
    if (!response.body) return null;
    const branches = response.body.tee();
    return [
      response.body.locked,
      await Promise.all(branches.map((each) => settle(() => readAll(each)))),
    ];
  },
  pipeTo: async (response) => {
    let text = "";
    const decoder = new TextDecoder();
    const sink = new WritableStream<Uint8Array>({
      write: (chunk) => void (text += decoder.decode(chunk, { stream: true })),
    });
    const ended = await settle(() => response.body?.pipeTo(sink));
    return [ended, text, response.body?.locked];
  },
  "pipeTo a sink that fails": async (response) => {
    const sink = new WritableStream({
      write() {
        throw new Error("full");
      },
    });
    return [
      await settle(() => response.body?.pipeTo(sink, { preventCancel: true })),
      response.body?.locked,
    ];
  },
  pipeThrough: async (response) => {
    const piped = response.body?.pipeThrough(new TextDecoderStream());
    let text = "";
    for await (const chunk of piped ?? []) text += chunk;
    return text;
  },
  "pipeThrough nothing": (response) => response.body?.pipeThrough({} as never),
  "a new response of the body": (response) => new Response(response.body).text(),
  "Node's streams": async (response) => {
    if (!response.body) return null;
    return Buffer.concat(await Readable.fromWeb(response.body as never).toArray()).toString();
  },
  structuredClone: (response) => structuredClone(response),
};

const PATHS = ["/v1", "/moved", "/none", "/teapot", "/form", "/gzip", "/cut", "/stream"];

describe.each(PATHS)("a response of %s", (path) => {
  const url = (): string => `${base}${path}/chat/completions`;

  it.each(Object.entries(BEHAVIOURS))("%s: is as without the observer", async (_, behave) => {
    const observed = observe();
    const [bare, seen] = await Promise.all(
      [globalThis.fetch, observed.fetch].map(async (send) => {
        const response = await send(url(), REQUEST);
        return settle(() => behave(response));
      }),
    );
    expect(seen).toEqual(bare);
    observed.observer.close();
    expect(observed.warnings).toEqual([]);
    expect(observed.ended.length).toBe(1);
    expect(observed.providers.spans().length).toBe(1);
  });
});

/** Ways to read a body to its end, each of which tells the answer. */
const READS: Record<string, (response: Response) => Promise<unknown>> = {
  json: (response) => response.json(),
  text: (response) => response.text(),
  arrayBuffer: (response) => response.arrayBuffer(),
  bytes: readBytes,
  blob: (response) => response.blob(),
  "a clone": (response) => response.clone().json(),
  "a clone whose original is left": async (response) => {
    const copy = response.clone();
    const cancelled = response.body!.cancel();
    await copy.text();
    void cancelled;
  },
  "the original of a clone": async (response) => {
    const copy = response.clone();
    await Promise.all([copy.body?.cancel(), response.text()]);
  },
  iteration: (response) => readAll(response.body!),
  BYOB: (response) => readInto(response.body!),
  tee: async (response) => {
    const [one, other] = response.body!.tee();
    await Promise.all([one.cancel(), readAll(other)]);
  },
  pipeTo: (response) => response.body!.pipeTo(new WritableStream()),
  pipeThrough: (response) => readAll(response.body!.pipeThrough(new TransformStream())),
  "a new response": (response) => new Response(response.body).arrayBuffer(),
  "Node's streams": (response) => Readable.fromWeb(response.body as never).toArray(),
  "the class": (response) => {
    void response.body;
    return Response.prototype.text.call(response);
  },
};

it.each(Object.entries(READS))("%s: the answer is told", async (_, read) => {
  const observed = observe();
  await read(await observed.fetch(`${base}/v1/chat/completions`, REQUEST));
  await expect.poll(() => observed.ended.length).toBe(1);
  expect(observed.call()["gen_ai.output.messages"]).toEqual([
    { role: "assistant", parts: [{ type: "text", content: "Grüße 🏦" }], finish_reason: "stop" },
  ]);
  expect(observed.observer.open).toBe(0);
});
