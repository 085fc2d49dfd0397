import type * as http from "node:http";
import type { SecureContextOptions } from "node:tls";
import { context } from "@opentelemetry/api";
import { suppressTracing } from "@opentelemetry/core";
import { VERSION } from "../version.ts";

/** `User-Agent` of our requests. */
export const USER_AGENT = `agent-monitor/${VERSION}`;

/** One request; it has only these headers and those of the connection. */
export interface HttpRequest {
  readonly method: "POST" | "PUT";
  readonly url: URL;
  readonly headers: http.OutgoingHttpHeaders;
  readonly body: Uint8Array;
}

/** The response to a request, or the reason for which there is none. */
export type HttpAnswer =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: http.IncomingHttpHeaders;
      readonly body: Buffer;
      /** Reason for which the body is incomplete; `undefined` when it is whole. */
      readonly cutReason: string | undefined;
    }
  | {
      readonly kind: "failure";
      /** Error code or reason, without content and credentials. */
      readonly reason: string;
    };

/** Bounds of every request, and options of the connections. */
export interface HttpClientOptions {
  /** Deadline of one request in ms, from connecting to the last byte of the response. */
  readonly timeoutMillis: number;
  /** Maximum bytes of a response's body; a longer one is cut off. */
  readonly maxAnswerBytes: number;
  /** Idle connections that are kept for the next request. */
  readonly maxFreeSockets: number;
  /** The caller's agent: proxy or mutual TLS. It is not destroyed by `close`. */
  readonly agent?: http.Agent | undefined;
  /** Certificates of a private authority or of this client. */
  readonly tls?: SecureContextOptions | undefined;
}

// Loaded at first use: OTel's HTTP instrumentation patches only what is loaded after it.
const loadHttp = async ({ protocol }: URL): Promise<typeof http> =>
  protocol === "https:"
    ? ((await import("node:https")) as unknown as typeof http)
    : import("node:http");

/** Returns the code of an error, never its message, which may hold content or credentials. */
function toReason(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "request failed";
}

/**
 * Creates a client on `node:http(s)` that sends requests to one origin, over connections of its own.
 *
 * It follows no redirect, since a redirect would carry credentials elsewhere, and reads no environment variable, so
 * no other vendor's headers end up in our requests. Its requests are not traced, and its sockets don't keep the
 * process alive.
 */
export function createHttpClient(options: HttpClientOptions) {
  const { maxFreeSockets, tls } = options;
  let ownAgent: http.Agent | undefined;
  return {
    /** Sends a request once; failures are values. */
    async send(
      { method, url, headers, body }: HttpRequest,
      signal: AbortSignal,
    ): Promise<HttpAnswer> {
      try {
        const module = await loadHttp(url);
        if (signal.aborted) return { kind: "failure", reason: "aborted" };
        const agent =
          options.agent ??
          (ownAgent ??= new module.Agent({ keepAlive: true, maxFreeSockets, ...tls }));
        return await context.with(suppressTracing(context.active()), () =>
          exchange(module.request(url, { method, headers, agent }), body, options, signal),
        );
      } catch (error) {
        // A header that no request may carry, for instance.
        return { kind: "failure", reason: toReason(error) };
      }
    },
    close: (): void => ownAgent?.destroy(),
  };
}

/** Sends the body of a request and reads its response. */
function exchange(
  outgoing: http.ClientRequest,
  body: Uint8Array,
  { timeoutMillis, maxAnswerBytes }: HttpClientOptions,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  return new Promise((resolve) => {
    let toAnswer: ((cutReason: string | undefined) => HttpAnswer) | undefined;
    const finish = (answer: HttpAnswer): void => {
      clearTimeout(deadline);
      signal.removeEventListener("abort", onAbort);
      resolve(answer);
    };
    const fail = (reason: string): void => {
      finish(toAnswer?.(reason) ?? { kind: "failure", reason });
      outgoing.destroy();
    };
    const onError = (error: unknown): void => fail(toReason(error));
    const onAbort = (): void => fail("aborted");
    // A wall-clock deadline of the whole attempt: a response that drips must end too.
    const deadline = setTimeout(() => fail(`no answer within ${timeoutMillis} ms`), timeoutMillis);
    deadline.unref();
    signal.addEventListener("abort", onAbort);
    // A background request does not keep the process alive; a flush does.
    outgoing.on("socket", (socket) => socket.unref());
    outgoing.on("error", onError);
    outgoing.on("response", (incoming) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const readAnswer = (cutReason: string | undefined): HttpAnswer => {
        const { statusCode: status = 0, headers } = incoming;
        return { kind: "answer", status, headers, body: Buffer.concat(chunks), cutReason };
      };
      toAnswer = readAnswer;
      incoming.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= maxAnswerBytes) chunks.push(chunk);
        else fail(`answer of more than ${maxAnswerBytes} bytes`);
      });
      incoming.on("error", onError);
      incoming.on("aborted", () => fail("answer cut off"));
      incoming.on("end", () => finish(readAnswer(undefined)));
    });
    outgoing.end(body);
  });
}
