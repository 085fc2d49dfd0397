import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startModelServer, type ModelServer } from "./model-server/index.ts";
import { findCard, MODEL_SCRIPT } from "./model-server/script.ts";

const QUESTION = "When does the Delft branch open?";
const ANSWER = "The Delft branch opens at nine and closes at five.";
const CARD_QUESTION = "Is card CARD-77 active?";
const CARD_ANSWER = "Yes, card CARD-77 is active with a limit of 3000 EUR.";
const CARD = JSON.stringify(findCard("CARD-77"));
const schema = { type: "object", properties: { card_id: { type: "string" } } };

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});
afterEach(async () => {
  await server.close();
});

const toEvents = (sse: string): any[] =>
  sse
    .split("\n")
    .filter((line) => line.startsWith("data: ") && line !== "data: [DONE]")
    .map((line) => JSON.parse(line.slice("data: ".length)));

const toLines = (ndjson: string): any[] =>
  ndjson
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** What one protocol needs said to it, and where it says its answers. */
interface Speaker {
  readonly name: string;
  readonly path: string;
  readonly streamPath?: string;
  toBody(question: string, streamed: boolean): object;
  /** Adds the tool, the model's own call and its result. */
  withTool(body: any): object;
  withResult(body: any, answer: any): object;
  textOf(answer: any): string;
  callOf(answer: any): { readonly name: string; readonly args: unknown };
  streamedTextOf(stream: string): string;
  /** Input and output tokens. */
  usageOf(answer: any): readonly unknown[];
}

const chatTool = { type: "function", function: { name: "find_card", parameters: schema } };
const openAiChat: Speaker = {
  name: "openai-chat",
  path: "/v1/chat/completions",
  toBody: (content, stream) => ({ model: "m", stream, messages: [{ role: "user", content }] }),
  withTool: (body) => ({ ...body, tools: [chatTool] }),
  withResult: (body, { choices: [{ message }] }) => ({
    ...body,
    messages: [
      ...body.messages,
      message,
      { role: "tool", tool_call_id: message.tool_calls[0].id, content: CARD },
    ],
  }),
  textOf: (answer) => answer.choices[0].message.content,
  callOf: (answer) => {
    const { name, arguments: args } = answer.choices[0].message.tool_calls[0].function;
    return { name, args: JSON.parse(args) };
  },
  streamedTextOf: (stream) =>
    toEvents(stream)
      .map(({ choices }) => choices?.[0]?.delta.content ?? "")
      .join(""),
  usageOf: ({ usage }) => [usage.prompt_tokens, usage.completion_tokens],
};

const speakers: readonly Speaker[] = [
  openAiChat,
  { ...openAiChat, name: "mistral", path: "/mistral/v1/chat/completions" },
  {
    name: "openai-responses",
    path: "/v1/responses",
    toBody: (content, stream) => ({ model: "m", stream, input: [{ role: "user", content }] }),
    withTool: (body) => ({ ...body, tools: [{ type: "function", name: "find_card" }] }),
    withResult: (body, { output }) => ({
      ...body,
      input: [
        ...body.input,
        ...output,
        { type: "function_call_output", call_id: output[0].call_id, output: CARD },
      ],
    }),
    textOf: ({ output }) => output[0].content[0].text,
    callOf: ({ output: [{ name, arguments: args }] }) => ({ name, args: JSON.parse(args) }),
    streamedTextOf: (stream) =>
      toEvents(stream)
        .map(({ type, delta }) => (type === "response.output_text.delta" ? delta : ""))
        .join(""),
    usageOf: ({ usage }) => [usage.input_tokens, usage.output_tokens],
  },
  {
    name: "anthropic",
    path: "/v1/messages",
    toBody: (content, stream) => ({ model: "m", stream, messages: [{ role: "user", content }] }),
    withTool: (body) => ({ ...body, tools: [{ name: "find_card", input_schema: schema }] }),
    withResult: (body, { content }) => ({
      ...body,
      messages: [
        ...body.messages,
        { role: "assistant", content },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: content[0].id, content: CARD }],
        },
      ],
    }),
    textOf: ({ content }) => content[0].text,
    callOf: ({ content: [{ name, input }] }) => ({ name, args: input }),
    streamedTextOf: (stream) =>
      toEvents(stream)
        .map(({ delta }) => delta?.text ?? "")
        .join(""),
    usageOf: ({ usage }) => [usage.input_tokens, usage.output_tokens],
  },
  {
    name: "gemini",
    path: "/v1beta/models/m:generateContent",
    streamPath: "/v1beta/models/m:streamGenerateContent?alt=sse",
    toBody: (text) => ({ contents: [{ role: "user", parts: [{ text }] }] }),
    withTool: (body) => ({
      ...body,
      tools: [{ functionDeclarations: [{ name: "find_card" }] }],
    }),
    withResult: (body, { candidates: [{ content }] }) => ({
      ...body,
      contents: [
        ...body.contents,
        content,
        { role: "user", parts: [{ functionResponse: { name: "find_card", response: {} } }] },
      ],
    }),
    textOf: ({ candidates }) => candidates[0].content.parts[0].text,
    callOf: ({ candidates }) => candidates[0].content.parts[0].functionCall,
    streamedTextOf: (stream) =>
      toEvents(stream)
        .map(({ candidates }) => candidates?.[0].content.parts[0].text ?? "")
        .join(""),
    usageOf: ({ usageMetadata: usage }) => [usage.promptTokenCount, usage.candidatesTokenCount],
  },
  {
    name: "cohere",
    path: "/v2/chat",
    toBody: (content, stream) => ({ model: "m", stream, messages: [{ role: "user", content }] }),
    withTool: (body) => ({ ...body, tools: [chatTool] }),
    withResult: (body, { message }) => ({
      ...body,
      messages: [
        ...body.messages,
        message,
        { role: "tool", tool_call_id: message.tool_calls[0].id, content: CARD },
      ],
    }),
    textOf: ({ message }) => message.content[0].text,
    callOf: ({ message }) => {
      const { name, arguments: args } = message.tool_calls[0].function;
      return { name, args: JSON.parse(args) };
    },
    streamedTextOf: (stream) =>
      toEvents(stream)
        .map(({ type, delta }) => (type === "content-delta" ? delta.message.content.text : ""))
        .join(""),
    usageOf: ({ usage: { tokens } }) => [tokens.input_tokens, tokens.output_tokens],
  },
  {
    name: "ollama",
    path: "/api/chat",
    toBody: (content, stream) => ({ model: "m", stream, messages: [{ role: "user", content }] }),
    withTool: (body) => ({ ...body, tools: [chatTool] }),
    withResult: (body, { message }) => ({
      ...body,
      messages: [...body.messages, message, { role: "tool", content: CARD }],
    }),
    textOf: ({ message }) => message.content,
    callOf: ({ message }) => {
      const { name, arguments: args } = message.tool_calls[0].function;
      return { name, args };
    },
    streamedTextOf: (stream) =>
      toLines(stream)
        .map(({ message }) => message?.content ?? "")
        .join(""),
    usageOf: (answer) => [answer.prompt_eval_count, answer.eval_count],
  },
  {
    name: "bedrock",
    path: "/model/m/converse",
    streamPath: "/model/m/converse-stream",
    toBody: (text) => ({ messages: [{ role: "user", content: [{ text }] }] }),
    withTool: (body) => ({
      ...body,
      toolConfig: { tools: [{ toolSpec: { name: "find_card" } }] },
    }),
    withResult: (body, { output: { message } }) => ({
      ...body,
      messages: [
        ...body.messages,
        message,
        { role: "user", content: [{ toolResult: { toolUseId: "1", content: [] } }] },
      ],
    }),
    textOf: ({ output }) => output.message.content[0].text,
    callOf: ({ output }) => {
      const { name, input } = output.message.content[0].toolUse;
      return { name, args: input };
    },
    streamedTextOf: (stream) =>
      [...stream.matchAll(/\{"contentBlockIndex":0,"delta":\{"text":"([^"]*)"/g)]
        .map(([, text]) => text)
        .join(""),
    usageOf: ({ usage }) => [usage.inputTokens, usage.outputTokens],
  },
];

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

describe.each(speakers)("$name", (speaker) => {
  const { path, streamPath = path } = speaker;

  it("answers", async () => {
    const answer: any = await (await post(path, speaker.toBody(QUESTION, false))).json();
    expect(speaker.textOf(answer)).toBe(ANSWER);
    expect(speaker.usageOf(answer)).toEqual([21, 11]);
    expect(server.requests).toMatchObject([
      { protocol: speaker.name, streamed: false, status: 200, outcome: "finished" },
    ]);
  });

  it("streams", async () => {
    const response = await post(streamPath, speaker.toBody(QUESTION, true));
    expect(speaker.streamedTextOf(await response.text())).toBe(ANSWER);
    expect(server.requests).toMatchObject([
      { streamed: true, outcome: "finished", text: ANSWER, protocol: speaker.name },
    ]);
    expect(server.openStreams).toBe(0);
  });

  it("calls a tool, then answers from its result", async () => {
    const body = speaker.withTool(speaker.toBody(CARD_QUESTION, false));
    const call: any = await (await post(path, body)).json();
    expect(speaker.callOf(call)).toEqual({ name: "find_card", args: { card_id: "CARD-77" } });
    const answer: any = await (await post(path, speaker.withResult(body, call))).json();
    expect(speaker.textOf(answer)).toBe(CARD_ANSWER);
  });

  it("says in a stream that it can't go on", async () => {
    const response = await post(streamPath, speaker.toBody(`${QUESTION} [[fail=2]]`, true));
    const stream = await response.text();
    expect(speaker.streamedTextOf(stream)).toBe("The Delft branch opens a");
    expect(stream).toContain("The model server was told to fail.");
  });

  it("refuses", async () => {
    const body = speaker.toBody(`${QUESTION} [[status=429, retry-after=7]]`, true);
    const response = await post(streamPath, body);
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
    expect(JSON.stringify(await response.json())).toContain("The model server was told to fail.");
  });
});

describe("behaviour", () => {
  const ask = (words: string, streamed = true) =>
    post(openAiChat.path, openAiChat.toBody(QUESTION, streamed), { "x-model-script": words });

  it("is said by the header, the query or the question", async () => {
    const body = openAiChat.toBody(QUESTION, false);
    const asked = openAiChat.toBody(`${QUESTION} [[status=500]]`, false);
    const responses = [
      await ask("status=500"),
      await post(`${openAiChat.path}?script=status=500`, body),
      await post(openAiChat.path, asked),
    ];
    expect(responses.map(({ status }) => status)).toEqual([500, 500, 500]);
  });

  it("ends after so many times", async () => {
    const statuses = [];
    for (let count = 0; count < 3; count++) {
      statuses.push((await ask("status=429,times=2", false)).status);
    }
    expect(statuses).toEqual([429, 429, 200]);
  });

  it("cuts a stream behind what was read", async () => {
    const reader = (await ask("cut=2")).body!.getReader();
    let text = "";
    await expect(async () => {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        text += Buffer.from(value).toString();
      }
    }).rejects.toThrow();
    expect(openAiChat.streamedTextOf(text)).toBe("The Delft branch opens a");
    expect(server.requests).toMatchObject([{ outcome: "cut", text: "The Delft branch opens a" }]);
  });

  it("cuts a whole body", async () => {
    const response = await ask("cut=0", false);
    await expect(response.json()).rejects.toThrow();
  });

  it("stops writing when nobody reads, and sees a reader that leaves", async () => {
    const response = await ask("size=50000000,piece=4000");
    const reader = response.body!.getReader();
    await reader.read();
    expect(server.openStreams).toBe(1);
    await reader.cancel();
    await expect.poll(() => server.requests[0]?.outcome).toBe("cancelled");
    expect(server.openStreams).toBe(0);
    expect(server.requests[0]!.text.length).toBeLessThan(50_000_000);
  });

  it("is slow, and stays silent", async () => {
    expect(openAiChat.streamedTextOf(await (await ask("slow=1")).text())).toBe(ANSWER);
    const leaving = new AbortController();
    const silent = fetch(`${server.url}${openAiChat.path}?script=hang`, {
      method: "POST",
      body: "{}",
      signal: leaving.signal,
    });
    await expect.poll(() => server.requests.length).toBe(2);
    leaving.abort();
    await expect(silent).rejects.toThrow();
    await expect.poll(() => server.requests[1]?.outcome).toBe("cancelled");
  });

  it("leaves usage out, lies about types, and writes lines as Windows does", async () => {
    const plain: any = await (await ask("no-usage", false)).json();
    expect(plain.usage).toBeUndefined();
    const lie = await ask("type=text/plain");
    expect(lie.headers.get("content-type")).toBe("text/plain");
    const html = await ask("html");
    expect(html.headers.get("content-type")).toBe("text/html");
    expect(await html.text()).toContain("<!doctype html>");
    const windows = await (await ask("crlf")).text();
    expect(windows.startsWith(": keep-alive\r\n\r\ndata: ")).toBe(true);
    expect(windows.replaceAll("\r\n", "")).not.toContain("\n");
  });

  it("cuts lines and code points, and compresses", async () => {
    const own = await startModelServer([{ question: "Ping?", answer: "Pong 🏦." }]);
    const body = JSON.stringify(openAiChat.toBody("Ping?", true));
    const askOwn = (query: string) =>
      fetch(`${own.url}${openAiChat.path}?script=${query}`, { method: "POST", body });
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await askOwn("bytes=1")).body!) chunks.push(chunk);
    expect(openAiChat.streamedTextOf(Buffer.concat(chunks).toString())).toBe("Pong 🏦.");
    expect(chunks.length).toBeGreaterThan(1);
    expect(own.requests).toMatchObject([{ text: "Pong 🏦.", outcome: "finished" }]);
    await own.close();

    const zipped = await ask("gzip", false);
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    expect(openAiChat.textOf(await zipped.json())).toBe(ANSWER);
  });

  it("breaks off a request that can't be understood", async () => {
    await expect(ask("fly=1")).rejects.toThrow();
    expect((await fetch(`${server.url}/v1/nothing`)).status).toBe(404);
  });
});

it("serves a real client, tools streamed", async () => {
  const client = new OpenAI({ apiKey: "key", baseURL: `${server.url}/v1`, maxRetries: 0 });
  const stream = client.chat.completions.stream({
    model: "m",
    messages: [{ role: "user", content: "Compare the cards CARD-77 and CARD-78." }],
    tools: [{ type: "function", function: { name: "find_card", parameters: schema } }],
    stream_options: { include_usage: true },
  });
  const { choices, usage } = await stream.finalChatCompletion();
  const calls = choices[0]!.message.tool_calls!.map((call) =>
    call.type === "function" ? JSON.parse(call.function.arguments) : undefined,
  );
  expect(calls).toEqual([{ card_id: "CARD-77" }, { card_id: "CARD-78" }]);
  expect(usage).toMatchObject({ prompt_tokens: 21, completion_tokens: 11, total_tokens: 32 });
  const { data } = await client.embeddings.create({ model: "m", input: ["a", "b"] });
  expect(data.map(({ embedding }) => embedding)).toEqual([
    [0.25, -0.5, 0.125],
    [0.25, -0.5, 0.125],
  ]);
});

it("follows a script of one's own", async () => {
  const own = await startModelServer([{ question: "Ping?", answer: "Pong 🏦." }, ...MODEL_SCRIPT]);
  const body = openAiChat.toBody("Ping? [[piece=1]]", true);
  const response = await fetch(own.url + openAiChat.path, {
    method: "POST",
    body: JSON.stringify(body),
  });
  expect(openAiChat.streamedTextOf(await response.text())).toBe("Pong 🏦.");
  await own.close();
});
