import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** What the model was asked. */
export interface ModelCall {
  /** Calls before it. */
  readonly index: number;
  readonly family: string;
  readonly ruleIds: readonly string[];
  readonly user: string;
  /** Wall-clock time in ms. */
  readonly at: number;
}

/** What becomes of a call; an object as `body` is what the application's function gives. */
export type ModelReply =
  | "hang"
  | "reset"
  | {
      readonly status?: number;
      readonly headers?: Record<string, string>;
      readonly body: string | object;
      readonly delayMillis?: number;
    };

/** A model on a real socket that does what a test tells it to do. */
export interface JudgingModel {
  readonly url: string;
  script: (call: ModelCall) => ModelReply;
  readonly calls: readonly ModelCall[];
  /** Calls that were hung up by the one who asked. */
  readonly aborted: number;
  stop(): Promise<void>;
  /** Listens again, where it did before. */
  restart(): Promise<void>;
}

class ScriptedModel implements JudgingModel {
  url = "";
  aborted = 0;
  script: JudgingModel["script"];
  readonly calls: ModelCall[] = [];
  #server: Server | undefined;
  #port = 0;

  constructor(script: JudgingModel["script"]) {
    this.script = script;
  }

  async restart(): Promise<void> {
    const server = createServer((request, response) => void this.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    this.url = `http://127.0.0.1:${this.#port}/`;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    response.on("close", () => {
      if (!response.writableEnded) this.aborted++;
    });
    const asked = JSON.parse(await text(request)) as Pick<ModelCall, "family" | "ruleIds" | "user">;
    const call = { ...asked, index: this.calls.length, at: Date.now() };
    this.calls.push(call);
    const reply = this.script(call);
    if (reply === "hang") return;
    if (reply === "reset") {
      response.destroy();
      return;
    }
    const { status = 200, headers, body, delayMillis } = reply;
    const isText = typeof body === "string";
    const type = isText ? "text/plain" : "application/json";
    const give = (): void => {
      response.writeHead(status, { "content-type": type, ...headers });
      response.end(isText ? body : JSON.stringify(body));
    };
    if (delayMillis === undefined) give();
    else setTimeout(give, delayMillis);
  }
}

/** Starts a model that is gone after the test. */
export async function startModel(script: JudgingModel["script"]): Promise<JudgingModel> {
  const model = new ScriptedModel(script);
  await model.restart();
  onTestFinished(() => model.stop());
  return model;
}
