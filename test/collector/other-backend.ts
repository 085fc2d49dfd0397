import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

/** What the other backend does with a request. */
export type Manner = "take" | "hang" | "refuse";

/** An OTLP backend that is not the platform: it counts what is in the JSON it gets. */
export interface OtherBackend {
  readonly url: string;
  manner: Manner;
  /** Requests that came, whatever became of them. */
  readonly requests: number;
  /** Spans that it has taken. */
  readonly spans: number;
  close(): Promise<void>;
}

interface TraceRequest {
  readonly resourceSpans?: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly unknown[] }[];
  }[];
}

/** Counts the spans of a request as collectors send it: JSON, compressed. */
function countSpans(body: Buffer): number {
  const { resourceSpans = [] } = JSON.parse(gunzipSync(body).toString("utf8")) as TraceRequest;
  const scopes = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans);
  return scopes.reduce((sum, { spans }) => sum + spans.length, 0);
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
}

/** Starts a backend that takes everything until it is told otherwise. */
export async function startOtherBackend(): Promise<OtherBackend> {
  let [requests, spans] = [0, 0];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("error", () => undefined);
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      requests++;
      if (backend.manner === "hang") return;
      if (backend.manner === "take") spans += countSpans(Buffer.concat(chunks));
      response.writeHead(backend.manner === "take" ? 200 : 503, {
        "content-type": "application/json",
      });
      response.end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const backend: OtherBackend = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    manner: "take",
    get requests() {
      return requests;
    },
    get spans() {
      return spans;
    },
    close: () => close(server),
  };
  return backend;
}
