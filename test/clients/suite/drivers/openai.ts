import type { CreateChatClient } from "../chat-client.ts";
import { toChatEvents, toCommonScenarios, toToolEvents } from "../common-scenarios.ts";
import { readStream } from "../read-stream.ts";
import type { Driver, Kit, Scenario } from "../scenario.ts";
import { CARD, CARD_FOUND, HOURS, HOURS_ARE, OPENS, withWords } from "../talk.ts";
import {
  createOpenAi,
  MODEL,
  toBody,
  toCompletionsClient,
  toOptions,
  tools,
} from "./openai-completions.ts";
import { toHeapScenarios } from "./openai-heap.ts";
import { toResponsesScenarios } from "./openai-responses.ts";

const TOKENS = { input: 21, output: 11 };

/** Tells whether a stream that is aborted is cancelled, in place of its request: from 7 on. */
const leavesAborted = ({ version }: Kit["modules"]): boolean =>
  Number.parseInt(version.VERSION) >= 7;

const create: CreateChatClient = (kit) => toCompletionsClient(createOpenAi(kit));

/** Uses of the client that only it has. */
function toOwnScenarios({ parser }: Kit["modules"]): Scenario[] {
  const scenarios: Scenario[] = [];
  const add = (
    name: string,
    run: (client: any) => Promise<unknown>,
    events: Scenario["events"],
    more: Partial<Scenario> = {},
  ): void => {
    scenarios.push({ name, run: (kit) => run(createOpenAi(kit)), events, ...more });
  };
  const completed = toChatEvents(TOKENS);
  const streamed = toChatEvents();
  const stream = toBody(OPENS, { stream: true });
  const withUsage = toBody(OPENS, { stream: true, stream_options: { include_usage: true } });
  add(
    "stream with usage",
    (client) => readStream(client.chat.completions.create(withUsage)),
    completed,
  );
  add(
    "withResponse",
    async (client) => {
      const { data, response, request_id } = await client.chat.completions
        .create(toBody(OPENS))
        .withResponse();
      return { data, response, request_id };
    },
    completed,
  );
  add(
    "withResponse of a stream",
    async (client) => {
      const { data, response } = await client.chat.completions.create(stream).withResponse();
      return { response, read: await readStream(data) };
    },
    streamed,
  );
  add(
    "asResponse",
    async (client) => {
      const response: Response = await client.chat.completions.create(toBody(OPENS)).asResponse();
      const copy = response.clone();
      return [response, await response.json(), await copy.text(), response.bodyUsed];
    },
    completed,
  );
  add(
    "asResponse of a stream",
    async (client) => {
      const response: Response = await client.chat.completions.create(stream).asResponse();
      return [response, await response.text()];
    },
    streamed,
  );
  add(
    "asResponse that is not read",
    async (client) => {
      const response: Response = await client.chat.completions.create(stream).asResponse();
      await response.body?.cancel();
      return response;
    },
    [
      ["user_message", OPENS],
      ["agent_response", ""],
    ],
    {},
  );
  const schema = { name: "hours", strict: true, schema: { type: "object" } };
  // What the helper for zod makes, whichever version of zod there is.
  const format = parser.makeParseableResponseFormat(
    { type: "json_schema", json_schema: schema },
    JSON.parse,
  );
  add(
    "parse",
    (client) => client.chat.completions.parse(toBody(HOURS, { response_format: format })),
    toChatEvents(TOKENS, HOURS, HOURS_ARE),
  );
  add(
    "stream helper",
    async (client) => {
      const runner = client.chat.completions.stream(toBody(OPENS, {}));
      const deltas: unknown[] = [];
      runner.on("content", (delta: unknown) => deltas.push(delta));
      const read = await readStream(runner);
      return [read, deltas, await runner.finalChatCompletion()];
    },
    streamed,
  );
  const runnable = {
    type: "function",
    function: {
      ...tools[0]!.function,
      parse: JSON.parse,
      function: () => CARD_FOUND,
    },
  };
  add(
    "runTools",
    async (client) => {
      const runner = client.chat.completions.runTools(toBody(CARD, { tools: [runnable] }));
      return [await runner.finalContent(), runner.messages];
    },
    toToolEvents(TOKENS),
    { calls: 2 },
  );
  add(
    "runTools streamed",
    async (client) => {
      const body = toBody(CARD, { tools: [runnable], stream: true });
      const runner = client.chat.completions.runTools(body);
      return [await runner.finalContent(), runner.messages];
    },
    toToolEvents(),
    { calls: 2 },
  );
  add(
    "tee",
    async (client) => {
      const [left, right] = (await client.chat.completions.create(stream)).tee();
      return Promise.all([readStream(left), readStream(right)]);
    },
    streamed,
  );
  add(
    "toReadableStream",
    async (client) => {
      const readable = (await client.chat.completions.create(stream)).toReadableStream();
      return new Response(readable).text();
    },
    streamed,
  );
  const once = withWords("status=503,times=1");
  add(
    "retry by the caller",
    (client) => {
      const again = (): Promise<unknown> =>
        client.chat.completions.create(toBody(once), toOptions());
      return again().catch(again);
    },
    toChatEvents(TOKENS, once),
  );
  add("embeddings", (client) => client.embeddings.create({ model: MODEL, input: OPENS }), [], {
    calls: 0,
  });
  return scenarios;
}

/** OpenAI's client with chat completions and responses. */
export const openai: Driver = {
  takesFetch: true,
  scenarios: (modules) => [
    ...toCommonScenarios(create, {
      tokens: TOKENS,
      streamTokens: null,
      errors: { 401: "invalid_request_error", 429: "server_error", 500: "server_error" },
      timeout: "TimeoutError",
      leavesAborted: leavesAborted(modules),
      retries: true,
    }),
    ...toOwnScenarios(modules),
    ...toResponsesScenarios(createOpenAi, toOptions, leavesAborted(modules)),
    ...toHeapScenarios(createOpenAi),
  ],
};
