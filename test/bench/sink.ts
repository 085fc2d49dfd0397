import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that reads everything and answers at once. */
export interface BenchSink {
  readonly url: string;
  readonly server: Server;
  readonly bytes: number;
  readonly requests: number;
}

/** Starts a sink on a free port. */
export async function startBenchSink(): Promise<BenchSink> {
  const sink = { url: "", bytes: 0, requests: 0 } as {
    -readonly [K in keyof BenchSink]: BenchSink[K];
  };
  sink.server = createServer((incoming, response) => {
    incoming.on("data", (chunk: Buffer) => (sink.bytes += chunk.length));
    incoming.on("end", () => {
      sink.requests++;
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => sink.server.listen(0, "127.0.0.1", resolve));
  sink.url = `http://127.0.0.1:${(sink.server.address() as AddressInfo).port}`;
  return sink;
}
