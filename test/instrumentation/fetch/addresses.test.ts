import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startModelServer, type ModelServer } from "../../helpers/model-server/index.ts";
import { startMonitor, type TestMonitor } from "../../helpers/monitor.ts";

const open: TestMonitor[] = [];
let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
  // Other tests of the process may have had calls a moment ago.
  const passed = (globalThis as { [name: symbol]: Map<string, number> | undefined })[
    Symbol.for("agent-monitor.fetch-passed")
  ];
  passed?.clear();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((test) => test.close()));
  await server.close();
});

async function start(): Promise<TestMonitor> {
  const test = await startMonitor({});
  open.push(test);
  return test;
}

/** Clients of OpenAI keep the `fetch` that they find when they are built. */
const makeClient = (): OpenAI =>
  new OpenAI({ apiKey: "sk-test", baseURL: `${server.url}/v1`, maxRetries: 0 });

const ask = (client: OpenAI): Promise<unknown> =>
  client.chat.completions.create({
    model: "m",
    messages: [{ role: "user", content: "When does the Delft branch open?" }],
  });

const linesOf = (test: TestMonitor, text: string): unknown[] =>
  test.lines.filter((line) => JSON.stringify(line).includes(text));

describe("a client that was built before the monitor", () => {
  it("is told of once, with the host and nothing of the call", async () => {
    const client = makeClient();
    const test = await start();
    test.monitor.instrumentFetch();
    await ask(client);
    await ask(client);
    const lines = linesOf(test, "was not observed");
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).toContain("127.0.0.1");
    expect(JSON.stringify(lines)).not.toMatch(/sk-test|Delft/);
    expect(test.monitor.stats().calls).toMatchObject({ missed: 2 });
  });

  it("is not told of when the monitor does not observe the global fetch, nor after it was shut down", async () => {
    const client = makeClient();
    const test = await start();
    await ask(client);
    test.monitor.instrumentFetch();
    await test.monitor.shutdown();
    await ask(client);
    expect(linesOf(test, "was not observed")).toEqual([]);
  });
});

describe("calls that are observed", () => {
  it.each([
    ["by the global fetch", () => makeClient()],
    [
      "by the fetch that the client was given",
      ({ monitor }: TestMonitor) =>
        new OpenAI({ apiKey: "sk-test", baseURL: `${server.url}/v1`, fetch: monitor.fetch }),
    ],
  ])("are not missed: %s", async (_, make) => {
    const test = await start();
    test.monitor.instrumentFetch();
    await ask(make(test));
    expect(test.monitor.stats().calls).toMatchObject({ missed: 0, isSecond: false });
  });

  it("are others' when they are no model calls", async () => {
    const bare = globalThis.fetch;
    const test = await start();
    test.monitor.instrumentFetch();
    for (const path of ["/v1/messages", "/v1/orders"])
      await bare(`${server.url}${path}`, { method: "POST", body: "{}" });
    await bare(`${server.url}/v1/chat/completions`);
    expect(test.monitor.stats().calls).toMatchObject({ missed: 0 });
  });
});

describe("a second monitor", () => {
  it("is told that it sees nothing, and observes when the first one goes", async () => {
    const [first, second] = [await start(), await start()];
    first.monitor.instrumentFetch();
    second.monitor.instrumentFetch();
    expect(linesOf(first, "another monitor")).toEqual([]);
    expect(linesOf(second, "another monitor")).toHaveLength(1);
    expect(second.monitor.stats().calls).toMatchObject({ isSecond: true });
    await first.monitor.shutdown();
    expect(second.monitor.stats().calls).toMatchObject({ isSecond: false });
    await ask(makeClient());
    const events = await second.delivered();
    expect(events.map(({ interactionType }) => interactionType)).toContain("agent_response");
  });
});
