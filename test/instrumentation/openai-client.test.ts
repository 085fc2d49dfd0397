import OpenAI from "openai";
import { expect, it } from "vitest";
import { startModelServer } from "../helpers/model-server/index.ts";
import { findCard } from "../helpers/model-server/script.ts";
import { observe } from "./observed.ts";

const CARD = "Is card CARD-77 active?";
const parameters = { type: "object", properties: { card_id: { type: "string" } } };
const tools = [{ type: "function" as const, function: { name: "find_card", parameters } }];

const ask = (content: string) => ({
  model: "m",
  messages: [{ role: "user" as const, content }],
});

async function toList(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const list: unknown[] = [];
  for await (const item of stream) list.push(item);
  return list;
}

async function settle(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    const { constructor, message, status } = error as Error & { status?: number };
    return { type: constructor.name, message, status };
  }
}

/** What applications do with a client, and how many calls that is. */
const USES: Record<string, [calls: number, use: (client: OpenAI) => unknown]> = {
  create: [1, (client) => client.chat.completions.create(ask(CARD))],
  withResponse: [
    1,
    async (client) => {
      const { data, response } = await client.chat.completions.create(ask(CARD)).withResponse();
      return [data, response.status, response.bodyUsed, response.headers.get("content-type")];
    },
  ],
  asResponse: [
    1,
    async (client) => {
      const response = await client.chat.completions.create(ask(CARD)).asResponse();
      return [response.status, response.bodyUsed, await response.json()];
    },
  ],
  parse: [
    1,
    (client) =>
      client.chat.completions.parse({
        ...ask("Give the hours as JSON."),
        response_format: {
          type: "json_schema",
          json_schema: { name: "hours", schema: { type: "object" } },
        },
      }),
  ],
  stream: [
    1,
    async (client) => toList(await client.chat.completions.create({ ...ask(CARD), stream: true })),
  ],
  "stream helper": [
    1,
    async (client) => {
      const stream = client.chat.completions.stream({ ...ask(CARD), tools });
      return [await stream.finalChatCompletion(), await stream.finalFunctionToolCall()];
    },
  ],
  tee: [
    1,
    async (client) => {
      const stream = await client.chat.completions.create({ ...ask(CARD), stream: true });
      return Promise.all(stream.tee().map((branch) => toList(branch)));
    },
  ],
  toReadableStream: [
    1,
    async (client) => {
      const stream = await client.chat.completions.create({ ...ask(CARD), stream: true });
      return new Response(stream.toReadableStream() as ReadableStream).text();
    },
  ],
  runTools: [
    2,
    async (client) => {
      const runner = client.chat.completions.runTools({
        ...ask(CARD),
        tools: [
          {
            type: "function",
            function: {
              name: "find_card",
              parameters,
              description: "Finds a card.",
              parse: JSON.parse,
              function: ({ card_id: id }: { card_id: string }) => JSON.stringify(findCard(id)),
            },
          },
        ],
      });
      return [await runner.finalContent(), runner.messages];
    },
  ],
  break: [
    1,
    async (client) => {
      const words = `${CARD} [[slow=2,piece=3]]`;
      const stream = await client.chat.completions.create({ ...ask(words), stream: true });
      let count = 0;
      for await (const _ of stream) if (++count === 4) break;
      return [count, stream.controller.signal.aborted];
    },
  ],
  refusals: [
    3,
    (client) =>
      Promise.all(
        [400, 401, 404].map((status) =>
          settle(client.chat.completions.create(ask(`${CARD} [[status=${status}]]`))),
        ),
      ),
  ],
  "a server that cuts": [
    1,
    (client) =>
      settle(
        client.chat.completions
          .create({ ...ask(`${CARD} [[cut=2]]`), stream: true })
          .then((stream) => toList(stream)),
      ),
  ],
  responses: [1, (client) => client.responses.create({ model: "m", input: CARD })],
  "responses stream": [
    1,
    async (client) =>
      toList(await client.responses.create({ model: "m", input: CARD, stream: true })),
  ],
  "responses helper": [
    1,
    (client) => client.responses.stream({ model: "m", input: CARD }).finalResponse(),
  ],
};

it.each(Object.entries(USES))(
  "%s: the caller sees what it sees without the observer",
  async (_, [calls, use]) => {
    const results: unknown[] = [];
    const observed = observe();
    for (const send of [globalThis.fetch, observed.fetch]) {
      // A server each, for it numbers its answers.
      const server = await startModelServer();
      const baseURL = `${server.url}/v1`;
      results.push(await use(new OpenAI({ apiKey: "key", baseURL, fetch: send, maxRetries: 0 })));
      await server.close();
    }
    expect(results[1]).toEqual(results[0]);
    observed.observer.flush();
    expect([observed.ended.length, observed.observer.open, observed.warnings]).toEqual([
      calls,
      0,
      [],
    ]);
    expect(observed.providers.spans().length).toBe(calls);
  },
);
