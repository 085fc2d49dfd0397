import type { CallOptions, ChatClient } from "../chat-client.ts";
import { readStream } from "../read-stream.ts";
import type { Kit } from "../scenario.ts";
import { CARD_FOUND, TOOL } from "../talk.ts";

/** The model that is asked. */
export const MODEL = "gpt-5";
/** The tool that the model is offered. */
export const tools = [
  {
    type: "function",
    function: { name: TOOL.name, description: TOOL.description, parameters: TOOL.schema },
  },
];
const toUser = (content: string): object => ({ role: "user", content });
/** Writes the request for the answer to one question. */
export const toBody = (question: string, more: object = {}): object => ({
  model: MODEL,
  messages: [toUser(question)],
  ...more,
});
/** Writes options as clients that Stainless generates take them. */
export const toOptions = ({ signal, timeoutMillis, retries = 0 }: CallOptions = {}): object => ({
  maxRetries: retries,
  ...(signal && { signal }),
  ...(timeoutMillis !== undefined && { timeout: timeoutMillis }),
});
const toAnswers = ({ tool_calls = [] }: any): object[] =>
  tool_calls.map(({ id }: any) => ({
    role: "tool",
    tool_call_id: id,
    content: JSON.stringify(CARD_FOUND),
  }));

/** Makes a client that asks the server. */
export function createOpenAi({ modules, server, fetch }: Kit): any {
  const { OpenAI } = modules["sdk"];
  const baseURL = `${server.url}/v1`;
  return new OpenAI({ apiKey: "sk-test", baseURL, ...(fetch && { fetch }) });
}

/** Does with `chat.completions` what every client can do; Groq's client is made in the same way. */
export function toCompletionsClient(client: any): ChatClient {
  const { completions } = client.chat;
  const create = (body: object, options?: CallOptions): Promise<any> =>
    completions.create(body, toOptions(options));
  return {
    chat: (question, options) => create(toBody(question), options),
    stream: (question, options) => create(toBody(question, { stream: true }), options),
    async tools(question) {
      const first = await create(toBody(question, { tools }));
      const { message } = first.choices[0];
      const messages = [toUser(question), message, ...toAnswers(message)];
      return [first, await create({ model: MODEL, messages, tools })];
    },
    async streamedTools(question) {
      const body = toBody(question, { stream: true, tools });
      const first = await readStream(create(body));
      const message = toMessage(first.chunks);
      const messages = [toUser(question), message, ...toAnswers(message)];
      return [first, await readStream(create({ model: MODEL, messages, tools, stream: true }))];
    },
    async turns(first, second) {
      const answer = await create(toBody(first));
      const messages = [toUser(first), answer.choices[0].message, toUser(second)];
      return [answer, await create({ model: MODEL, messages })];
    },
  };
}

/** Puts the pieces of a streamed tool call together. */
function toMessage(chunks: readonly any[]): object {
  const deltas = chunks.flatMap(({ choices }) => choices[0]?.delta?.tool_calls ?? []);
  const args = deltas.map((delta) => delta.function?.arguments ?? "").join("");
  const call = { ...deltas[0], function: { name: TOOL.name, arguments: args } };
  return { role: "assistant", content: null, tool_calls: [call] };
}
