import { createHash } from "node:crypto";
import type * as http from "node:http";
import { context } from "@opentelemetry/api";
import { suppressTracing } from "@opentelemetry/core";
import { toOrganizationHeader } from "../events/organization-header.ts";
import { CONTENT_DIGEST_HEADER, ORGANIZATION_HEADER } from "../events/wire.ts";
import { VERSION } from "../version.ts";
import type { RequestSigner } from "./request-signing.ts";

/** More of an answer is not read: acks and problem documents are small. */
const MAX_ANSWER_BYTES = 256 * 1024;
/** Idle connections that are kept for the next batch. */
const MAX_FREE_SOCKETS = 2;

/** One request to the platform. */
export interface TransportRequest {
  readonly method: "POST" | "PUT";
  /** Path below the endpoint, with its leading slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What came of a request: an answer, or none. */
export type TransportAnswer =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: http.IncomingHttpHeaders;
      readonly body: string;
    }
  | {
      readonly kind: "failure";
      /** Error code or reason, without content and credentials. */
      readonly reason: string;
    };

/** Sends requests to the platform; failures are values. */
export interface Transport {
  /** Where it sends to, for log lines: the base URL without credentials and query. */
  readonly url: string;
  send(request: TransportRequest, signal: AbortSignal): Promise<TransportAnswer>;
  close(): void;
}

export interface HttpTransportOptions {
  readonly endpoint: string;
  readonly apiKey: string;
  readonly organizationId: string;
  /**
   * Deadline of one request in ms, from connecting to the last byte of the answer.
   *
   * A request is made twice when the first answer shows that signatures were made at a wrong time.
   */
  readonly requestTimeout: number;
  /** The caller's agent: proxy or mutual TLS. It is not destroyed by `close`. */
  readonly agent?: http.Agent | undefined;
  /** Signs every request; absent, none is. */
  readonly signer?: RequestSigner | undefined;
}

/** Appends a path; as a reference to resolve, `//host` would name another host. */
function toUrl(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = base.pathname.replace(/\/+$/, "") + path;
  return url;
}

function toReason(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "request failed";
}

/**
 * Creates a transport on `node:http(s)`.
 *
 * It follows no redirect, since a redirect would carry the credential elsewhere, and reads no environment
 * variable, so no other vendor's headers end up in our requests. Its sockets don't keep the process alive.
 */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const base = new URL(options.endpoint);
  const isTls = base.protocol === "https:";
  let ownAgent: http.Agent | undefined;

  // Loaded at first use: OTel's HTTP instrumentation patches only what is loaded after it.
  const loadHttp = async (): Promise<typeof http> =>
    isTls ? ((await import("node:https")) as unknown as typeof http) : import("node:http");

  const agentOf = (module: typeof http): http.Agent => {
    if (options.agent) return options.agent;
    ownAgent ??= new module.Agent({ keepAlive: true, maxFreeSockets: MAX_FREE_SOCKETS });
    return ownAgent;
  };

  const headersOf = (request: TransportRequest, url: URL): Record<string, string> => {
    const headers = {
      ...request.headers,
      "content-length": String(request.body.length),
      "user-agent": `agent-monitor/${VERSION}`,
      accept: "application/json",
      authorization: `Bearer ${options.apiKey}`,
      [ORGANIZATION_HEADER]: toOrganizationHeader(options.organizationId),
      [CONTENT_DIGEST_HEADER]: `sha-256=:${createHash("sha256").update(request.body).digest("base64")}:`,
    };
    const { method } = request;
    return { ...headers, ...options.signer?.sign({ method, url: url.href, headers }) };
  };

  const attempt = async (
    request: TransportRequest,
    signal: AbortSignal,
  ): Promise<TransportAnswer> => {
    const module = await loadHttp();
    const url = toUrl(base, request.path);
    return context.with(suppressTracing(context.active()), () =>
      sendOnce(module, request, signal, {
        url,
        headers: headersOf(request, url),
        agent: agentOf(module),
        timeoutMillis: options.requestTimeout,
      }),
    );
  };

  return {
    url: base.origin + base.pathname.replace(/\/+$/, ""),
    async send(request, signal) {
      const answer = await attempt(request, signal);
      if (answer.kind === "failure") return answer;
      // A clock that runs wrong must not block delivery: the same request is signed at the platform's time.
      const isTimeCorrected = options.signer?.adjustClock(answer.headers.date) ?? false;
      return isTimeCorrected && answer.status === 401 ? attempt(request, signal) : answer;
    },
    close() {
      ownAgent?.destroy();
    },
  };
}

interface SendOptions {
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly agent: http.Agent;
  readonly timeoutMillis: number;
}

function sendOnce(
  module: typeof http,
  request: TransportRequest,
  signal: AbortSignal,
  { url, headers, agent, timeoutMillis }: SendOptions,
): Promise<TransportAnswer> {
  return new Promise((resolve) => {
    let outgoing: http.ClientRequest | undefined;
    let reader: AnswerReader | undefined;
    const finish = (answer: TransportAnswer): void => {
      clearTimeout(deadline);
      signal.removeEventListener("abort", onAbort);
      resolve(answer);
    };
    const fail = (reason: string): void => {
      // A 2xx whose body breaks off is an ack all the same: sending again could only store the batch twice.
      finish(reader?.isTaken ? reader.toAnswer() : { kind: "failure", reason });
      outgoing?.destroy();
    };
    const onAbort = (): void => fail("aborted");
    // A wall-clock deadline of the whole attempt: an answer that drips must end too.
    const deadline = setTimeout(() => fail(`no answer within ${timeoutMillis} ms`), timeoutMillis);
    deadline.unref();
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener("abort", onAbort);
    try {
      outgoing = module.request(url, { method: request.method, headers, agent });
    } catch (error) {
      fail(toReason(error));
      return;
    }
    outgoing.on("socket", (socket) => socket.unref());
    outgoing.on("error", (error) => fail(toReason(error)));
    outgoing.on("response", (incoming) => {
      const current = new AnswerReader(incoming);
      reader = current;
      incoming.on("data", (chunk: Buffer) => {
        if (!current.add(chunk)) fail(`answer of more than ${MAX_ANSWER_BYTES} bytes`);
      });
      incoming.on("error", (error) => fail(toReason(error)));
      incoming.on("aborted", () => fail("answer cut off"));
      incoming.on("end", () => finish(current.toAnswer()));
    });
    outgoing.end(request.body);
  });
}

/** Collects an answer; what is there of it, when it breaks off, is in `partial`. */
class AnswerReader {
  readonly #incoming: http.IncomingMessage;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(incoming: http.IncomingMessage) {
    this.#incoming = incoming;
  }

  /** Takes a chunk; tells whether there is room for more. */
  add(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes <= MAX_ANSWER_BYTES) this.#chunks.push(chunk);
    return this.#bytes <= MAX_ANSWER_BYTES;
  }

  /** Whether the platform has taken the request, whatever is still to be said of it. */
  get isTaken(): boolean {
    const status = this.#incoming.statusCode ?? 0;
    return status >= 200 && status < 300;
  }

  toAnswer(): TransportAnswer {
    return {
      kind: "answer",
      status: this.#incoming.statusCode ?? 0,
      headers: this.#incoming.headers,
      body: Buffer.concat(this.#chunks).toString("utf8"),
    };
  }
}
