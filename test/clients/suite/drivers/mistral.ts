import type { CallOptions, CreateChatClient } from "../chat-client.ts";
import { toCommonScenarios } from "../common-scenarios.ts";
import { readStream } from "../read-stream.ts";
import type { Driver } from "../scenario.ts";
import { CARD_FOUND, TOOL } from "../talk.ts";

const MODEL = "mistral-small-latest";
const tools = [
  {
    type: "function",
    function: { name: TOOL.name, description: TOOL.description, parameters: TOOL.schema },
  },
];
const toUser = (content: string): object => ({ role: "user", content });
const toOptions = ({ signal, timeoutMillis, retries = 0 }: CallOptions = {}): object => ({
  ...(signal && { fetchOptions: { signal } }),
  ...(timeoutMillis !== undefined && { timeoutMs: timeoutMillis }),
  retries:
    retries > 0
      ? {
          strategy: "backoff",
          backoff: { initialInterval: 10, maxInterval: 20, exponent: 1, maxElapsedTime: 1000 },
          retryConnectionErrors: false,
        }
      : { strategy: "none" },
});
const toAnswers = ({ toolCalls = [] }: any): object[] =>
  toolCalls.map(({ id }: any) => ({
    role: "tool",
    name: TOOL.name,
    toolCallId: id,
    content: JSON.stringify(CARD_FOUND),
  }));

const create: CreateChatClient = ({ modules, server, fetch }) => {
  const { Mistral, HTTPClient } = modules["sdk"];
  const { chat } = new Mistral({
    apiKey: "key",
    serverURL: `${server.url}/mistral`,
    ...(fetch && { httpClient: new HTTPClient({ fetcher: fetch }) }),
  });
  const ask = (messages: object[], more: object = {}, options?: CallOptions): Promise<any> =>
    chat.complete({ model: MODEL, messages, ...more }, toOptions(options));
  const stream = (messages: object[], more: object = {}, options?: CallOptions): Promise<any> =>
    chat.stream({ model: MODEL, messages, ...more }, toOptions(options));
  return {
    chat: (question, options) => ask([toUser(question)], {}, options),
    stream: (question, options) => stream([toUser(question)], {}, options),
    async tools(question) {
      const first = await ask([toUser(question)], { tools });
      const { message } = first.choices[0];
      return [first, await ask([toUser(question), message, ...toAnswers(message)], { tools })];
    },
    async streamedTools(question) {
      const first = await readStream(stream([toUser(question)], { tools }));
      const { delta } = (first.chunks.at(-1) as any).data.choices[0];
      const message = { role: "assistant", content: "", toolCalls: delta.toolCalls };
      const history = [toUser(question), message, ...toAnswers(message)];
      return [first, await readStream(stream(history, { tools }))];
    },
    async turns(first, second) {
      const answer = await ask([toUser(first)]);
      return [answer, await ask([toUser(first), answer.choices[0].message, toUser(second)])];
    },
  };
};

/** Mistral's client. */
export const mistral: Driver = {
  takesFetch: true,
  scenarios: () =>
    toCommonScenarios(create, {
      tokens: { input: 21, output: 11 },
      errors: { 401: "invalid_api_key", 429: "server_error", 500: "server_error" },
      timeout: "TimeoutError",
      retries: true,
      // How often it tries is a matter of time, and of chance.
      without: ["retries in vain"],
    }),
};
