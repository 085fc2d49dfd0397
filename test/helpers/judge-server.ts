import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { text } from "node:stream/consumers";

/** One provider's form of a reply. */
export interface ProviderForm {
  /** The reason of a reply that is whole, and of one that was cut off. */
  readonly reasons: { readonly whole: string; readonly cut: string };
  readonly toBody: (content: string, finishReason: string) => object;
  readonly toError: (message: string) => object;
  /** What its client speaks. */
  readonly protocol: "http/1.1" | "http/2";
}

/** What the next call gets. */
export type NextReply =
  | { readonly content: string; readonly isCut?: boolean }
  | { readonly status: number; readonly retryAfter?: string }
  | "hangs";

type Incoming = IncomingMessage | Http2ServerRequest;
type Outgoing = ServerResponse | Http2ServerResponse;

function listen(
  { protocol }: ProviderForm,
  answer: (request: Incoming, response: Outgoing) => void,
): { readonly server: Server; readonly close: () => void } {
  if (protocol === "http/1.1") {
    const server = createServer(answer);
    const close = (): void => {
      server.close();
      server.closeAllConnections();
    };
    return { server, close };
  }
  const server = createHttp2Server(answer);
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => sessions.add(session));
  const close = (): void => {
    server.close();
    for (const session of sessions) session.destroy();
  };
  return { server, close };
}

/** Writes what a provider would, as JSON. */
function write(form: ProviderForm, next: Exclude<NextReply, "hangs">, response: Outgoing): void {
  const headers = { "content-type": "application/json", "x-request-id": "req-1" };
  if ("content" in next) {
    const reason = next.isCut === true ? form.reasons.cut : form.reasons.whole;
    response.writeHead(200, headers);
    response.end(JSON.stringify(form.toBody(next.content, reason)));
    return;
  }
  const wait = next.retryAfter === undefined ? {} : { "retry-after": next.retryAfter };
  response.writeHead(next.status, { ...headers, ...wait });
  response.end(JSON.stringify(form.toError("the server was told to fail")));
}

/**
 * A server that answers as a model's provider does.
 *
 * @param replies - A call takes the next one; the last one stays.
 */
export async function startJudgeServer(form: ProviderForm, replies: readonly NextReply[]) {
  const requests: any[] = [];
  const gone: Promise<unknown>[] = [];
  const { server, close } = listen(form, (request, response) => {
    void text(request).then((body) => {
      const next = replies[Math.min(requests.length, replies.length - 1)] ?? "hangs";
      requests.push(JSON.parse(body));
      if (next === "hangs") gone.push(once(response, "close"));
      else write(form, next, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Bodies of the calls. */
    requests,
    /** Calls that hang; each is settled when its caller has hung up. */
    gone,
    close,
  };
}
