import { createHash } from "node:crypto";
import type { Agent } from "node:http";
import type { SigningOptions } from "../events/protection.ts";
import * as wire from "../events/wire.ts";
import { createHttpClient, USER_AGENT, type HttpAnswer } from "../http/http-client.ts";
import { parseRetryAfter } from "../http/retry-wait.ts";
import type { Clock } from "../util/clock.ts";
import * as httpSignature from "../util/http-signature.ts";
import { isCount, parseJson, toArray } from "../util/values.ts";

/** Longest response body that is read: acks and problem documents are small. */
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

type WholeAnswer = Extract<HttpAnswer, { kind: "answer" }>;

/** Outcome of a request: a response, or none. */
export type TransportAnswer =
  | (Omit<WholeAnswer, "body" | "cutReason"> & { readonly body: string })
  | Extract<HttpAnswer, { kind: "failure" }>;

/** Sends requests to the platform; failures are values. */
export interface Transport {
  /** URL for log lines: the base URL without credentials and query. */
  readonly url: string;
  send(request: TransportRequest, signal: AbortSignal): Promise<TransportAnswer>;
  close(): void;
}

export interface HttpTransportOptions {
  readonly endpoint: string;
  readonly apiKey: string;
  readonly organizationId: string;
  /**
   * Deadline of one request in ms, from connecting to the last byte of the response.
   *
   * A request is made twice when the first response shows that the clock of the signatures was wrong.
   */
  readonly requestTimeout: number;
  /** The caller's agent: proxy or mutual TLS. It is not destroyed by `close`. */
  readonly agent?: Agent | undefined;
  /** Signs every request; without it, requests are not signed. */
  readonly signer?: RequestSigner | undefined;
}

/** Appends a path; resolved as a relative reference, `//host` would name another host. */
function toUrl(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = base.pathname.replace(/\/+$/, "") + path;
  return url;
}

/** A 2xx whose body is cut off is an ack all the same: sending again could only store the batch twice. */
function toTransportAnswer(answer: HttpAnswer): TransportAnswer {
  if (answer.kind === "failure") return answer;
  const { kind, status, headers, body, cutReason } = answer;
  const isTaken = status >= 200 && status < 300;
  if (cutReason !== undefined && !isTaken) return { kind: "failure", reason: cutReason };
  return { kind, status, headers, body: body.toString("utf8") };
}

/** Creates a transport that sends with the caller's credentials, signed if there is a signer. */
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
      [wire.ORGANIZATION_HEADER]: wire.toOrganizationHeader(options.organizationId),
      [wire.CONTENT_DIGEST_HEADER]: `sha-256=:${createHash("sha256").update(body).digest("base64")}:`,
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
      // A wrong clock must not block delivery: the same request is signed again with the platform's time.
      const isTimeCorrected = options.signer?.adjustClock(answer.headers.date) ?? false;
      return isTimeCorrected && answer.status === 401 ? attempt(request, signal) : answer;
    },
    close: () => client.close(),
  };
}

const RETRYABLE_STATUS = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
const REFUSED_STATUS = new Set([400, 413, 422]);

/** An event of a batch, by its position, that the platform will never accept. */
export interface Rejected {
  readonly index: number;
  readonly code: string;
}

/** Meaning of the platform's response for the batch. */
export type SendResult =
  /** Accepted, but for the rejected events, which never will be. */
  | {
      readonly status: "accepted";
      readonly rejected: readonly Rejected[];
      readonly duplicates: number;
    }
  /** The same bytes may be accepted later. */
  | {
      readonly status: "retryable";
      readonly reason: string;
      readonly retryAfterMillis?: number | undefined;
    }
  /** The id is taken by another content: the same events need a new id. */
  | { readonly status: "conflict"; readonly reason: string }
  /** These bytes will never be accepted; a part of them may. */
  | { readonly status: "refused"; readonly reason: string; readonly isTooLarge: boolean }
  /** The content coding is not understood: the same bytes without it may be accepted. */
  | { readonly status: "not_decodable"; readonly reason: string }
  /** Nothing is accepted until credentials, address or platform change. */
  | { readonly status: "blocked"; readonly reason: string };

function toBlockedReason(status: number, isProblem: boolean): string {
  if (status === 401) return "status 401: the apiKey, or the signature, is not accepted";
  if (status === 403) return "status 403: the apiKey may not write for this organizationId";
  if (status === 404 && !isProblem) return "status 404: this is not an agent-monitor platform";
  if (status >= 300 && status < 400) return `status ${status}: redirects are not followed`;
  return `status ${status}`;
}

function toRejected(entry: unknown): Rejected[] {
  const { index, code } = (entry ?? {}) as { index?: unknown; code?: unknown };
  if (!isCount(index)) return [];
  // The platform's code goes into our log, so it must look like a code.
  const isCode = typeof code === "string" && /^[a-z0-9_]{1,64}$/.test(code);
  return [{ index, code: isCode ? code : "rejected" }];
}

/** A 2xx is an ack whatever its body: sending again could only store the batch twice. */
function toAccepted(body: unknown): SendResult {
  const { rejected, duplicates } = (body ?? {}) as { rejected?: unknown; duplicates?: unknown };
  return {
    status: "accepted",
    // Entry by entry: an invalid entry must not turn the others into acks.
    rejected: toArray(rejected).flatMap(toRejected),
    duplicates: isCount(duplicates) ? duplicates : 0,
  };
}

/** Converts a response to its meaning, by status first and the problem document second. */
export function toSendResult(answer: TransportAnswer, nowMillis: number): SendResult {
  if (answer.kind === "failure") return { status: "retryable", reason: answer.reason };
  const { status } = answer;
  const reason = `status ${status}`;
  const body = parseJson(answer.body);
  if (status >= 200 && status < 300) return toAccepted(body);
  const problem = wire.problemSchema.safeParse(body);
  const isConflict = problem.data?.code === "batch_conflict" && (status === 409 || status === 422);
  if (isConflict) return { status: "conflict", reason };
  if (RETRYABLE_STATUS.has(status)) {
    const retryAfterMillis = parseRetryAfter(answer.headers, nowMillis);
    return { status: "retryable", reason, retryAfterMillis };
  }
  if (REFUSED_STATUS.has(status)) return { status: "refused", reason, isTooLarge: status === 413 };
  if (status === 415) return { status: "not_decodable", reason };
  return { status: "blocked", reason: toBlockedReason(status, problem.success) };
}

/** Tolerated clock skew: `Date` has whole seconds and takes a while to arrive. */
const TOLERATED_SKEW_MILLIS = 5000;

/** Name of our signature among those that a request may carry. */
const LABEL = "sig";

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** A request before it is signed. */
interface UnsignedRequest {
  readonly method: string;
  /** The whole address, as it is sent. */
  readonly url: string;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Signs requests, each attempt anew. */
export type RequestSigner = ReturnType<typeof createRequestSigner>;

function valueOf({ method, url, headers }: UnsignedRequest, name: string): string | undefined {
  if (name === "@method") return method;
  return name === "@target-uri" ? url : headers[name];
}

/**
 * Creates a signer of requests with HMAC-SHA256.
 *
 * There is no nonce: a replayed request has the same bytes under the same idempotency key, and the platform
 * responds as it did before.
 *
 * @throws Error for a key that is too short.
 * @see RFC 9421
 */
export function createRequestSigner(options: SigningOptions, clock: Clock) {
  const key = httpSignature.readSigningKey(options.key);
  if (!key) throw new Error("signing: key must have at least 32 bytes");
  const keyId = httpSignature.toStructuredString(options.keyId);
  let offsetMillis = 0;

  return {
    /** Returns the headers that carry the signature. */
    sign(request: UnsignedRequest): Record<string, string> {
      const components = [...wire.SIGNED_COMPONENTS, wire.IDEMPOTENCY_HEADER].flatMap(
        (name): httpSignature.SignatureComponent[] => {
          const value = valueOf(request, name);
          return value === undefined ? [] : [[name, value]];
        },
      );
      const created = Math.floor((clock.now() + offsetMillis) / 1000);
      const names = components.map(([name]) => `"${name}"`).join(" ");
      const parameters = `(${names});created=${created};keyid=${keyId};alg="${httpSignature.SIGNATURE_ALGORITHM}"`;
      const base = httpSignature.toSignatureBase(components, parameters);
      const signature = httpSignature.signBase(base, key);
      return {
        [wire.SIGNATURE_INPUT_HEADER]: `${LABEL}=${parameters}`,
        [wire.SIGNATURE_HEADER]: `${LABEL}=:${signature.toString("base64")}:`,
      };
    },
    /**
     * Sets the clock by the `Date` of a response, since the platform checks the age of signatures by its own clock.
     *
     * @returns Whether later signatures get another time than before.
     */
    adjustClock(date: string | undefined): boolean {
      if (date === undefined || !HTTP_DATE.test(date)) return false;
      const skew = Date.parse(date) - clock.now();
      if (Number.isNaN(skew) || Math.abs(skew - offsetMillis) <= TOLERATED_SKEW_MILLIS)
        return false;
      offsetMillis = Math.abs(skew) <= TOLERATED_SKEW_MILLIS ? 0 : skew;
      return true;
    },
  };
}
