import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { findWords, PLAIN } from "./behaviour.ts";
import { bendFrames } from "./bend-frames.ts";
import { embeddings } from "./embeddings.ts";
import {
  sendJson,
  toExchange,
  writeHead,
  type Exchange,
  type ModelServerRequest,
} from "./exchange.ts";
import { ScriptFollower } from "./follow-script.ts";
import type { ModelProtocol } from "./protocol.ts";
import { protocols } from "./protocols.ts";
import { MODEL_SCRIPT, type ScriptedTurn } from "./script.ts";
import { sendFrames } from "./send.ts";

/** A running model server. */
export interface ModelServer {
  /** Without a path: `http://127.0.0.1:port`. */
  readonly url: string;
  readonly requests: readonly ModelServerRequest[];
  /** Streams that are neither at their end nor given up by either side. */
  readonly openStreams: number;
  /** Ends every connection. */
  close(): Promise<void>;
}

const ERROR_MESSAGE = "The model server was told to fail.";

async function speak(
  exchange: Exchange,
  protocol: ModelProtocol,
  script: ScriptFollower,
): Promise<void> {
  const { log, url, response } = exchange;
  const request = protocol.read(log.body, url.pathname);
  log.streamed = request.streamed;
  const words = findWords(
    log.headers["x-model-script"],
    url.searchParams.get("script"),
    request.question,
  );
  const behaviour = script.toBehaviour(words);
  if (behaviour.hang) return;
  if (behaviour.status !== 200) {
    return sendJson(exchange, protocol.toError(behaviour.status, ERROR_MESSAGE), behaviour);
  }
  const answer = script.toAnswer(request, behaviour);
  if (!request.streamed || behaviour.html) {
    return sendJson(exchange, protocol.toBody(answer, request), behaviour);
  }
  writeHead(exchange, behaviour, { "content-type": protocol.streamType });
  const error = protocol.toErrorFrame(ERROR_MESSAGE);
  const frames = bendFrames(protocol.toFrames(answer, request), behaviour, error);
  await sendFrames(response, frames, behaviour, log);
}

async function handle(exchange: Exchange, script: ScriptFollower): Promise<void> {
  const { log, url } = exchange;
  const protocol = protocols.find((each) => each.matches(url.pathname));
  log.protocol = protocol?.name;
  if (protocol) return speak(exchange, protocol, script);
  if (embeddings.matches(url.pathname)) {
    log.protocol = "embeddings";
    return sendJson(exchange, embeddings.toBody(log.body), PLAIN);
  }
  const error = { error: { message: "The model server has no such path." } };
  return sendJson(exchange, error, { ...PLAIN, status: 404 });
}

/**
 * Starts a server on loopback that speaks the model APIs of `protocols.ts` and follows a script.
 *
 * How it behaves is said by each request, in words: see `findWords` and `Behaviour`.
 */
export async function startModelServer(
  turns: readonly ScriptedTurn[] = MODEL_SCRIPT,
): Promise<ModelServer> {
  const requests: ModelServerRequest[] = [];
  const script = new ScriptFollower(turns);
  const server = createServer(async (incoming, response) => {
    try {
      const exchange = await toExchange(incoming, response);
      requests.push(exchange.log);
      await handle(exchange, script);
    } catch {
      // The client went away, or asked what can't be read.
      response.destroy();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get openStreams() {
      return requests.filter(({ streamed, outcome }) => streamed && outcome === "pending").length;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
