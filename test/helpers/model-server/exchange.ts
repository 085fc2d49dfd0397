import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import type { Behaviour } from "./behaviour.ts";
import { sendBody, type Progress } from "./send.ts";

/** A request as it came, and what became of its answer. */
export interface ModelServerRequest extends Readonly<Progress> {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: any;
  /** Name of the protocol; `undefined` for a path that none knows, which is answered with 404. */
  readonly protocol: string | undefined;
  readonly status: number;
  readonly streamed: boolean;
}

type Writable<Type> = { -readonly [Member in keyof Type]: Type[Member] };

/** A request while it is answered. */
export interface Exchange {
  readonly log: Writable<ModelServerRequest>;
  readonly url: URL;
  readonly response: ServerResponse;
}

const HTML =
  "<!doctype html><title>Gateway</title><p>The gateway answered instead of the model.</p>";

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const body = await text(incoming);
  try {
    return body === "" ? {} : JSON.parse(body);
  } catch {
    return body;
  }
}

/** Reads a request to its end, and watches what becomes of the answer. */
export async function toExchange(
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<Exchange> {
  const { method = "", url: path = "/", headers } = incoming;
  const log: Writable<ModelServerRequest> = {
    method,
    path,
    headers,
    body: undefined,
    protocol: undefined,
    status: 0,
    streamed: false,
    frames: 0,
    text: "",
    outcome: "pending",
  };
  response.once("close", () => {
    if (log.outcome !== "pending") return;
    log.outcome = response.writableFinished ? "finished" : "cancelled";
  });
  log.body = await readBody(incoming);
  return { log, url: new URL(path, "http://127.0.0.1"), response };
}

/** Writes status and headers, with those that the request asked for. */
export function writeHead(
  { log, response }: Exchange,
  behaviour: Behaviour,
  headers: Readonly<Record<string, string | number>>,
): void {
  log.status = behaviour.status;
  response.writeHead(behaviour.status, {
    ...headers,
    "x-request-id": `req-${log.protocol}`,
    ...(behaviour.type !== undefined && { "content-type": behaviour.type }),
    ...(behaviour.retryAfter !== undefined && { "retry-after": behaviour.retryAfter }),
  });
}

/** Answers with a whole body. */
export async function sendJson(
  exchange: Exchange,
  body: unknown,
  behaviour: Behaviour,
): Promise<void> {
  const written = Buffer.from(behaviour.html ? HTML : JSON.stringify(body));
  const sent = behaviour.gzip ? gzipSync(written) : written;
  writeHead(exchange, behaviour, {
    "content-type": behaviour.html ? "text/html" : "application/json",
    "content-length": sent.length,
    ...(behaviour.gzip && { "content-encoding": "gzip" }),
  });
  await sendBody(exchange.response, sent, behaviour, exchange.log);
}
