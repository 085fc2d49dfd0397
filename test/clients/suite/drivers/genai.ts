import type { CallOptions, CreateChatClient } from "../chat-client.ts";
import { toCommonScenarios, toToolEvents } from "../common-scenarios.ts";
import { readStream } from "../read-stream.ts";
import type { Driver, Kit, Scenario } from "../scenario.ts";
import { CARD, CARD_FOUND, TOOL } from "../talk.ts";

const TOKENS = { input: 21, output: 11 };
const MODEL = "gemini-2.5-flash";
const declaration = {
  name: TOOL.name,
  description: TOOL.description,
  parametersJsonSchema: TOOL.schema,
};
const tools = [{ functionDeclarations: [declaration] }];
const toUser = (text: string): object => ({ role: "user", parts: [{ text }] });
const result = { functionResponse: { name: TOOL.name, response: CARD_FOUND } };

function createClient({ modules, server }: Kit): any {
  const { GoogleGenAI } = modules["sdk"];
  return new GoogleGenAI({ apiKey: "key", httpOptions: { baseUrl: server.url } });
}

const toConfig = ({ signal, timeoutMillis }: CallOptions = {}): object => ({
  ...(signal && { abortSignal: signal }),
  ...(timeoutMillis !== undefined && { httpOptions: { timeout: timeoutMillis } }),
});

const create: CreateChatClient = (kit) => {
  const client = createClient(kit);
  const toBody = (contents: unknown, config: object = {}): object => ({
    model: MODEL,
    contents,
    config,
  });
  return {
    chat: (question, options) => client.models.generateContent(toBody(question, toConfig(options))),
    stream: (question, options) =>
      client.models.generateContentStream(toBody(question, toConfig(options))),
    async tools(question) {
      const first = await client.models.generateContent(toBody([toUser(question)], { tools }));
      const history = [
        toUser(question),
        first.candidates[0].content,
        { role: "user", parts: [result] },
      ];
      return [first, await client.models.generateContent(toBody(history, { tools }))];
    },
    async streamedTools(question) {
      const first = await readStream(
        client.models.generateContentStream(toBody([toUser(question)], { tools })),
      );
      const [chunk] = first.chunks as any[];
      const history = [
        toUser(question),
        chunk.candidates[0].content,
        { role: "user", parts: [result] },
      ];
      const second = client.models.generateContentStream(toBody(history, { tools }));
      return [first, await readStream(second)];
    },
    async turns(first, second) {
      const chat = client.chats.create({ model: MODEL });
      const answers = [await chat.sendMessage({ message: first })];
      answers.push(await chat.sendMessage({ message: second }));
      return [answers, chat.getHistory()];
    },
  };
};

/** The client calls the tool itself, and asks again with its result. */
const automatic: Scenario = {
  name: "automatic function calling",
  run(kit) {
    const tool = {
      tool: async () => tools[0],
      callTool: async () => [result],
    };
    return createClient(kit).models.generateContent({
      model: MODEL,
      contents: CARD,
      config: { tools: [tool] },
    });
  },
  events: toToolEvents(TOKENS),
  calls: 2,
};

/** Google's client. It takes the global `fetch` when it calls it. */
export const genai: Driver = {
  takesFetch: false,
  scenarios: () => [
    ...toCommonScenarios(create, {
      tokens: TOKENS,
      errors: { 401: "UNAUTHENTICATED", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL" },
      timeout: "AbortError",
      cancels: false,
    }),
    automatic,
  ],
};
