import { createHash } from "node:crypto";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import {
  createHttpTransport,
  type HttpTransportOptions,
} from "../../src/delivery/http-transport.ts";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
  vi.unstubAllEnvs();
});

async function listen(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function create(endpoint: string, options: Partial<HttpTransportOptions> = {}) {
  const transport = createHttpTransport({
    endpoint,
    apiKey: "key-of-the-bank",
    organizationId: "bank",
    requestTimeout: 5000,
    ...options,
  });
  cleanups.push(() => transport.close());
  return transport;
}

const request = {
  method: "POST" as const,
  path: "/v1/batches",
  headers: { "x-test": "1" },
  body: Buffer.from("{}"),
};
const never = (): AbortSignal => new AbortController().signal;

it("sends exactly the documented headers, whatever OTEL_* says", async () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", "x-vendor-key=secret");
  vi.stubEnv("OTEL_EXPORTER_OTLP_LOGS_HEADERS", "authorization=Basic abc");
  let seen: Record<string, unknown> = {};
  let path = "";
  const url = await listen((incoming, response) => {
    seen = incoming.headers;
    path = incoming.url ?? "";
    incoming.resume().on("end", () => response.writeHead(202).end("ok"));
  });
  const answer = await create(`${url}/base/`).send(request, never());
  expect(answer).toMatchObject({ kind: "answer", status: 202, body: "ok" });
  expect(path).toBe("/base/v1/batches");
  expect(Object.keys(seen).toSorted()).toEqual([
    "accept",
    "authorization",
    "connection",
    "content-digest",
    "content-length",
    "host",
    "user-agent",
    "x-organization-id",
    "x-test",
  ]);
  expect(seen["authorization"]).toBe("Bearer key-of-the-bank");
  expect(seen["content-digest"]).toBe(
    `sha-256=:${createHash("sha256").update("{}").digest("base64")}:`,
  );
});

it("follows no redirect", async () => {
  let requests = 0;
  const other = await listen((_incoming, response) => {
    requests++;
    response.end();
  });
  const url = await listen((_incoming, response) =>
    response.writeHead(307, { location: other }).end(),
  );
  expect(await create(url).send(request, never())).toMatchObject({ kind: "answer", status: 307 });
  expect(requests).toBe(0);
});

it("gives up at its deadline when the server never answers", async () => {
  const url = await listen(() => undefined);
  const answer = await create(url, { requestTimeout: 50 }).send(request, never());
  expect(answer).toEqual({ kind: "failure", reason: "no answer within 50 ms" });
});

it("gives up at its deadline when the answer drips for ever", async () => {
  const url = await listen((_incoming, response) => {
    response.writeHead(500);
    const timer = setInterval(() => response.write("x"), 10);
    response.on("close", () => clearInterval(timer));
  });
  const answer = await create(url, { requestTimeout: 100 }).send(request, never());
  expect(answer).toEqual({ kind: "failure", reason: "no answer within 100 ms" });
});

it("does not read an answer without end", async () => {
  const url = await listen((_incoming, response) => {
    response.writeHead(500);
    response.end(Buffer.alloc(1024 * 1024));
  });
  expect((await create(url).send(request, never())).kind).toBe("failure");
});

it("tells a refused connection, a cut one and an aborted one as failures", async () => {
  const refused = createTcpServer();
  await new Promise<void>((resolve) => refused.listen(0, "127.0.0.1", resolve));
  const { port } = refused.address() as AddressInfo;
  await new Promise<void>((resolve) => refused.close(() => resolve()));
  expect(await create(`http://127.0.0.1:${port}`).send(request, never())).toEqual({
    kind: "failure",
    reason: "ECONNREFUSED",
  });

  const cut = await listen((incoming) => incoming.socket.destroy());
  expect((await create(cut).send(request, never())).kind).toBe("failure");

  const half = await listen((incoming, response) => {
    response.writeHead(500, { "content-length": "100" });
    response.write("half");
    setImmediate(() => incoming.socket.destroy());
  });
  expect((await create(half).send(request, never())).kind).toBe("failure");

  const hanging = await listen(() => undefined);
  const abort = new AbortController();
  const answer = create(hanging).send(request, abort.signal);
  setImmediate(() => abort.abort());
  expect(await answer).toEqual({ kind: "failure", reason: "aborted" });
});

it("takes a 2xx for an answer even if its body drips, is cut off or has no end", async () => {
  const bodies: ((response: ServerResponse) => void)[] = [
    (response) => void response.write("drip"),
    (response) => {
      response.write("half");
      setImmediate(() => response.socket?.destroy());
    },
    (response) => void response.end(Buffer.alloc(1024 * 1024)),
  ];
  for (const write of bodies) {
    const url = await listen((_incoming, response) => {
      response.writeHead(202);
      response.flushHeaders();
      setTimeout(() => write(response), 5);
    });
    const answer = await create(url, { requestTimeout: 200 }).send(request, never());
    expect(answer).toMatchObject({ kind: "answer", status: 202 });
  }
});

it("never leaves the host of the endpoint", async () => {
  const paths: string[] = [];
  const url = await listen((incoming, response) => {
    paths.push(incoming.url ?? "");
    response.end("{}");
  });
  for (const base of [`${url}//`, `${url}//other.example/`, `${url}/base//`]) {
    expect(await create(base).send(request, never())).toMatchObject({ kind: "answer" });
  }
  expect(paths).toEqual(["/v1/batches", "//other.example/v1/batches", "/base/v1/batches"]);
});

it("keeps the connection for the next request", async () => {
  const sockets = new Set<unknown>();
  const url = await listen((incoming, response) => {
    sockets.add(incoming.socket);
    incoming.resume().on("end", () => response.end("{}"));
  });
  const transport = create(url);
  for (let index = 0; index < 3; index++) await transport.send(request, never());
  expect(sockets.size).toBe(1);
});

it("never shows the credential in what it answers", async () => {
  const answer = await create("http://127.0.0.1:1").send(request, never());
  expect(JSON.stringify(answer)).not.toContain("key-of-the-bank");
});
