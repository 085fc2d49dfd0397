import { afterEach, describe, expect, it, vi } from "vitest";
import { createFakeClock } from "../helpers/clock.ts";
import { observe, type Observed } from "./observed.ts";

const URL = "http://127.0.0.1:9/v1/chat/completions";
const REQUEST: RequestInit = {
  method: "POST",
  body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello" }] }),
};
const MESSAGE = { role: "assistant", content: "Hi" };
const BODY = JSON.stringify({ choices: [{ index: 0, message: MESSAGE, finish_reason: "stop" }] });
const ANSWER = [
  { role: "assistant", parts: [{ type: "text", content: "Hi" }], finish_reason: "stop" },
];

const give = (body = BODY): Observed =>
  observe({ through: () => Promise.resolve(new Response(body)) });
const classOf = (value: object): unknown => Object.getPrototypeOf(value);

afterEach(() => void vi.restoreAllMocks());

describe("a response is of its class alone once", () => {
  const USES: Record<string, (response: Response) => unknown> = {
    json: (response) => response.json(),
    text: (response) => response.text(),
    arrayBuffer: (response) => response.arrayBuffer(),
    blob: (response) => response.blob(),
    body: (response) => response.body,
    clone: (response) => response.clone(),
  };

  it.each(Object.entries(USES))("%s was asked for", async (_, use) => {
    const response = await give().fetch(URL, REQUEST);
    const used = use(response);
    expect(classOf(response)).toBe(Response.prototype);
    await used;
  });
});

it("a response that is frozen is seen all the same", async () => {
  const observed = observe({
    through: () => Promise.resolve(Object.freeze(new Response(BODY))),
  });
  await (await observed.fetch(URL, REQUEST)).json();
  expect(observed.call()["gen_ai.output.messages"]).toEqual(ANSWER);
});

it("a response that the application freezes is seen all the same", async () => {
  const observed = give();
  const response = Object.freeze(await observed.fetch(URL, REQUEST));
  expect(await response.json()).toEqual(JSON.parse(BODY));
  expect(observed.call()["gen_ai.output.messages"]).toEqual(ANSWER);
});

it("what somebody puts on the class later is what is called", async () => {
  const observed = give();
  const response = await observed.fetch(URL, REQUEST);
  const spy = vi.spyOn(Response.prototype, "json");
  expect(await response.json()).toEqual(JSON.parse(BODY));
  expect(spy).toHaveBeenCalledTimes(1);
  expect(observed.call()["gen_ai.output.messages"]).toEqual(ANSWER);
});

it("what the caller changes in what it gets is told as it was", async () => {
  const input = { account: "NL91" };
  const call = { function: { name: "freeze", arguments: input } };
  const body = { model: "m", messages: [{ role: "user", content: "Hello" }], stream: false };
  const late: (() => void)[] = [];
  const observed = observe({
    through: () =>
      Promise.resolve(
        new Response(JSON.stringify({ model: "m", message: { tool_calls: [call] } })),
      ),
    defer: (task) => void late.push(task),
  });
  const response = await observed.fetch("http://127.0.0.1:11434/api/chat", {
    method: "POST",
    body: JSON.stringify(body),
  });
  const given = (await response.json()) as { message: { tool_calls: [typeof call] } };
  given.message.tool_calls[0].function.arguments.account = "changed";
  for (const task of late.splice(0)) task();
  expect(JSON.stringify(observed.call()["gen_ai.output.messages"])).toContain("NL91");
});

describe("a body that can't be read as it is asked for", () => {
  it("is a failure that repeats nothing of it when it is no JSON", async () => {
    const observed = give("Dear Ms Visser, your balance is 12 euros");
    await expect((await observed.fetch(URL, REQUEST)).json()).rejects.toThrow("Dear Ms Vi");
    expect(observed.call()["error.type"]).toBe("SyntaxError");
    expect(JSON.stringify(observed.ended)).not.toMatch(/Visser|Dear|balance/);
    expect(JSON.stringify(observed.events())).not.toMatch(/Visser|Dear|balance/);
  });

  it("is a refusal all the same when the status says so", async () => {
    const observed = observe({
      through: () => Promise.resolve(new Response("<html>", { status: 403 })),
    });
    await expect((await observed.fetch(URL, REQUEST)).json()).rejects.toThrow(SyntaxError);
    expect(observed.call()).toMatchObject({
      "error.type": "403",
      "http.response.status_code": 403,
    });
  });

  it("says of its misuse what it would, from the same places", async () => {
    const readLocked = async (send: typeof fetch): Promise<string> => {
      const response = await send(URL, REQUEST);
      response.body?.getReader();
      const failed: unknown = await response.text().catch((error: unknown) => error);
      const { stack = "" } = failed as Error;
      // What stands above is the test's.
      return stack.slice(0, stack.indexOf("readLocked")).replaceAll(/:\d+:\d+/g, "");
    };
    const bare = await readLocked(() => Promise.resolve(new Response(BODY)));
    expect(await readLocked(give().fetch)).toBe(bare);
  });

  it("is told within a minute when the methods of the class have read it", async () => {
    const clock = createFakeClock();
    const observed = observe({ clock, through: () => Promise.resolve(new Response(BODY)) });
    const response = await observed.fetch(URL, REQUEST);
    expect(await Response.prototype.text.call(response)).toBe(BODY);
    // Somebody has read it before, which says nothing of the answer.
    await expect(response.text()).rejects.toThrow(TypeError);
    await clock.advance(61_000);
    expect(observed.ended.length).toBe(1);
    expect(observed.call()["error.type"]).toBeUndefined();
    expect(observed.observer.open).toBe(0);
  });
});
