import { createHash } from "node:crypto";
import type { Agent, IncomingHttpHeaders } from "node:http";
import { toOrganizationHeader } from "../events/organization-header.ts";
import { CONTENT_DIGEST_HEADER, ORGANIZATION_HEADER } from "../events/wire.ts";
import {
  createHttpClient,
  USER_AGENT,
  type HttpAnswer,
  type HttpFailure,
} from "../http/http-client.ts";
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
      readonly headers: IncomingHttpHeaders;
      readonly body: string;
    }
  | HttpFailure;

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
  readonly agent?: Agent | undefined;
  /** Signs every request; absent, none is. */
  readonly signer?: RequestSigner | undefined;
}

/** Appends a path; as a reference to resolve, `//host` would name another host. */
function toUrl(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = base.pathname.replace(/\/+$/, "") + path;
  return url;
}

/** A 2xx whose body breaks off is an ack all the same: sending again could only store the batch twice. */
function toTransportAnswer(answer: HttpAnswer): TransportAnswer {
  if (answer.kind === "failure") return answer;
  const { kind, status, headers, body, cutReason } = answer;
  const isTaken = status >= 200 && status < 300;
  if (cutReason !== undefined && !isTaken) return { kind: "failure", reason: cutReason };
  return { kind, status, headers, body: body.toString("utf8") };
}

/** Creates a transport that sends under the caller's credentials, signed if there is a signer. */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  const base = new URL(options.endpoint);
  const client = createHttpClient({
    timeoutMillis: options.requestTimeout,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    maxFreeSockets: MAX_FREE_SOCKETS,
    agent: options.agent,
  });

  const attempt = async (
    { method, path, headers: given, body }: TransportRequest,
    signal: AbortSignal,
  ): Promise<TransportAnswer> => {
    const url = toUrl(base, path);
    const unsigned = {
      ...given,
      "content-length": String(body.length),
      "user-agent": USER_AGENT,
      accept: "application/json",
      authorization: `Bearer ${options.apiKey}`,
      [ORGANIZATION_HEADER]: toOrganizationHeader(options.organizationId),
      [CONTENT_DIGEST_HEADER]: `sha-256=:${createHash("sha256").update(body).digest("base64")}:`,
    };
    const signature = options.signer?.sign({ method, url: url.href, headers: unsigned });
    const headers = { ...unsigned, ...signature };
    return toTransportAnswer(await client.send({ method, url, headers, body }, signal));
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
    close: () => client.close(),
  };
}
