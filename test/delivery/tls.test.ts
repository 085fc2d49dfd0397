import { createServer as createHttpServer, request as httpRequest, type Agent } from "node:http";
import { Agent as TlsAgent, createServer, type AgentOptions } from "node:https";
import { connect as connectTcp, type AddressInfo, type Server, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpTransport, type TransportAnswer } from "../../src/delivery/http-transport.ts";
import { createAuthority } from "../helpers/certificates.ts";

const authority = createAuthority("Test authority");
const stranger = createAuthority("Another authority");
const serverCertificate = authority.issue("platform");
const clientCertificate = authority.issue("the bank's service");

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Starts a platform behind mutual TLS; `clients` are the names of those it has spoken with. */
async function startPlatform(): Promise<{ port: number; clients: string[] }> {
  const clients: string[] = [];
  const options = { ca: authority.cert, requestCert: true, rejectUnauthorized: true };
  const server = createServer({ ...serverCertificate, ...options }, (incoming, response) => {
    clients.push(String((incoming.socket as TLSSocket).getPeerCertificate().subject.CN));
    incoming.resume().on("end", () => response.writeHead(202).end("{}"));
  });
  server.on("tlsClientError", () => undefined);
  return { port: await listen(server), clients };
}

interface Proxy {
  readonly port: number;
  /** What it was asked to connect to, and the names of the headers that came along. */
  readonly tunnels: { target: string; headers: string[] }[];
}

/** Starts a proxy that knows CONNECT alone. */
async function startProxy(status = 200): Promise<Proxy> {
  const tunnels: Proxy["tunnels"] = [];
  const server = createHttpServer();
  server.on("connect", (incoming, client: Socket) => {
    const target = incoming.url ?? "";
    tunnels.push({ target, headers: Object.keys(incoming.headers) });
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
      return;
    }
    const [host, port] = target.split(":");
    const upstream = connectTcp(Number(port), host, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on("error", () => client.destroy());
    client.on("close", () => upstream.destroy());
  });
  return { port: await listen(server), tunnels };
}

/** Makes an agent as proxy packages do: it connects through a tunnel and speaks TLS inside. */
function createProxyAgent(proxyPort: number, options: AgentOptions): Agent {
  const createConnection = (
    target: ConnectionOptions,
    callback: (error: Error | null, socket?: Socket) => void,
  ): void => {
    const tunnel = httpRequest({
      port: proxyPort,
      host: "127.0.0.1",
      method: "CONNECT",
      path: `${String(target.host)}:${String(target.port)}`,
    });
    tunnel.on("error", (error) => callback(error));
    tunnel.on("connect", (answer, socket: Socket) => {
      if (answer.statusCode === 200) callback(null, connectTls({ ...target, socket }));
      else callback(Object.assign(new Error("refused"), { code: `PROXY_${answer.statusCode}` }));
    });
    tunnel.end();
  };
  return Object.assign(new TlsAgent({ keepAlive: true, ...options }), { createConnection });
}

function send(port: number, agent: Agent): Promise<TransportAnswer> {
  const transport = createHttpTransport({
    endpoint: `https://127.0.0.1:${port}`,
    apiKey: "key-of-the-bank",
    organizationId: "bank",
    requestTimeout: 5000,
    agent,
  });
  // The agent is the caller's: closing the transport leaves it alone.
  transport.close();
  cleanups.push(() => agent.destroy());
  const request = { method: "POST", path: "/v1/batches", headers: {}, body: Buffer.from("{}") };
  return transport.send({ ...request, method: "POST" }, new AbortController().signal);
}

describe("mutual TLS", () => {
  it("is done with the certificate of the agent", async () => {
    const { port, clients } = await startPlatform();
    const agent = new TlsAgent({ ca: authority.cert, ...clientCertificate, keepAlive: true });
    expect(await send(port, agent)).toMatchObject({ kind: "answer", status: 202 });
    expect(await send(port, agent)).toMatchObject({ kind: "answer", status: 202 });
    expect(clients).toEqual(["the bank's service", "the bank's service"]);
  });

  it.each([
    ["without a certificate", { ca: authority.cert }],
    ["with one of another authority", { ca: authority.cert, ...stranger.issue("a stranger") }],
    ["with a platform of another authority", { ca: stranger.cert, ...clientCertificate }],
  ])("fails, as a value: %s", async (_name, options) => {
    const { port, clients } = await startPlatform();
    const answer = await send(port, new TlsAgent(options));
    expect(answer.kind).toBe("failure");
    expect(JSON.stringify(answer)).not.toMatch(/PRIVATE|CERTIFICATE---|key-of-the-bank/);
    expect(clients).toEqual([]);
  });
});

describe("a proxy", () => {
  it("is passed through, and sees no credential", async () => {
    const { port, clients } = await startPlatform();
    const proxy = await startProxy();
    const agent = createProxyAgent(proxy.port, { ca: authority.cert, ...clientCertificate });
    expect(await send(port, agent)).toMatchObject({ kind: "answer", status: 202 });
    expect(await send(port, agent)).toMatchObject({ kind: "answer", status: 202 });
    expect(clients).toHaveLength(2);
    expect(proxy.tunnels).toEqual([
      { target: `127.0.0.1:${port}`, headers: ["host", "connection"] },
    ]);
  });

  it("that refuses is a failure like any other", async () => {
    const { port, clients } = await startPlatform();
    const proxy = await startProxy(407);
    const agent = createProxyAgent(proxy.port, { ca: authority.cert, ...clientCertificate });
    expect(await send(port, agent)).toEqual({ kind: "failure", reason: "PROXY_407" });
    expect(proxy.tunnels).toHaveLength(1);
    expect(clients).toEqual([]);
  });
});
