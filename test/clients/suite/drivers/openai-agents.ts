import type { CallOptions, CreateChatClient } from "../chat-client.ts";
import { toCommonScenarios, toToolEvents } from "../common-scenarios.ts";
import { readStream } from "../read-stream.ts";
import type { Driver, Kit } from "../scenario.ts";
import { CARD, CARD_FOUND, TOOL } from "../talk.ts";

/** What is compared of a stream's event: runs have ids that are made by chance. */
async function* toEvents(stream: AsyncIterable<any>): AsyncGenerator<object> {
  for await (const { type, name, data } of stream) yield { type, name, data: data?.type };
}

const create: CreateChatClient = ({ modules, server, fetch, monitor }) => {
  const { Agent, Runner, OpenAIProvider, tool, user } = modules["sdk"];
  const { OpenAI } = modules["openai"];
  const baseURL = `${server.url}/v1`;
  const toRunner = (retries = 0, timeoutMillis = 60_000): any => {
    const openAIClient = new OpenAI({
      apiKey: "sk-test",
      baseURL,
      maxRetries: retries,
      timeout: timeoutMillis,
      ...(fetch && { fetch }),
    });
    const modelProvider = new OpenAIProvider({ openAIClient, useResponses: false });
    return new Runner({ modelProvider, tracingDisabled: !monitor });
  };
  const find = tool({
    name: TOOL.name,
    description: TOOL.description,
    parameters: TOOL.schema,
    strict: false,
    execute: async () => JSON.stringify(CARD_FOUND),
  });
  const toAgent = (tools: object[] = []): any =>
    new Agent({ name: "Assistant", model: "gpt-4o-mini", instructions: "Be brief.", tools });
  const run = async (
    input: unknown,
    options: CallOptions = {},
    tools: object[] = [],
  ): Promise<any> =>
    toRunner(options.retries, options.timeoutMillis).run(toAgent(tools), input, {
      signal: options.signal,
    });
  const stream = async (input: unknown, { signal }: CallOptions = {}, tools: object[] = []) =>
    toEvents(await toRunner().run(toAgent(tools), input, { signal, stream: true }));
  return {
    chat: async (question, options) => (await run(question, options)).finalOutput,
    stream,
    tools: async (question) => (await run(question, {}, [find])).finalOutput,
    streamedTools: (question) => readStream(stream(question, {}, [find])),
    async turns(first, second) {
      const { history, finalOutput } = await run(first);
      const next = await run([...history, user(second)]);
      return [finalOutput, next.finalOutput];
    },
  };
};

/** Has an agent run a tool; the library's own exporter, which sends to OpenAI, is replaced. */
async function runTool(kit: Kit): Promise<unknown> {
  const { monitor, modules } = kit;
  const processors = monitor ? [modules["hook"].createAgentsTraceProcessor(monitor)] : [];
  modules["sdk"].setTraceProcessors(processors);
  return create(kit).tools?.(CARD);
}

/** OpenAI's agents, with chat completions. */
export const openaiAgents: Driver = {
  takesFetch: true,
  hookScenarios: () => [
    {
      name: "tool",
      run: runTool,
      events: toToolEvents({ input: 21, output: 11 }),
      // The workflow, the agent, two calls and the tool.
      calls: 5,
    },
  ],
  scenarios: () =>
    toCommonScenarios(create, {
      tokens: { input: 21, output: 11 },
      errors: { 401: "invalid_request_error", 429: "server_error", 500: "server_error" },
      // Only the limit of a single call is told to the server.
      timeout: "AbortError",
      retries: true,
      abortsLeft: true,
    }),
};
