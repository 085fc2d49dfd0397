import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startModelServer, type ModelServer } from "../helpers/model-server/index.ts";
import { findCard } from "../helpers/model-server/script.ts";
import { withConversationScope } from "../../src/scope/scopes.ts";
import { observe, type Observed } from "./observed.ts";

const QUESTION = "When does the Delft branch open?";
const ANSWER = "The Delft branch opens at nine and closes at five.";
const CARD_QUESTION = "Is card CARD-77 active?";
const CARD_ANSWER = "Yes, card CARD-77 is active with a limit of 3000 EUR.";
const CARD = findCard("CARD-77");
/** What the tool of the tests takes. */
export const SCHEMA = { type: "object", properties: { card_id: { type: "string" } } };

/** How one protocol says what all of them can say. */
export interface ProtocolCase {
  /** Path of the model server. */
  readonly path: string;
  readonly streamPath?: string;
  readonly provider: string;
  readonly operation?: string;
  /** A request of model `m` with temperature 0.5 and a limit of 100 tokens. */
  toBody(question: string, streamed: boolean): Record<string, unknown>;
  /** What the request says of instructions, if the protocol has a place for them. */
  readonly system?: string;
  readonly tool: Record<string, unknown>;
  /** The request that gives the result of the tool back; `answer` is the body that asked for it. */
  withResult(body: any, answer: any, result: unknown): Record<string, unknown>;
  /** Input tokens of the model server as the conventions count them. @defaultValue 21 */
  readonly inputTokens?: number;
  /** Whether tokens written to the cache are told. */
  readonly tellsCacheWrite?: boolean;
  /** Whether tool calls have ids. @defaultValue true */
  readonly hasCallIds?: boolean;
  /** Whether answers have an id. @defaultValue true */
  readonly hasId?: boolean;
  /** Whether answers name the model. @defaultValue true */
  readonly hasModel?: boolean;
  /** Type of the refusal with status 429. */
  readonly refusal: string;
  /** Type of an error in the middle of a stream. */
  readonly streamError: string;
}

const text = (content: string) => ({ type: "text", content });
const output = (parts: object[], reason: string) => [
  { role: "assistant", parts, finish_reason: reason },
];

/** Tests what every protocol must do, with the model server as the other side. */
export function testProtocol(name: string, own: ProtocolCase): void {
  const { path, streamPath = path, operation = "chat" } = own;
  let server: ModelServer;
  let observed: Observed;

  beforeEach(async () => {
    server = await startModelServer();
    observed = observe();
  });
  afterEach(async () => {
    observed.observer.close();
    expect(observed.warnings).toEqual([]);
    expect(observed.providers.spans().length).toBe(observed.ended.length);
    await server.close();
  });

  const post = (to: string, body: object, script?: string, send = observed.fetch) =>
    send(server.url + to, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(script !== undefined && { "x-model-script": script }),
      },
      body: JSON.stringify(body),
    });

  const hasId = own.hasId ?? true;
  const hasModel = own.hasModel ?? true;
  const call = (id: unknown) => ({
    type: "tool_call",
    id,
    name: "find_card",
    arguments: { card_id: "CARD-77" },
  });
  const callId = own.hasCallIds === false ? null : expect.any(String);

  const EXPECTED = {
    "gen_ai.operation.name": operation,
    "gen_ai.provider.name": own.provider,
    "server.address": "127.0.0.1",
    "server.port": expect.any(Number),
    "gen_ai.request.model": "m",
    "gen_ai.request.temperature": 0.5,
    "gen_ai.request.max_tokens": 100,
    "http.response.status_code": 200,
    ...(hasId && { "gen_ai.response.id": expect.any(String) }),
    ...(hasModel && { "gen_ai.response.model": "m" }),
    "gen_ai.response.finish_reasons": ["stop"],
    "gen_ai.usage.input_tokens": own.inputTokens ?? 21,
    "gen_ai.usage.output_tokens": 11,
    "gen_ai.input.messages": [{ role: "user", parts: [text(QUESTION)] }],
    "gen_ai.output.messages": output([text(ANSWER)], "stop"),
    ...(own.system !== undefined && { "gen_ai.system_instructions": [text(own.system)] }),
  };
  const CACHE = {
    "gen_ai.usage.cache_read.input_tokens": 4,
    ...(own.tellsCacheWrite && { "gen_ai.usage.cache_creation.input_tokens": 2 }),
  };
  const expected = name === "ollama" ? EXPECTED : { ...EXPECTED, ...CACHE };

  describe(name, () => {
    it("tells an answer", async () => {
      await (await post(path, own.toBody(QUESTION, false))).json();
      expect(observed.call()).toEqual(expected);
      expect(observed.ended[0]!.name).toBe(`${operation} m`);
      expect(observed.events()).toMatchObject([
        { kind: "user_message", content: QUESTION },
        { kind: "agent_response", content: ANSWER, model: "m", finishReason: "stop" },
      ]);
    });

    it.each(["bytes=7", "crlf,bytes=5", "type=application/octet-stream", "piece=1"])(
      "tells a stream: %s",
      async (script) => {
        const body = own.toBody(QUESTION, true);
        const given = await (await post(streamPath, body, script)).arrayBuffer();
        const bare = await (await post(streamPath, body, script, fetch)).arrayBuffer();
        // Answers are numbered.
        expect(given.byteLength).toBe(bare.byteLength);
        expect(observed.call()).toEqual(expected);
      },
    );

    it.each([false, true])("tells a tool call and its result; streamed: %s", async (streamed) => {
      const scope = { agentId: "agent", sessionId: "session" };
      const say = (to: string, body: object, send = observed.fetch) =>
        withConversationScope(scope, () => post(to, { ...body, ...own.tool }, undefined, send));
      const body = own.toBody(CARD_QUESTION, streamed);
      await (await say(streamed ? streamPath : path, body)).arrayBuffer();
      expect(observed.call()["gen_ai.output.messages"]).toEqual(
        output([call(callId)], "tool_call"),
      );
      expect(observed.call()["gen_ai.tool.definitions"]).toHaveLength(1);
      observed.events();
      const asked: any = await (
        await say(path, own.toBody(CARD_QUESTION, false), globalThis.fetch)
      ).json();
      const next = own.withResult(own.toBody(CARD_QUESTION, false), asked, CARD);
      await (await say(path, next)).arrayBuffer();
      expect(observed.events()).toMatchObject([
        { kind: "user_message", content: CARD_QUESTION },
        { kind: "tool_call", toolName: "find_card", toolParameters: { card_id: "CARD-77" } },
        // The server makes another id for every call, as no model would.
        ...(callId === null ? [] : [{ kind: "tool_call" }]),
        { kind: "tool_result", toolName: "find_card", toolResult: CARD },
        { kind: "agent_response", content: CARD_ANSWER },
      ]);
    });

    it("tells a refusal", async () => {
      const response = await post(path, own.toBody(QUESTION, false), "status=429");
      expect(response.status).toBe(429);
      await response.text();
      observed.observer.flush();
      expect(observed.ended).toMatchObject([
        {
          status: { code: 2, message: "The model server was told to fail." },
          attributes: { "error.type": own.refusal, "http.response.status_code": 429 },
        },
      ]);
      expect(observed.events()).toMatchObject([
        { kind: "user_message", content: QUESTION },
        { kind: "error", errorType: own.refusal, errorCode: "429" },
      ]);
    });

    it("tells an error in the middle of a stream, and what came before", async () => {
      await (await post(streamPath, own.toBody(QUESTION, true), "fail=2")).arrayBuffer();
      expect(observed.ended).toMatchObject([
        {
          status: { code: 2, message: "The model server was told to fail." },
          attributes: { "error.type": own.streamError },
        },
      ]);
      expect(observed.events()).toMatchObject([
        { kind: "user_message" },
        { kind: "error", partialContent: ANSWER.slice(0, 24) },
      ]);
    });

    it("tells what came of a stream that the server cut", async () => {
      const response = await post(streamPath, own.toBody(QUESTION, true), "cut=2");
      await expect(response.text()).rejects.toThrow();
      expect(observed.ended[0]!.attributes["error.type"]).toBe("UND_ERR_SOCKET");
      // A reader of the whole body has seen nothing either.
      const streamed = await post(streamPath, own.toBody(QUESTION, true), "cut=2");
      await expect(async () => {
        for await (const chunk of streamed.body!) void chunk;
      }).rejects.toThrow();
      expect(observed.events().at(-1)).toMatchObject({
        kind: "error",
        errorType: "UND_ERR_SOCKET",
        partialContent: ANSWER.slice(0, 24),
      });
    });

    it("tells what came of a stream that the caller left", async () => {
      const response = await post(streamPath, own.toBody(QUESTION, true), "slow=5,piece=4");
      let chunks = 0;
      for await (const _ of response.body!) if (++chunks === 5) break;
      expect(observed.call()).toMatchObject({
        "gen_ai.response.finish_reasons": ["cancelled"],
        "gen_ai.output.messages": { partial: [{ finish_reason: "cancelled" }] },
      });
      const { content } = observed.events()[1]!;
      expect(content).not.toBe("");
      expect(ANSWER.startsWith(String(content))).toBe(true);
      expect(observed.events()[1]).toMatchObject({ truncated: true, finishReason: "cancelled" });
      await expect.poll(() => server.requests[0]?.outcome).toBe("cancelled");
    });
  });
}
