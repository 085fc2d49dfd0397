import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { gunzipSync } from "node:zlib";

/** A request as it came over the wire. */
export interface SinkRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body, decoded and parsed; `undefined` when it is no JSON. */
  readonly json: any;
  /** The decoded body. */
  readonly text: string;
}

/** Answers a request; `undefined` means 202. `"hang"` never answers, `"reset"` cuts the connection. */
export type SinkAnswer =
  | { status: number; headers?: Record<string, string>; body?: unknown }
  | "hang"
  | "reset"
  | undefined;

export interface Sink {
  readonly url: string;
  readonly requests: SinkRequest[];
  /** Requests to the batch path that were answered with 2xx. */
  readonly batches: any[];
  /** Contents of the accepted events, in order of arrival. */
  readonly events: any[];
  answer: (request: SinkRequest) => SinkAnswer | Promise<SinkAnswer>;
  close(): Promise<void>;
}

function reply(
  response: ServerResponse,
  request: SinkRequest,
  answer: Exclude<SinkAnswer, "hang" | "reset">,
): void {
  const ack = {
    batchId: request.json?.batchId ?? "",
    status: "accepted",
    accepted: request.json?.events?.length ?? 0,
    duplicates: 0,
    rejected: [],
  };
  response.writeHead(answer?.status ?? 202, {
    "content-type": "application/json",
    ...answer?.headers,
  });
  response.end(JSON.stringify(answer?.body ?? ack));
}

/** Starts a real HTTP server on loopback that takes what a test tells it to take; on any port, if none is asked for. */
export async function startSink(port = 0): Promise<Sink> {
  const sockets = new Set<Socket>();
  const sink: Sink = {
    url: "",
    requests: [],
    batches: [],
    events: [],
    answer: () => undefined,
    close: () => Promise.resolve(),
  };
  const server: Server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("error", () => undefined);
    incoming.on("end", async () => {
      const body = Buffer.concat(chunks);
      const text = (
        incoming.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body
      ).toString("utf8");
      let json: unknown;
      try {
        json = JSON.parse(text);
      } catch {
        json = undefined;
      }
      const request = {
        method: incoming.method ?? "",
        path: incoming.url ?? "",
        headers: incoming.headers,
        body,
        text,
        json,
      } as SinkRequest;
      sink.requests.push(request);
      const answer = await sink.answer(request);
      if (answer === "hang") return;
      if (answer === "reset") {
        incoming.socket.destroy();
        return;
      }
      if ((answer?.status ?? 202) < 300 && request.path.endsWith("/v1/batches")) {
        sink.batches.push(request.json);
        sink.events.push(...request.json.events);
      }
      reply(response, request, answer);
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(sink, {
    url,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  });
}
