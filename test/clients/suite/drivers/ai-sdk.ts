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

const toUser = (content: string): object => ({ role: "user", content });

/** What is compared of a part of a stream: others hold ids that are made by chance. */
function toPart({ type, text, error, toolName, input, output, finishReason }: any): object {
  return { type, text, error, toolName, input, output, finishReason };
}

async function* toParts(stream: AsyncIterable<unknown>): AsyncGenerator<object> {
  for await (const part of stream) yield toPart(part);
}

/** What is compared of an answer, for the same reason. */
function toResult({ text, finishReason, usage, toolCalls, toolResults, steps }: any): object {
  return { text, finishReason, usage, toolCalls, toolResults, steps: steps.length };
}

/** Gives what a call must be given to be told by the hook: nothing from version 7 on. */
function toTelemetry(kit: Kit, hook: any): object {
  const isChannel = Boolean(kit.modules["sdk"].registerTelemetry);
  return hook && !isChannel
    ? { experimental_telemetry: { isEnabled: true, tracer: hook.tracer } }
    : {};
}

/** Has the model ask for a tool, which the library runs. */
async function runTool(kit: Kit): Promise<unknown> {
  const hook = kit.monitor && kit.modules["hook"].createAiSdkHook(kit.monitor);
  hook?.enable();
  try {
    return await create(kit, toTelemetry(kit, hook)).tools?.(CARD);
  } finally {
    hook?.disable();
  }
}

const create = ({ modules, server, fetch }: Kit, told: object = {}): ChatClient => {
  const { generateText, streamText, stepCountIs, tool, jsonSchema } = modules["sdk"];
  const { createOpenAI } = modules["openai"];
  const baseURL = `${server.url}/v1`;
  const provider = createOpenAI({ apiKey: "sk-test", baseURL, ...(fetch && { fetch }) });
  const toCall = (
    messages: object[],
    { signal, retries = 0 }: CallOptions = {},
    more: object = {},
  ): object => ({
    model: provider.chat("gpt-4o-mini"),
    messages,
    maxRetries: retries,
    // It is part of the stream; by default it is printed as well.
    onError: () => undefined,
    ...(signal && { abortSignal: signal }),
    ...told,
    ...more,
  });
  const find = tool({
    description: TOOL.description,
    inputSchema: jsonSchema(TOOL.schema),
    execute: async () => CARD_FOUND,
  });
  const withTool = { tools: { [TOOL.name]: find }, stopWhen: stepCountIs(3) };
  const ask = async (messages: object[], options?: CallOptions, more?: object): Promise<any> =>
    generateText(toCall(messages, options, more));
  return {
    chat: async (question, options) => toResult(await ask([toUser(question)], options)),
    stream: (question, options) =>
      toParts(streamText(toCall([toUser(question)], options)).fullStream),
    tools: async (question) => toResult(await ask([toUser(question)], {}, withTool)),
    streamedTools: (question) =>
      readStream(toParts(streamText(toCall([toUser(question)], {}, withTool)).fullStream)),
    async turns(first, second) {
      const { text } = await ask([toUser(first)]);
      const history = [toUser(first), { role: "assistant", content: text }, toUser(second)];
      return [text, toResult(await ask(history))];
    },
  };
};

const toTraits = (sdk: any): ChatTraits => ({
  tokens: { input: 21, output: 11 },
  // A stream that is left is not cancelled: up to 6 it is read to its end, from 7 no further.
  cancels: false,
  ...(!("isStepCount" in sdk) && { brokenTokens: { input: 21, output: 11 } }),
  errors: { 401: "invalid_request_error", 429: "server_error", 500: "server_error" },
  retries: true,
});

/** A client whose runs the hook tells of, until its stream is at an end. */
function createHooked(kit: Kit): ChatClient {
  const hook = kit.monitor && kit.modules["hook"].createAiSdkHook(kit.monitor);
  const client = create(kit, toTelemetry(kit, hook));
  return {
    ...client,
    async *stream(question, options) {
      hook?.enable();
      try {
        yield* await client.stream(question, options);
      } finally {
        hook?.disable();
      }
    },
  };
}

/** Vercel's AI SDK with its provider for OpenAI. */
export const aiSdk: Driver = {
  takesFetch: true,
  hookScenarios: ({ sdk }) => [
    {
      name: "tool",
      run: runTool,
      events: toToolEvents({ input: 21, output: 11 }),
      calls: 4,
    },
    ...toBrokenScenarios(createHooked, toTraits(sdk), 2),
  ],
  scenarios: ({ sdk }) => toCommonScenarios((kit) => create(kit), toTraits(sdk)),
};
