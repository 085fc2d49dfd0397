import type { CallOptions, ChatClient } from "../chat-client.ts";
import { toCommonScenarios, toToolEvents } from "../common-scenarios.ts";
import { readStream } from "../read-stream.ts";
import type { Driver, Kit, Scenario } from "../scenario.ts";
import { CARD, CARD_FOUND, TOOL } from "../talk.ts";

type Method = "tools" | "streamedTools";

const modelId = "anthropic.claude-sonnet-4-5-v1:0";
const toUser = (text: string): object => ({ role: "user", content: [{ text }] });
const toolConfig = {
  tools: [
    {
      toolSpec: {
        name: TOOL.name,
        description: TOOL.description,
        inputSchema: { json: TOOL.schema },
      },
    },
  ],
};
const toAnswer = (toolUseId: string): object => ({
  role: "user",
  content: [{ toolResult: { toolUseId, content: [{ json: CARD_FOUND }] } }],
});

/** Puts the pieces of a streamed tool call together. */
function toMessage(chunks: readonly any[]): any {
  const { toolUse } = chunks.find(({ contentBlockStart }) => contentBlockStart).contentBlockStart
    .start;
  const input = chunks
    .map(({ contentBlockDelta }) => contentBlockDelta?.delta?.toolUse?.input ?? "")
    .join("");
  return { role: "assistant", content: [{ toolUse: { ...toolUse, input: JSON.parse(input) } }] };
}

const create = ({ modules, server, monitor }: Kit, isFetched = true): ChatClient => {
  const { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } = modules["sdk"];
  const { FetchHttpHandler, streamCollector } = modules["handler"];
  const { NodeHttpHandler } = modules["nodeHandler"];
  const toClient = ({ retries = 0, timeoutMillis }: CallOptions = {}): any => {
    const client = new BedrockRuntimeClient({
      region: "eu-central-1",
      endpoint: server.url,
      credentials: { accessKeyId: "id", secretAccessKey: "secret" },
      maxAttempts: retries + 1,
      // By default it takes node:http, which its own hook observes.
      ...(isFetched
        ? {
            requestHandler: new FetchHttpHandler({ requestTimeout: timeoutMillis ?? 0 }),
            streamCollector,
          }
        : { requestHandler: new NodeHttpHandler({ requestTimeout: timeoutMillis ?? 0 }) }),
    });
    if (monitor) modules["hook"].observeBedrockClient(monitor, client);
    return client;
  };
  const ask = (messages: object[], more: object = {}, options: CallOptions = {}): Promise<any> =>
    toClient(options).send(new ConverseCommand({ modelId, messages, ...more }), {
      abortSignal: options.signal,
    });
  const stream = async (messages: object[], more: object = {}, options: CallOptions = {}) => {
    const command = new ConverseStreamCommand({ modelId, messages, ...more });
    return (await toClient(options).send(command, { abortSignal: options.signal })).stream;
  };
  return {
    chat: (question, options) => ask([toUser(question)], {}, options),
    stream: (question, options) => stream([toUser(question)], {}, options),
    async tools(question) {
      const first = await ask([toUser(question)], { toolConfig });
      const { message } = first.output;
      const answer = toAnswer(message.content[0].toolUse.toolUseId);
      return [first, await ask([toUser(question), message, answer], { toolConfig })];
    },
    async streamedTools(question) {
      const first = await readStream(stream([toUser(question)], { toolConfig }));
      const message = toMessage(first.chunks);
      const answer = toAnswer(message.content[0].toolUse.toolUseId);
      const history = [toUser(question), message, answer];
      return [first, await readStream(stream(history, { toolConfig }))];
    },
    async turns(first, second) {
      const answer = await ask([toUser(first)]);
      return [answer, await ask([toUser(first), answer.output.message, toUser(second)])];
    },
  };
};

/** The AWS client for Bedrock, as far as it takes `fetch`. */
export const bedrock: Driver = {
  takesFetch: false,
  hookScenarios: () => {
    const events = toToolEvents({ input: 21, output: 11 });
    const toScenario = (name: string, isFetched: boolean, method: Method): Scenario => ({
      name,
      run: async (kit) => create(kit, isFetched)[method]?.(CARD),
      events,
      calls: 2,
    });
    return [
      toScenario("tool", false, "tools"),
      toScenario("streamed tool", false, "streamedTools"),
      toScenario("tool by fetch", true, "tools"),
      toScenario("streamed tool by fetch", true, "streamedTools"),
    ];
  },
  scenarios: () =>
    toCommonScenarios((kit) => create(kit), {
      tokens: { input: 21, output: 11 },
      errors: {
        401: "AccessDeniedException",
        429: "ThrottlingException",
        500: "InternalServerException",
      },
      retries: true,
      cancels: false,
      // A stream of AWS is no lines of text. What is beyond the time limit of `fetch` stays open, so there is none here.
      without: ["stream in slices"],
    }),
};
