import type { CallOptions, CreateChatClient } from "../chat-client.ts";
import { toCommonScenarios } from "../common-scenarios.ts";
import { readStream } from "../read-stream.ts";
import type { Driver } from "../scenario.ts";
import { CARD_FOUND, TOOL } from "../talk.ts";

const MODEL = "command-a-03-2025";
const tools = [
  {
    type: "function",
    function: { name: TOOL.name, description: TOOL.description, parameters: TOOL.schema },
  },
];
const toUser = (content: string): object => ({ role: "user", content });
const toOptions = ({ signal, timeoutMillis, retries = 0 }: CallOptions = {}): object => ({
  maxRetries: retries,
  ...(signal && { abortSignal: signal }),
  ...(timeoutMillis !== undefined && { timeoutInSeconds: timeoutMillis / 1000 }),
});
const toAnswer = (toolCallId: string): object => ({
  role: "tool",
  toolCallId,
  content: JSON.stringify(CARD_FOUND),
});

/** Puts the pieces of a streamed tool call together. */
function toMessage(chunks: readonly any[]): any {
  const deltas = chunks.flatMap(({ delta }) => delta?.message?.toolCalls ?? []);
  const args = deltas.map((delta) => delta.function?.arguments ?? "").join("");
  const [{ id }] = deltas;
  const call = { id, type: "function", function: { name: TOOL.name, arguments: args } };
  return { role: "assistant", toolCalls: [call] };
}

const create: CreateChatClient = ({ modules, server, fetch }) => {
  const { CohereClientV2 } = modules["sdk"];
  const client = new CohereClientV2({
    token: "key",
    environment: server.url,
    ...(fetch && { fetch }),
  });
  const ask = (messages: object[], more: object = {}, options?: CallOptions): Promise<any> =>
    client.chat({ model: MODEL, messages, ...more }, toOptions(options));
  const stream = (messages: object[], more: object = {}, options?: CallOptions): Promise<any> =>
    client.chatStream({ model: MODEL, messages, ...more }, toOptions(options));
  return {
    chat: (question, options) => ask([toUser(question)], {}, options),
    stream: (question, options) => stream([toUser(question)], {}, options),
    async tools(question) {
      const first = await ask([toUser(question)], { tools });
      const { toolCalls } = first.message;
      const message = { role: "assistant", toolCalls };
      const history = [toUser(question), message, toAnswer(toolCalls[0].id)];
      return [first, await ask(history, { tools })];
    },
    async streamedTools(question) {
      const first = await readStream(stream([toUser(question)], { tools }));
      const message = toMessage(first.chunks);
      const history = [toUser(question), message, toAnswer(message.toolCalls[0].id)];
      return [first, await readStream(stream(history, { tools }))];
    },
    async turns(first, second) {
      const answer = await ask([toUser(first)]);
      const { content } = answer.message;
      return [answer, await ask([toUser(first), { role: "assistant", content }, toUser(second)])];
    },
  };
};

/** Cohere's client, version 2 of its API. */
export const cohere: Driver = {
  takesFetch: true,
  scenarios: () =>
    toCommonScenarios(create, {
      tokens: { input: 21, output: 11 },
      errors: { 401: "401", 429: "429", 500: "500" },
      // It aborts the request, and says to nobody else why.
      timeout: "AbortError",
      retries: true,
    }),
};
