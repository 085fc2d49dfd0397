import { trace } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { observeBedrockClient } from "../../../src/instrumentation/hooks/bedrock.ts";
import { activeHookContext } from "../../../src/instrumentation/hooks/hook-span.ts";
import { createHookHost, withContextManager } from "./hook-host.ts";

type Handler = (args: { input: object }) => Promise<{ response: object; output: object }>;
type Middleware = (next: Handler, context: { commandName: string }) => Handler;

const MODEL = "anthropic.claude-3-haiku-20240307-v1:0";
const QUESTION = "When does the Delft branch open?";
const ANSWER = "At nine.";
const INPUT = {
  modelId: MODEL,
  messages: [{ role: "user", content: [{ text: QUESTION }] }],
  system: [{ text: "Be nice." }, { cachePoint: { type: "default" } }],
  inferenceConfig: { maxTokens: 10, temperature: 0.5 },
};
const USAGE = {
  inputTokens: 21,
  outputTokens: 11,
  cacheReadInputTokens: 4,
  cacheWriteInputTokens: 2,
};
const METADATA = { httpStatusCode: 200, attempts: 1 };
const OUTPUT = {
  $metadata: METADATA,
  output: { message: { role: "assistant", content: [{ text: ANSWER }] } },
  stopReason: "end_turn",
  usage: USAGE,
};
const EVENTS = [
  { messageStart: { role: "assistant" } },
  { contentBlockDelta: { delta: { text: "At " }, contentBlockIndex: 0 } },
  { contentBlockDelta: { delta: { text: "nine." }, contentBlockIndex: 0 } },
  { messageStop: { stopReason: "end_turn" } },
  { metadata: { usage: USAGE } },
];

/** A client as far as its public middleware stack goes. */
function createClient(answer: () => Promise<object>) {
  const stack = new Map<string, Middleware>();
  return {
    middlewareStack: {
      add(middleware: Middleware, { name, override }: { name: string; override: boolean }): void {
        if (stack.has(name) && !override) throw new Error(`Duplicate middleware name '${name}'`);
        stack.set(name, middleware);
      },
      remove: (name: string): boolean => stack.delete(name),
    },
    async send(commandName: string, input: object): Promise<any> {
      let handler: Handler = async () => ({ response: {}, output: await answer() });
      for (const middleware of stack.values()) handler = middleware(handler, { commandName });
      return (await handler({ input })).output;
    },
  };
}

function observe(answer: () => Promise<object>) {
  const hooked = createHookHost();
  const client = createClient(answer);
  const stop = observeBedrockClient(hooked.host, client);
  return { ...hooked, client, stop };
}

/** A stream as the SDK gives it; tells how much of it was read, and whether it was closed. */
function createStream(events: readonly object[], failure?: Error) {
  const log = { read: 0, isClosed: false };
  const stream = {
    async *[Symbol.asyncIterator]() {
      try {
        for (const event of events) {
          log.read++;
          yield event;
        }
        if (failure) throw failure;
      } finally {
        log.isClosed = true;
      }
    },
  };
  return { log, stream };
}

const ATTRIBUTES = {
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": "aws.bedrock",
  "gen_ai.request.model": MODEL,
  "gen_ai.request.max_tokens": 10,
  "gen_ai.request.temperature": 0.5,
  "gen_ai.response.finish_reasons": ["stop"],
  "gen_ai.usage.input_tokens": 27,
  "gen_ai.usage.output_tokens": 11,
  "gen_ai.usage.cache_read.input_tokens": 4,
  "gen_ai.usage.cache_creation.input_tokens": 2,
  "http.response.status_code": 200,
};

describe("observeBedrockClient", () => {
  it("tells of Converse, and gives the very answer", async () => {
    const { client, publicSpans, ended, told } = observe(async () => OUTPUT);
    expect(await client.send("ConverseCommand", INPUT)).toBe(OUTPUT);
    expect(publicSpans()[0]).toMatchObject({ name: `chat ${MODEL}`, attributes: ATTRIBUTES });
    expect(JSON.stringify(publicSpans()[0]?.attributes)).not.toMatch(/Delft|nine|nice/);
    expect(ended[0]?.attributes["gen_ai.system_instructions"]).toBe(
      '[{"type":"text","content":"Be nice."}]',
    );
    expect(told()).toEqual([
      expect.stringMatching(
        new RegExp(`^user_message .*: ${QUESTION.replace("?", String.raw`\?`)}$`),
      ),
      expect.stringMatching(/^agent_response .*: At nine\.$/),
    ]);
  });

  it("tells of streams as they are read", async () => {
    const { log, stream } = createStream(EVENTS);
    const { client, publicSpans } = observe(async () => ({ $metadata: METADATA, stream }));
    const output = await client.send("ConverseStreamCommand", INPUT);
    expect(Object.keys(output)).toEqual(["$metadata", "stream"]);
    expect(Reflect.ownKeys(output.stream)).toEqual(Reflect.ownKeys(stream));
    expect([log.read, publicSpans().length]).toEqual([0, 0]);
    const seen: unknown[] = [];
    for await (const event of output.stream) {
      seen.push(event);
      expect(log.read).toBe(seen.length);
    }
    expect(seen).toEqual(EVENTS);
    expect(publicSpans()[0]?.attributes).toEqual(ATTRIBUTES);
  });

  it("tells what was read of a stream that its reader leaves, and closes it", async () => {
    const { log, stream } = createStream(EVENTS);
    const { client, ended } = observe(async () => ({ $metadata: METADATA, stream }));
    for await (const event of (await client.send("ConverseStreamCommand", INPUT)).stream) {
      if ("contentBlockDelta" in event) break;
    }
    expect(log).toEqual({ read: 2, isClosed: true });
    expect(ended[0]?.attributes["gen_ai.response.finish_reasons"]).toEqual(["cancelled"]);
    expect(ended[0]?.attributes["gen_ai.output.messages"]).toContain('"content":"At "');
  });

  it("tells what came of a stream that breaks, and gives the error to its reader", async () => {
    const failure = Object.assign(new Error("cut"), { name: "ModelStreamErrorException" });
    const { stream } = createStream(EVENTS.slice(0, 2), failure);
    const { client, ended, shown } = observe(async () => ({ $metadata: METADATA, stream }));
    const read = async (): Promise<void> => {
      const output = await client.send("ConverseStreamCommand", INPUT);
      for await (const _event of output.stream);
    };
    await expect(read()).rejects.toBe(failure);
    expect(shown()).toEqual([`chat ${MODEL} !"ModelStreamErrorException"`]);
    expect(ended[0]?.attributes["gen_ai.output.messages"]).toContain('"content":"At "');
  });

  it("tells of refusals with their status and attempts, and gives them to the caller", async () => {
    const failure = Object.assign(new Error("Too many requests"), {
      name: "ThrottlingException",
      $metadata: { httpStatusCode: 429, attempts: 3 },
    });
    const { client, publicSpans, told } = observe(() => Promise.reject(failure));
    await expect(client.send("ConverseCommand", INPUT)).rejects.toBe(failure);
    expect(publicSpans()[0]?.attributes).toMatchObject({
      "error.type": "ThrottlingException",
      "http.response.status_code": 429,
      "http.request.resend_count": 2,
    });
    expect(told().at(-1)).toMatch(/^error .*: Too many requests$/);
  });

  it("tells of tools and their results", async () => {
    const toolUse = { toolUseId: "c1", name: "find_card", input: { card: "CARD-77" } };
    const answers = [
      { ...OUTPUT, output: { message: { content: [{ toolUse }] } }, stopReason: "tool_use" },
      OUTPUT,
    ];
    const { client, told } = observe(async () => answers.shift() ?? {});
    const result = { toolUseId: "c1", content: [{ json: { limit: 5 } }] };
    await withContextManager(() => client.send("ConverseCommand", INPUT));
    const messages = [
      ...INPUT.messages,
      { role: "assistant", content: [{ toolUse }] },
      { role: "user", content: [{ toolResult: result }] },
    ];
    await client.send("ConverseCommand", { ...INPUT, messages });
    const events = told().join("\n");
    expect(events).toContain('find_card {"card":"CARD-77"}');
    expect(events).toContain('find_card {"limit":5}');
  });

  const toBytes = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

  it.each([
    [
      "Anthropic's models",
      {
        anthropic_version: "bedrock-2023-05-31",
        max_tokens: 10,
        messages: [{ role: "user", content: QUESTION }],
      },
      {
        content: [{ type: "text", text: ANSWER }],
        stop_reason: "end_turn",
        usage: { input_tokens: 5, output_tokens: 3 },
      },
    ],
    [
      "Nova",
      { messages: INPUT.messages, inferenceConfig: { maxTokens: 10 } },
      { output: OUTPUT.output, stopReason: "end_turn", usage: { inputTokens: 5, outputTokens: 3 } },
    ],
    [
      "models that speak as OpenAI's",
      { messages: [{ role: "user", content: QUESTION }] },
      {
        choices: [{ index: 0, message: { content: ANSWER }, finish_reason: "stop" }],
        usage: { prompt_tokens: 5, completion_tokens: 3 },
      },
    ],
  ])("reads InvokeModel of %s", async (_what, request, answer) => {
    const { client, ended } = observe(async () => ({ $metadata: METADATA, body: toBytes(answer) }));
    await client.send("InvokeModelCommand", { modelId: MODEL, body: JSON.stringify(request) });
    await client.send("InvokeModelCommand", { modelId: MODEL, body: toBytes(request) });
    expect(ended[0]?.attributes).toEqual(ended[1]?.attributes);
    expect(ended[0]?.attributes).toMatchObject({
      "gen_ai.provider.name": "aws.bedrock",
      "gen_ai.request.model": MODEL,
      "gen_ai.usage.input_tokens": 5,
      "gen_ai.usage.output_tokens": 3,
      "gen_ai.input.messages": expect.stringContaining(QUESTION) as string,
      "gen_ai.output.messages": expect.stringContaining(ANSWER) as string,
    });
  });

  it("reads streams of InvokeModel", async () => {
    const chunks = [
      {
        type: "message_start",
        message: { id: "msg_1", model: "claude-3-haiku", usage: { input_tokens: 5 } },
      },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: ANSWER } },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 3 } },
      { type: "message_stop", "amazon-bedrock-invocationMetrics": { inputTokenCount: 5 } },
    ];
    const { stream } = createStream(chunks.map((chunk) => ({ chunk: { bytes: toBytes(chunk) } })));
    const { client, ended } = observe(async () => ({ $metadata: METADATA, body: stream }));
    const body = JSON.stringify({ anthropic_version: "bedrock-2023-05-31", messages: [] });
    const input = { modelId: MODEL, body };
    const output = await client.send("InvokeModelWithResponseStreamCommand", input);
    for await (const _event of output.body);
    expect(ended[0]?.attributes).toMatchObject({
      "gen_ai.response.id": "msg_1",
      "gen_ai.usage.input_tokens": 5,
      "gen_ai.usage.output_tokens": 3,
      "gen_ai.output.messages": expect.stringContaining(ANSWER) as string,
    });
  });

  it("observes once, and no more when it is stopped", async () => {
    const { client, host, ended, stop } = observe(async () => OUTPUT);
    observeBedrockClient(host, client);
    await client.send("ConverseCommand", INPUT);
    stop();
    await client.send("ConverseCommand", INPUT);
    expect(ended).toHaveLength(1);
  });

  it("passes other commands, and what it can't read", async () => {
    const { client, ended, opened, lines } = observe(async () => OUTPUT);
    expect(await client.send("ListFoundationModelsCommand", {})).toBe(OUTPUT);
    expect(await client.send("constructor", {})).toBe(OUTPUT);
    expect(opened).toHaveLength(0);
    expect(await client.send("InvokeModelCommand", { modelId: 5, body: "{" })).toBe(OUTPUT);
    expect(await client.send("ConverseCommand", { messages: [null, 5] })).toBe(OUTPUT);
    expect(ended).toHaveLength(2);
    const hostile = new Proxy(
      {},
      {
        get() {
          throw new Error("no");
        },
      },
    );
    expect(await client.send("ConverseCommand", hostile)).toBe(OUTPUT);
    expect(lines).toEqual(["a call of Bedrock could not be read"]);
  });

  it("gives up streams that nobody reads, a thousand of them at most are open", async () => {
    const { stream } = createStream(EVENTS);
    const { client, shown } = observe(async () => ({ $metadata: METADATA, stream }));
    for (let index = 0; index <= 1000; index++) await client.send("ConverseStreamCommand", INPUT);
    expect(shown()).toEqual([`chat ${MODEL} !"span_abandoned"`]);
  });
});

it("what a client sends stands in the span of its call without a context manager as well", async () => {
  let around: string | undefined;
  const { client } = observe(async () => {
    around = trace.getSpan(activeHookContext())?.spanContext().spanId;
    return OUTPUT;
  });
  await client.send("ConverseCommand", INPUT);
  expect(around).toMatch(/^[0-9a-f]{16}$/);
});
