import { afterEach, beforeEach, expect, it } from "vitest";
import { installFetchObserver } from "../../../src/instrumentation/fetch/fetch-observer.ts";
import { startModelServer, type ModelServer } from "../../helpers/model-server/index.ts";
import { observe } from "../observed.ts";

const original = globalThis.fetch;
let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});
afterEach(async () => {
  globalThis.fetch = original;
  await server.close();
});

async function ask(send: typeof fetch = globalThis.fetch): Promise<void> {
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }] });
  await (await send(`${server.url}/v1/chat/completions`, { method: "POST", body })).json();
}

it("stands before the global fetch, looks like it, and goes without a trace", async () => {
  const own = observe();
  const before = Object.getOwnPropertyDescriptor(globalThis, "fetch");
  const uninstall = installFetchObserver(own.observer);
  expect([fetch.name, fetch.length]).toEqual([original.name, original.length]);
  const { value: _value, ...flags } = Object.getOwnPropertyDescriptor(globalThis, "fetch")!;
  expect(before).toMatchObject(flags);
  await ask();
  expect(own.ended.length).toBe(1);
  uninstall();
  uninstall();
  expect(globalThis.fetch).toBe(original);
  await ask();
  expect(own.ended.length).toBe(1);
});

it("is there once, however often it is installed", async () => {
  const own = observe();
  const uninstalls = [installFetchObserver(own.observer), installFetchObserver(own.observer)];
  await ask();
  expect(own.ended.length).toBe(1);
  for (const uninstall of uninstalls) uninstall();
  expect(globalThis.fetch).toBe(original);
});

it("tells a call once with two monitors; the second takes over from the first", async () => {
  const [first, second] = [observe(), observe()];
  const uninstallFirst = installFetchObserver(first.observer);
  const uninstallSecond = installFetchObserver(second.observer);
  await ask();
  expect([first.ended.length, second.ended.length]).toEqual([1, 0]);
  uninstallFirst();
  await ask();
  expect([first.ended.length, second.ended.length]).toEqual([1, 1]);
  uninstallSecond();
  expect(globalThis.fetch).toBe(original);
});

it("leaves a fetch that the application has put in later", async () => {
  const own = observe();
  const uninstall = installFetchObserver(own.observer);
  const observed = globalThis.fetch;
  let count = 0;
  const theirs: typeof fetch = (...args) => {
    count++;
    return observed(...args);
  };
  globalThis.fetch = theirs;
  await ask();
  expect([count, own.ended.length]).toEqual([1, 1]);
  // Before theirs as well, but no call is told twice.
  installFetchObserver(own.observer);
  await ask();
  expect([count, own.ended.length]).toEqual([2, 2]);
  globalThis.fetch = theirs;
  uninstall();
  expect(globalThis.fetch).toBe(theirs);
  await ask();
  expect([count, own.ended.length]).toEqual([3, 2]);
});

it("tells a call once for a client that has an observed fetch of its own", async () => {
  const own = observe();
  const uninstall = installFetchObserver(own.observer);
  await ask(own.observer.observe(globalThis.fetch));
  expect(own.ended.length).toBe(1);
  uninstall();
});

it("passes what a mock answers", async () => {
  const answers: unknown[] = [
    {
      ok: true,
      status: 200,
      json: () => Promise.resolve({ choices: [{ message: { content: "Hi" } }] }),
    },
    Object.freeze({ ok: true }),
    undefined,
    "text",
    new Response(null, { status: 204 }),
  ];
  const own = observe({ through: (() => Promise.resolve(answers[0])) as never });
  const to = [
    "http://127.0.0.1/v1/chat/completions",
    { method: "POST", body: '{"messages":[]}' },
  ] as const;
  const send = own.fetch as unknown as (...args: readonly unknown[]) => Promise<any>;
  const mock = await send(...to);
  expect(mock).toBe(answers[0]);
  expect(await mock.json()).toEqual({ choices: [{ message: { content: "Hi" } }] });
  expect(own.ended[0]!.attributes["gen_ai.output.messages"]).toContain("Hi");
  for (const answer of answers.slice(1)) {
    answers[0] = answer;
    expect(await send(...to)).toBe(answer);
  }
  const sync = observe({ through: (() => answers[3]) as never });
  expect((sync.fetch as unknown as typeof send)(...to)).toBe("text");
  const failing = observe({
    through: () => {
      throw new RangeError("no");
    },
  });
  expect(() => (failing.fetch as unknown as typeof send)(...to)).toThrow(RangeError);
  for (const { observer, warnings, ended, started } of [own, sync, failing]) {
    observer.close();
    expect([warnings, started.length]).toEqual([[], ended.length]);
  }
});
