import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

type Completing = { readonly tool: string; readonly parameters: object } | { readonly say: string };

/** What the model does next: it calls a tool, or it answers, or its provider refuses with status 400. */
export type ModelStep = Completing | { readonly refuse: string };

/** What the model does about one message of the user. */
export interface ModelScript {
  readonly user: string;
  readonly steps: readonly ModelStep[];
  /** Status of the first request about this message, instead of an answer. */
  readonly failsFirstWith?: 429 | 500;
}

interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content?: string | null }[];
  readonly stream?: boolean;
}

/** A running model server. */
export interface ModelServer {
  /** What the client takes as `baseURL`. */
  readonly url: string;
  close(): void;
}

const CHARACTERS_PER_TOKEN = 4;
const MILLIS_PER_TOKEN = 3;

function countTokens(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / CHARACTERS_PER_TOKEN);
}

function toMessage(step: Completing, callId: string) {
  if ("say" in step) return { role: "assistant", content: step.say };
  const call = { name: step.tool, arguments: JSON.stringify(step.parameters) };
  return {
    role: "assistant",
    content: null,
    tool_calls: [{ id: callId, type: "function", function: call }],
  };
}

function toCompletion({ model, messages }: ChatRequest, step: Completing, callId: string) {
  const message = toMessage(step, callId);
  const prompt = countTokens(messages);
  const completion = countTokens(message);
  return {
    id: `chatcmpl-${callId}`,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [
      { index: 0, message, finish_reason: "say" in step ? "stop" : "tool_calls", logprobs: null },
    ],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
    },
  };
}

type Completion = ReturnType<typeof toCompletion>;

/** Cuts an answer into the chunks of a stream; a call of a tool comes as one. */
function toChunks({ choices, usage, ...head }: Completion): object[] {
  const chunk = (delta: object, finishReason: string | null = null) => ({
    ...head,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  });
  return [
    ...choices.flatMap(({ message, finish_reason: reason }) => [
      ...("tool_calls" in message
        ? [{ ...message, tool_calls: message.tool_calls?.map((call) => ({ index: 0, ...call })) }]
        : message.content.split(/(?<= )/).map((content) => ({ role: "assistant", content }))
      ).map((delta) => chunk(delta)),
      chunk({}, reason),
    ]),
    { ...head, object: "chat.completion.chunk", choices: [], usage },
  ];
}

async function stream(response: ServerResponse, completion: Completion): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const chunk of toChunks(completion)) {
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    await sleep(MILLIS_PER_TOKEN);
  }
  response.end("data: [DONE]\n\n");
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function findStep({ messages }: ChatRequest, scripts: readonly ModelScript[]) {
  const userIndex = messages.findLastIndex(({ role }) => role === "user");
  const script = scripts.find(({ user }) => user === messages[userIndex]?.content);
  // Every tool call so far has left two messages behind the user's: the call and its result.
  return { script, step: script?.steps[(messages.length - 1 - userIndex) / 2] };
}

function createFollower(scripts: readonly ModelScript[]) {
  const failed = new Set<ModelScript>();
  let calls = 0;

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chat = (await json(request)) as ChatRequest;
    const { script, step } = findStep(chat, scripts);
    if (script?.failsFirstWith !== undefined && !failed.has(script)) {
      failed.add(script);
      const error = {
        message: "The model is overloaded.",
        type: "server_error",
        code: "overloaded",
      };
      answer(response, script.failsFirstWith, { error });
      return;
    }
    if (!step || "refuse" in step) {
      const message = step?.refuse ?? "The script has no such message.";
      answer(response, 400, { error: { message, type: "invalid_request_error" } });
      return;
    }
    const completion = toCompletion(chat, step, `call-${++calls}`);
    if (chat.stream) return stream(response, completion);
    await sleep(completion.usage.completion_tokens * MILLIS_PER_TOKEN);
    answer(response, 200, completion);
  };
}

/** Starts a server that speaks the chat completions API and follows a script instead of a model. */
export async function startModelServer(scripts: readonly ModelScript[]): Promise<ModelServer> {
  const follow = createFollower(scripts);
  const server = createServer((request, response) => {
    follow(request, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
