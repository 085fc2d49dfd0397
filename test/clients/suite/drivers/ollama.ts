import type { CreateChatClient } from "../chat-client.ts";
import { toCommonScenarios } from "../common-scenarios.ts";
import { readStream } from "../read-stream.ts";
import type { Driver } from "../scenario.ts";
import { CARD_FOUND, TOOL } from "../talk.ts";

const MODEL = "llama3.2";
const tools = [
  {
    type: "function",
    function: { name: TOOL.name, description: TOOL.description, parameters: TOOL.schema },
  },
];
const toUser = (content: string): object => ({ role: "user", content });
const answer = { role: "tool", tool_name: TOOL.name, content: JSON.stringify(CARD_FOUND) };

const create: CreateChatClient = ({ modules, server, fetch }) => {
  const { Ollama } = modules["sdk"];
  const toClient = (): any => new Ollama({ host: server.url, ...(fetch && { fetch }) });
  const client = toClient();
  const ask = (messages: object[], more: object = {}): Promise<any> =>
    client.chat({ model: MODEL, messages, ...more });
  /** A client of its own for a call that is aborted: it has no signals, but ends all that it streams. */
  const stream = (messages: object[], signal?: AbortSignal, more: object = {}): Promise<any> => {
    const own = toClient();
    signal?.addEventListener("abort", () => own.abort());
    return own.chat({ model: MODEL, messages, stream: true, ...more });
  };
  return {
    chat: (question) => ask([toUser(question)]),
    stream: (question, options) => stream([toUser(question)], options?.signal),
    async tools(question) {
      const first = await ask([toUser(question)], { tools });
      return [first, await ask([toUser(question), first.message, answer], { tools })];
    },
    async streamedTools(question) {
      const first = await readStream(stream([toUser(question)], undefined, { tools }));
      const { message } = first.chunks[0] as any;
      const history = [toUser(question), message, answer];
      return [first, await readStream(stream(history, undefined, { tools }))];
    },
    async turns(first, second) {
      const { message } = await ask([toUser(first)]);
      return [message, await ask([toUser(first), message, toUser(second)])];
    },
  };
};

/** Ollama's client. */
export const ollama: Driver = {
  takesFetch: true,
  scenarios: () =>
    toCommonScenarios(create, {
      tokens: { input: 21, output: 11 },
      errors: { 401: "401", 429: "429", 500: "500" },
      cancels: false,
      without: ["abort"],
    }),
};
