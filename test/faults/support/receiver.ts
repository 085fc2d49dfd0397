import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { gunzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import type { EventBatch } from "../../../src/events/batch.ts";
import type { VerifiableBatch } from "../../../src/delivery/chain/chain.ts";
import { findMember } from "../../../src/util/json-span.ts";

/** A batch as it came over the wire. */
export interface Arrival {
  /** Requests before it. */
  readonly index: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly batch: EventBatch;
  /** Promised ids of its events. */
  readonly ids: readonly string[];
  /** UTF-8 bytes of the batch. */
  readonly bytes: number;
  /** Monotonic time in ms. */
  readonly at: number;
}

/**
 * What becomes of a request; `undefined` stores the batch and says so.
 *
 * With a status from 300 on nothing is stored. `reset_after_commit` and `hang_after_commit` store it and say nothing,
 * `cut_answer` stores it and breaks off in the middle of the answer; `rejected` are the positions of events that are
 * not taken; `after` waits for something before the batch is taken.
 */
export type Fault =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
  | { readonly rejected: readonly number[] }
  | { readonly after: Promise<unknown> }
  | "reset"
  | "reset_after_commit"
  | "cut_answer"
  | "hang"
  | "hang_after_commit"
  | "drip"
  | undefined;

/** A platform on a real socket that does what a test tells it to do, and remembers what it took. */
export interface Receiver {
  readonly url: string;
  /** Decides on a request before its body is read: `true` cuts the connection, `body` after the first bytes of it. */
  cut: (index: number) => boolean | "body";
  script: (arrival: Arrival) => Fault;
  /** Requests whose body came. */
  readonly arrivals: readonly Arrival[];
  /** Ids of the events that are stored, each once, in the order of their arrival. */
  readonly ids: readonly string[];
  /** Stored batches, each once, for `verifyBatches`. */
  readonly batches: readonly VerifiableBatch[];
  /** What no client may do: another content under a known key, a key that is not the batch's id. */
  readonly violations: readonly string[];
  stop(): Promise<void>;
  /** Listens again, where it did before. */
  restart(): Promise<void>;
}

const DRIP_MILLIS = 5;

/** Children put the id that they promise at the beginning of the message. */
function toPromisedId(event: object): string {
  const { content = "" } = event as { content?: string };
  return content.split(" ", 1)[0] ?? "";
}

class ReceivingPlatform implements Receiver {
  url = "";
  cut: Receiver["cut"] = () => false;
  script: Receiver["script"] = () => undefined;
  readonly arrivals: Arrival[] = [];
  readonly violations: string[] = [];
  readonly #bodies = new Map<string, Buffer>();
  readonly #stored = new Map<string, VerifiableBatch>();
  readonly #events = new Map<string, string>();
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  #requests = 0;

  get ids(): string[] {
    return [...this.#events.values()];
  }

  get batches(): VerifiableBatch[] {
    return [...this.#stored.values()];
  }

  async restart(): Promise<void> {
    const server = createServer((request, response) => this.#receive(request, response));
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    this.url = `http://127.0.0.1:${this.#port}`;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const index = this.#requests++;
    const cut = this.cut(index);
    if (cut === true) {
      request.socket.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    request.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (cut === "body") request.socket.destroy();
    });
    request.on("end", () => {
      if (cut === false) void this.#answer(request, response, index, Buffer.concat(chunks));
    });
  }

  async #answer(
    { headers, url: path = "" }: IncomingMessage,
    response: ServerResponse,
    index: number,
    body: Buffer,
  ): Promise<void> {
    const plain = headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
    const batch = JSON.parse(plain.toString("utf8")) as EventBatch;
    const at = performance.now();
    const ids = batch.events.map(toPromisedId);
    const arrival = { index, path, headers, batch, ids, bytes: plain.length, at };
    this.arrivals.push(arrival);
    this.#checkKey(arrival, plain);
    const fault = this.script(arrival);
    if (fault === "hang") return;
    if (fault === "reset") {
      response.destroy();
      return;
    }
    if (typeof fault === "object" && "status" in fault) {
      response.writeHead(fault.status, fault.headers);
      response.end(fault.body === undefined ? "" : JSON.stringify(fault.body));
      return;
    }
    if (typeof fault === "object" && "after" in fault) await fault.after;
    const rejected = typeof fault === "object" && "rejected" in fault ? fault.rejected : [];
    this.#acknowledge(response, fault, this.#store(batch, plain, rejected));
  }

  /** Every attempt of a batch must carry the same bytes, or a platform that knows its id would store the wrong ones. */
  #checkKey({ headers, batch, index }: Arrival, plain: Buffer): void {
    const key = headers["idempotency-key"];
    if (key !== `"${batch.batchId}"`) this.violations.push(`request ${index}: wrong key`);
    const known = this.#bodies.get(batch.batchId);
    if (known && !known.equals(plain)) this.violations.push(`request ${index}: other bytes`);
    this.#bodies.set(batch.batchId, plain);
  }

  #store(batch: EventBatch, plain: Buffer, rejected: readonly number[]): object {
    const { batchId, events } = batch;
    const isDuplicate = this.#stored.has(batchId);
    const span = findMember(plain, "events");
    this.#stored.set(batchId, {
      batch,
      ...(span && { eventsJson: plain.subarray(span.start, span.end) }),
    });
    let accepted = 0;
    for (const [index, event] of events.entries()) {
      if (rejected.includes(index)) continue;
      const id = toPromisedId(event);
      const known = this.#events.get(event.eventId);
      if (known === undefined) accepted++;
      else if (known !== id) this.violations.push(`event ${event.eventId}: other content`);
      this.#events.set(event.eventId, id);
    }
    return {
      batchId,
      status: isDuplicate ? "duplicate" : rejected.length > 0 ? "partial" : "accepted",
      accepted,
      duplicates: events.length - rejected.length - accepted,
      rejected: rejected.map((index) => ({ index, code: "invalid_event", detail: "refused" })),
    };
  }

  #acknowledge(response: ServerResponse, fault: Fault, ack: object): void {
    const text = JSON.stringify(ack);
    if (fault === "hang_after_commit") return;
    if (fault === "reset_after_commit") {
      response.destroy();
      return;
    }
    const headers = { "content-type": "application/json", "content-length": text.length };
    if (fault === "cut_answer") {
      response.writeHead(202, headers);
      response.write(text.slice(0, 10), () => response.destroy());
      return;
    }
    response.writeHead(202, headers);
    if (fault === "drip") drip(response, text);
    else response.end(text);
  }
}

/** Gives an answer away byte by byte. */
function drip(response: ServerResponse, text: string): void {
  if (text === "") response.end();
  if (text === "" || response.destroyed) return;
  response.write(text.slice(0, 1));
  setTimeout(() => drip(response, text.slice(1)), DRIP_MILLIS);
}

/** Starts a receiver that is gone after the test. */
export async function startReceiver(): Promise<Receiver> {
  const receiver = new ReceivingPlatform();
  await receiver.restart();
  onTestFinished(() => receiver.stop());
  return receiver;
}
