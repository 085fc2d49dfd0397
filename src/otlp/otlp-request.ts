import type * as http from "node:http";
import type { SecureContextOptions } from "node:tls";

/** Where one signal goes, and how. */
export interface OtlpEndpoint {
  /** The whole URL, with the path of the signal. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Media type of the bodies. */
  readonly contentType: string;
  /** Deadline of one request in ms, from connecting to the last byte of the answer. */
  readonly timeoutMillis: number;
  readonly compression?: "gzip" | "none" | undefined;
  /** Certificates of a private authority or of this client. */
  readonly tls?: SecureContextOptions | undefined;
}

/** The answer to a request, or why there is none. */
export type OtlpAnswer =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly retryAfter: string | undefined;
      readonly body: Buffer;
    }
  | { readonly kind: "failure"; readonly reason: string };

/** More of an answer is not read: it holds the number of rejected items at most. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Names what failed without a message, which may hold content or credentials. */
export function toRequestFailure(error: unknown): OtlpAnswer {
  const code = (error as { code?: unknown } | null)?.code;
  return { kind: "failure", reason: typeof code === "string" ? code : "request failed" };
}

/** Posts a body once; follows no redirect. Its socket does not keep the process alive. */
export function postOnce(
  module: typeof http,
  agent: http.Agent,
  { url, timeoutMillis }: OtlpEndpoint,
  headers: http.OutgoingHttpHeaders,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<OtlpAnswer> {
  return new Promise((resolve) => {
    const finish = (answer: OtlpAnswer): void => {
      clearTimeout(deadline);
      signal.removeEventListener("abort", onAbort);
      resolve(answer);
    };
    // A status is an answer, also when the rest never comes: sent again, what was taken would be there twice.
    let toAnswer: (() => OtlpAnswer) | undefined;
    const fail = (failure: OtlpAnswer): void => {
      finish(toAnswer?.() ?? failure);
      outgoing.destroy();
    };
    const failFor = (reason: string): void => fail({ kind: "failure", reason });
    const onAbort = (): void => failFor("aborted");
    const outgoing = module.request(url, { method: "POST", headers, agent });
    // Of the whole attempt: an answer that drips must end too.
    const deadline = setTimeout(
      () => failFor(`no answer within ${timeoutMillis} ms`),
      timeoutMillis,
    );
    deadline.unref();
    signal.addEventListener("abort", onAbort);
    // What a process sends beside its work does not keep it alive; who flushes, does.
    outgoing.on("socket", (socket) => socket.unref());
    outgoing.on("error", (error) => fail(toRequestFailure(error)));
    outgoing.on("response", (incoming) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const readAnswer = (): OtlpAnswer => ({
        kind: "answer",
        status: incoming.statusCode ?? 0,
        retryAfter: incoming.headers["retry-after"],
        body: Buffer.concat(chunks),
      });
      toAnswer = readAnswer;
      incoming.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= MAX_ANSWER_BYTES) chunks.push(chunk);
        else {
          // The status has said all there is to know.
          finish(readAnswer());
          outgoing.destroy();
        }
      });
      incoming.on("error", () => finish(readAnswer()));
      incoming.on("end", () => finish(readAnswer()));
    });
    outgoing.end(body);
  });
}
