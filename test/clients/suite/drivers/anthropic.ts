import type { CallOptions, CreateChatClient } from "../chat-client.ts";
import { toChatEvents, toCommonScenarios, toToolEvents } from "../common-scenarios.ts";
import { readStream } from "../read-stream.ts";
import type { Driver, Kit, Scenario } from "../scenario.ts";
import { OTHER_ANSWER } from "../../../helpers/model-server/script.ts";
import { CARD, CARD_FOUND, CARD_IS, HOURS, HOURS_ARE, OPENS, TOOL } from "../talk.ts";

const TOKENS = { input: 21, output: 11 };
const MODEL = "claude-sonnet-4-5";
const tools = [{ name: TOOL.name, description: TOOL.description, input_schema: TOOL.schema }];
const toUser = (content: unknown): object => ({ role: "user", content });
const toBody = (question: string, more: object = {}): object => ({
  model: MODEL,
  max_tokens: 100,
  messages: [toUser(question)],
  ...more,
});
const toOptions = ({ signal, timeoutMillis, retries = 0 }: CallOptions = {}): object => ({
  maxRetries: retries,
  ...(signal && { signal }),
  ...(timeoutMillis !== undefined && { timeout: timeoutMillis }),
});

function createClient({ modules, server, fetch }: Kit): any {
  const { Anthropic, AnthropicBedrock } = modules["sdk"];
  const options = { baseURL: server.url, ...(fetch && { fetch }) };
  if (!AnthropicBedrock) return new Anthropic({ apiKey: "sk-test", ...options });
  const keys = { awsRegion: "us-east-1", awsAccessKey: "id", awsSecretKey: "secret" };
  return new AnthropicBedrock({ ...keys, ...options });
}

/** Makes the messages of a conversation in which the model's tool calls are answered. */
function withResults(question: string, { content }: any): object[] {
  const results = content
    .filter(({ type }: any) => type === "tool_use")
    .map(({ id }: any) => ({
      type: "tool_result",
      tool_use_id: id,
      content: JSON.stringify(CARD_FOUND),
    }));
  return [toUser(question), { role: "assistant", content }, toUser(results)];
}

const create: CreateChatClient = (kit) => {
  const { messages } = createClient(kit);
  const send = (body: object, options?: CallOptions): Promise<any> =>
    messages.create(body, toOptions(options));
  return {
    chat: (question, options) => send(toBody(question), options),
    stream: (question, options) => send(toBody(question, { stream: true }), options),
    async tools(question) {
      const first = await send(toBody(question, { tools }));
      const history = withResults(question, first);
      return [first, await send(toBody("", { tools, messages: history }))];
    },
    async streamedTools(question) {
      const first = await messages.stream(toBody(question, { tools })).finalMessage();
      const history = withResults(question, first);
      const second = messages.stream(toBody("", { tools, messages: history }));
      return [first, await readStream(second), await second.finalMessage()];
    },
    async turns(first, second) {
      const answer = await send(toBody(first));
      const history = [
        toUser(first),
        { role: "assistant", content: answer.content },
        toUser(second),
      ];
      return [answer, await send(toBody("", { messages: history }))];
    },
  };
};

/** Uses of the client that only it has. */
function toOwnScenarios({ helpers, version }: Kit["modules"]): Scenario[] {
  const scenarios: Scenario[] = [];
  // From 1.x the runner leaves the history to the server, and ours then does not know what was asked.
  const isThreaded = !version.VERSION.startsWith("0.");
  const ran = toToolEvents(TOKENS, isThreaded ? OTHER_ANSWER : CARD_IS);
  const completed = toChatEvents(TOKENS);
  const add = (
    name: string,
    run: (client: any) => Promise<unknown>,
    events: Scenario["events"] = completed,
    more: Partial<Scenario> = {},
  ): void => {
    scenarios.push({ name, run: (kit) => run(createClient(kit)), events, ...more });
  };
  const stream = toBody(OPENS, { stream: true });
  add("withResponse", async (client) => {
    const { data, response, request_id } = await client.messages
      .create(toBody(OPENS))
      .withResponse();
    return { data, response, request_id };
  });
  add("asResponse", async (client) => {
    const response: Response = await client.messages.create(toBody(OPENS)).asResponse();
    return [response, await response.json(), response.bodyUsed];
  });
  add("asResponse of a stream", async (client) => {
    const response: Response = await client.messages.create(stream).asResponse();
    return [response, await response.text()];
  });
  add("stream helper", async (client) => {
    const helper = client.messages.stream(toBody(OPENS));
    const texts: unknown[] = [];
    helper.on("text", (text: unknown) => texts.push(text));
    return [await readStream(helper), texts, await helper.finalMessage(), await helper.finalText()];
  });
  const tool = helpers.betaTool({
    name: TOOL.name,
    description: TOOL.description,
    inputSchema: TOOL.schema,
    run: () => JSON.stringify(CARD_FOUND),
  });
  const body = toBody(CARD, { tools: [tool] });
  // It begins when it is awaited, which is to be in the conversation.
  add("toolRunner", async (client) => client.beta.messages.toolRunner(body), ran, {
    calls: 2,
  });
  add(
    "toolRunner streamed",
    async (client) => {
      const runner = client.beta.messages.toolRunner({ ...body, stream: true });
      const answers: unknown[] = [];
      for await (const answer of runner) answers.push(await readStream(answer));
      return answers;
    },
    ran,
    { calls: 2 },
  );
  const schema = {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  };
  const format = { ...helpers.betaJSONSchemaOutputFormat(schema) };
  add(
    "parse",
    (client) => client.beta.messages.parse(toBody(HOURS, { output_config: { format } })),
    toChatEvents(TOKENS, HOURS, HOURS_ARE),
  );
  add("tee", async (client) => {
    const [left, right] = (await client.messages.create(stream)).tee();
    return Promise.all([readStream(left), readStream(right)]);
  });
  add("toReadableStream", async (client) => {
    const readable = (await client.messages.create(stream)).toReadableStream();
    return new Response(readable).text();
  });
  return scenarios;
}

const TRAITS = {
  tokens: TOKENS,
  timeout: "TimeoutError",
  // The server says at the start of a stream what it has read.
  brokenTokens: { input: 21, output: 1 },
  silentTokens: { input: 0, output: 0 },
  retries: true,
} as const;

/** Anthropic's client. */
export const anthropic: Driver = {
  takesFetch: true,
  scenarios: (modules) => [
    ...toCommonScenarios(create, {
      ...TRAITS,
      errors: { 401: "authentication_error", 429: "rate_limit_error", 500: "api_error" },
    }),
    ...toOwnScenarios(modules),
  ],
};

/** Anthropic's client for Bedrock. */
export const anthropicBedrock: Driver = {
  takesFetch: true,
  scenarios: () =>
    toCommonScenarios(create, {
      ...TRAITS,
      errors: {
        401: "AccessDeniedException",
        429: "ThrottlingException",
        500: "InternalServerException",
      },
      cancels: false,
    }),
};
