import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { observe } from "./observed.ts";

const BODY = JSON.stringify({ choices: [{ index: 0, message: { content: "Hi" } }] });
const ASKED = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello" }] });
const HEADERS = { "content-type": "application/json" };

let server: Server;
let url = "http://127.0.0.1/";

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(200, HEADERS).end(BODY));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** What a caller holds, with and without the observer. */
const OBJECTS: Record<string, (send: typeof fetch) => Promise<object>> = {
  "a response": (send) => send(url, { method: "POST", body: ASKED }),
  "its stream": async (send) => (await send(url, { method: "POST", body: ASKED })).body!,
  "a branch of its stream": async (send) =>
    (await send(url, { method: "POST", body: ASKED })).body!.tee()[1],
  "its clone": async (send) => (await send(url, { method: "POST", body: ASKED })).clone(),
  "a reader": async (send) => (await send(url, { method: "POST", body: ASKED })).body!.getReader(),
  "a BYOB reader": async (send) =>
    (await send(url, { method: "POST", body: ASKED })).body!.getReader({ mode: "byob" }),
  "an iterator": async (send) =>
    (await send(url, { method: "POST", body: ASKED })).body![Symbol.asyncIterator](),
  "a request that was sent": async (send) => {
    const request = new Request(url, { method: "POST", body: ASKED, headers: HEADERS });
    await (await send(request)).text();
    return request;
  },
  "its body": async (send) => {
    const request = new Request(url, { method: "POST", body: ASKED, headers: HEADERS });
    await (await send(request)).text();
    return request.body!;
  },
};

function listMembers(target: object): PropertyKey[] {
  const names = new Set<PropertyKey>();
  let level: object | null = target;
  while (level !== null && level !== Object.prototype) {
    for (const name of Reflect.ownKeys(level)) names.add(name);
    level = Object.getPrototypeOf(level) as object | null;
  }
  return [...names];
}

function listGone(target: object): string[] {
  const names: string[] = [];
  for (const name in target) names.push(name);
  return names;
}

async function outcomeOf(action: () => unknown): Promise<unknown> {
  try {
    const value = await action();
    return typeof value === "object" ? inspect(value, { depth: 0 }) : value;
  } catch (error) {
    const { name, message, code } = error as Error & { code?: unknown };
    return { name, message, code, isTypeError: error instanceof TypeError };
  }
}

/** What can be seen of a member, and what comes of it when it is taken off its object. */
async function describeMember(target: object, name: PropertyKey): Promise<unknown> {
  let value: unknown;
  try {
    value = Reflect.get(target, name);
  } catch (error) {
    return (error as Error).message;
  }
  const isOwn = Object.hasOwn(target, name);
  if (typeof value !== "function") return { isOwn, type: typeof value };
  const method = value as (...args: unknown[]) => unknown;
  return {
    isOwn,
    name: method.name,
    length: method.length,
    isNewable: Object.hasOwn(method, "prototype"),
    detached:
      name === "constructor"
        ? undefined
        : await outcomeOf(() => Reflect.apply(method, undefined, [])),
    onOther:
      name === "constructor" ? undefined : await outcomeOf(() => Reflect.apply(method, {}, [])),
  };
}

describe.each(Object.entries(OBJECTS))("%s", async (_, make) => {
  const makeBoth = (): Promise<[object, object]> => {
    const observed = observe();
    return Promise.all([make(globalThis.fetch), make(observed.fetch)]);
  };
  // Of one that nobody has sent: the names are the platform's.
  const sample = await make(async () => new Response(BODY));

  it("has the members of its own that it would have, and is gone through in the same order", async () => {
    const [bare, seen] = await makeBoth();
    expect(Reflect.ownKeys(seen).map(String)).toEqual(Reflect.ownKeys(bare).map(String));
    expect(Object.keys(seen)).toEqual(Object.keys(bare));
    expect(listGone(seen)).toEqual(listGone(bare));
  });

  it("has the class that it would have", async () => {
    const [bare, seen] = await makeBoth();
    expect(seen.constructor).toBe(bare.constructor);
    expect(Object.prototype.toString.call(seen)).toBe(Object.prototype.toString.call(bare));
    expect(seen instanceof (bare.constructor as new () => object)).toBe(true);
    expect(inspect(seen, { depth: 0 })).toBe(inspect(bare, { depth: 0 }));
  });

  it.each(listMembers(sample).map((name) => [String(name), name] as const))(
    "%s: is as without the observer",
    async (__, name) => {
      const [bare, seen] = await makeBoth();
      expect(await describeMember(seen, name)).toEqual(await describeMember(bare, name));
    },
  );
});

describe("stacks of errors", () => {
  const readStacks = async (send: typeof fetch, action: (send: typeof fetch) => unknown) => {
    const limit = Error.stackTraceLimit;
    try {
      await action(send);
    } catch (error) {
      const { stack = "", cause } = error as Error;
      const causeStack = cause instanceof Error ? (cause.stack ?? "") : "";
      return { stacks: [stack, causeStack], limit };
    }
    throw new Error("nothing was thrown");
  };
  const nest = (depth: number, action: () => unknown): unknown =>
    depth === 0 ? action() : nest(depth - 1, action);
  const countOf = (stack: string): number => stack.split("at nest").length - 1;

  it("have all frames of the application that they would have", async () => {
    const callBadly = (send: typeof fetch): unknown =>
      nest(6, () => send("http://[bad]/v1/chat/completions", { method: "POST", body: ASKED }));
    const bare = await readStacks(globalThis.fetch, callBadly);
    const seen = await readStacks(observe().fetch, callBadly);
    expect(countOf(bare.stacks[1]!)).toBeGreaterThan(0);
    for (const [index, stack] of bare.stacks.entries()) {
      expect(countOf(seen.stacks[index]!)).toBeGreaterThanOrEqual(countOf(stack));
    }
    expect(Error.stackTraceLimit).toBe(seen.limit);
  });

  it("are untouched of a body that is read twice", async () => {
    const readTwice = async (send: typeof fetch): Promise<unknown> => {
      const response = await send(url, { method: "POST", body: ASKED });
      await response.text();
      return nest(3, () => response.text());
    };
    const bare = await readStacks(globalThis.fetch, readTwice);
    const seen = await readStacks(observe().fetch, readTwice);
    const withoutLines = (stack: string): string => stack.replaceAll(/:\d+:\d+/g, "");
    expect(withoutLines(seen.stacks[0]!)).toBe(withoutLines(bare.stacks[0]!));
  });
});
