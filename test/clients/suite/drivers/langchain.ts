import type { CallOptions, ChatClient } from "../chat-client.ts";
import {
  toBrokenScenarios,
  toCommonScenarios,
  toToolEvents,
  type ChatTraits,
} from "../common-scenarios.ts";
import { readStream } from "../read-stream.ts";
import type { Driver, Kit } from "../scenario.ts";
import { CARD, CARD_FOUND, TOOL } from "../talk.ts";

const tools = [
  {
    type: "function",
    function: { name: TOOL.name, description: TOOL.description, parameters: TOOL.schema },
  },
];

const create = ({ modules, server, fetch }: Kit, told: object = {}): ChatClient => {
  const { ChatOpenAI } = modules["sdk"];
  const { HumanMessage, ToolMessage } = modules["messages"];
  const toModel = (retries = 0): any =>
    new ChatOpenAI({
      model: "gpt-4o-mini",
      apiKey: "sk-test",
      maxRetries: retries,
      configuration: { baseURL: `${server.url}/v1`, ...(fetch && { fetch }) },
    });
  const toOptions = ({ signal, timeoutMillis }: CallOptions = {}): object => ({
    ...told,
    ...(signal && { signal }),
    ...(timeoutMillis !== undefined && { timeout: timeoutMillis }),
  });
  const model = toModel();
  const withTools = model.bindTools(tools);
  const toAnswer = ({ tool_calls: [call] }: any): object =>
    new ToolMessage({ content: JSON.stringify(CARD_FOUND), tool_call_id: call.id });
  return {
    chat: (question, options) =>
      (options?.retries ? toModel(options.retries) : model).invoke(question, toOptions(options)),
    stream: (question, options) => model.stream(question, toOptions(options)),
    async tools(question) {
      const first = await withTools.invoke(question);
      const history = [new HumanMessage(question), first, toAnswer(first)];
      return [first, await withTools.invoke(history)];
    },
    async streamedTools(question) {
      const read = await readStream(withTools.stream(question));
      const first = read.chunks.reduce((whole: any, chunk: any) => whole.concat(chunk)) as any;
      const history = [new HumanMessage(question), first, toAnswer(first)];
      return [first, await readStream(withTools.stream(history))];
    },
    async turns(first, second) {
      const answer = await model.invoke(first);
      const history = [new HumanMessage(first), answer, new HumanMessage(second)];
      return [answer, await model.invoke(history)];
    },
  };
};

/** Gives the configuration of a call that the hook is to tell of. */
function toConfig({ modules, monitor }: Kit): object {
  return monitor ? { callbacks: [modules["hook"].createLangChainHandler(monitor)] } : {};
}

/** Has the model ask for a tool, runs it as LangChain does, and gives it the result. */
async function runTool(kit: Kit): Promise<unknown> {
  const { modules, server } = kit;
  const { ChatOpenAI } = modules["sdk"];
  const { HumanMessage } = modules["messages"];
  const find = modules["tools"].tool(async () => JSON.stringify(CARD_FOUND), {
    name: TOOL.name,
    description: TOOL.description,
    schema: TOOL.schema,
  });
  const config = toConfig(kit);
  const model = new ChatOpenAI({
    model: "gpt-4o-mini",
    apiKey: "sk-test",
    maxRetries: 0,
    configuration: { baseURL: `${server.url}/v1` },
  }).bindTools([find]);
  const first = await model.invoke(CARD, config);
  const found = await find.invoke(first.tool_calls[0], config);
  return [first, found, await model.invoke([new HumanMessage(CARD), first, found], config)];
}

const TRAITS: ChatTraits = {
  tokens: { input: 21, output: 11 },
  errors: { 401: "invalid_request_error", 429: "server_error", 500: "server_error" },
  timeout: "TimeoutError",
  retries: true,
  leavesAborted: true,
};

/** LangChain's model for OpenAI. */
export const langchain: Driver = {
  takesFetch: true,
  hookScenarios: () => [
    {
      name: "tool",
      run: runTool,
      events: toToolEvents({ input: 21, output: 11 }),
      calls: 3,
    },
    // The hook is told of an abort, of which the client only cancels the answer.
    ...toBrokenScenarios((kit) => create(kit, toConfig(kit)), {
      ...TRAITS,
      leavesAborted: false,
      abortError: "Error",
    }),
  ],
  scenarios: () => toCommonScenarios((kit) => create(kit), TRAITS),
};
