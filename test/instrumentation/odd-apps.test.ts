import { describe, expect, it } from "vitest";
import { observe } from "./observed.ts";

const URL_OF_CALLS = "https://models.example/v1/chat/completions";
const COMPLETION = {
  id: "chatcmpl-1",
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
};
const REQUEST: RequestInit = {
  method: "POST",
  body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello" }] }),
};

/** Gives a `fetch` that answers as the mocks of applications' tests do: with anything. */
function mock(response: unknown): typeof fetch {
  return (() => Promise.resolve(response)) as unknown as typeof fetch;
}

describe("responses of mocks", () => {
  it("gives on what a reader gives that is no promise", async () => {
    const test = observe({ through: mock({ ok: true, status: 200, json: () => COMPLETION }) });
    const response = await test.fetch(URL_OF_CALLS, REQUEST);
    expect(response.json()).toBe(COMPLETION);
    expect(test.call()["gen_ai.response.id"]).toBe("chatcmpl-1");
  });

  it("gives on a blob that is none", async () => {
    const bytes = Buffer.from(JSON.stringify(COMPLETION));
    const test = observe({ through: mock({ status: 200, blob: async () => bytes }) });
    const response = await test.fetch(URL_OF_CALLS, REQUEST);
    await expect(response.blob()).resolves.toBe(bytes);
    expect(test.observer.open).toBe(0);
  });

  it("takes a response without a prototype", async () => {
    const plain = Object.assign(Object.create(null), { status: 200, json: async () => COMPLETION });
    const test = observe({ through: mock(plain) });
    const response = await test.fetch(URL_OF_CALLS, REQUEST);
    await expect(response.json()).resolves.toBe(COMPLETION);
    expect(test.observer.open).toBe(0);
  });

  it("takes a body whose getter throws as the application would", async () => {
    const odd = {
      status: 200,
      get body(): unknown {
        throw new Error("no body here");
      },
      json: async () => COMPLETION,
    };
    const test = observe({ through: mock(odd) });
    const response = await test.fetch(URL_OF_CALLS, REQUEST);
    await expect(response.json()).resolves.toBe(COMPLETION);
    expect(() => response.body).toThrow("no body here");
  });

  it("leaves a stream that is frozen as it is", async () => {
    const body = Object.freeze(new Response("{}").body);
    const test = observe({ through: mock({ status: 200, body, json: async () => COMPLETION }) });
    const response = await test.fetch(URL_OF_CALLS, REQUEST);
    expect(response.body).toBe(body);
  });

  it("tells a refusal whose headers are no headers", async () => {
    const odd = { status: 400, headers: {}, json: async () => ({ error: { message: "no" } }) };
    const test = observe({ through: mock(odd) });
    const response = await test.fetch(URL_OF_CALLS, REQUEST);
    await response.json();
    expect(test.observer.open).toBe(0);
    expect(test.call()["error.type"]).toBe("400");
  });
});

describe("credentials in errors of fetch", () => {
  const messages = async (url: string, init: RequestInit): Promise<string> => {
    const test = observe();
    await expect(test.fetch(url, { ...REQUEST, ...init })).rejects.toThrow();
    test.observer.flush();
    return test.ended.map((span) => JSON.stringify([span.status, span.attributes])).join();
  };

  it("leaves out those of an address", async () => {
    const told = await messages(
      "https://user:pass-1@127.0.0.1:1/v1/chat/completions?key=key-1",
      {},
    );
    expect(told).toContain("includes credentials");
    expect(told).not.toMatch(/pass-1|key-1/);
  });

  it("leaves out those of a header", async () => {
    const told = await messages("http://127.0.0.1:1/v1/chat/completions", {
      headers: { authorization: "Bearer sk-1\nsk-2" },
    });
    expect(told).toContain("invalid header value");
    expect(told).not.toMatch(/sk-1|sk-2/);
  });

  it("leaves out those that a fetch of the application repeats", async () => {
    const test = observe({
      through: () =>
        Promise.reject(
          new Error("request to https://models.example/v1/chat/completions?key=key-1 failed"),
        ),
    });
    await expect(test.fetch(`${URL_OF_CALLS}?key=key-1`, REQUEST)).rejects.toThrow("key=key-1");
    test.observer.flush();
    expect(test.ended[0]?.status?.message).toBe(
      "request to https://models.example/v1/chat/completions failed",
    );
  });
});

describe("a request whose body is a stream", () => {
  it("lets go of it when the application aborts", async () => {
    let cancelled: unknown;
    const aborter = new AbortController();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"model":"m",')),
      cancel: (reason) => void (cancelled = reason ?? "cancelled"),
    });
    const request = new Request(URL_OF_CALLS, {
      method: "POST",
      body,
      duplex: "half",
      headers: { "content-type": "application/json" },
      signal: aborter.signal,
    });
    const through = (async (given: Request) => {
      await new Promise((resolve) => given.signal.addEventListener("abort", resolve));
      // As the platform does, which waits for nothing then.
      void given.body?.cancel("gone");
      throw given.signal.reason;
    }) as typeof fetch;
    const test = observe({ through });
    const answer = test.fetch(request);
    aborter.abort();
    await expect(answer).rejects.toThrow();
    await new Promise((resolve) => setImmediate(resolve));
    expect(cancelled).toBeDefined();
  });
});

describe("tokens that a stream tells twice", () => {
  it("keeps the cached ones of the start, when the end tells the input alone", async () => {
    const events = [
      {
        type: "message_start",
        message: {
          id: "1",
          model: "claude",
          usage: { input_tokens: 10, cache_read_input_tokens: 2000, output_tokens: 1 },
        },
      },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
      {
        type: "message_delta",
        delta: { stop_reason: "end_turn" },
        usage: { input_tokens: 10, output_tokens: 5 },
      },
      { type: "message_stop" },
    ];
    const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    const test = observe({ through: mock(new Response(text.join(""))) });
    const response = await test.fetch("https://models.example/v1/messages", {
      method: "POST",
      body: JSON.stringify({ model: "claude", max_tokens: 5, stream: true, messages: [] }),
    });
    await response.text();
    expect(test.call()).toMatchObject({
      "gen_ai.usage.input_tokens": 2010,
      "gen_ai.usage.cache_read.input_tokens": 2000,
    });
  });
});

describe("tokens that Gemini counts apart", () => {
  it("adds what tools gave to the input, and tells thoughts without an answer", async () => {
    const usage = { promptTokenCount: 10, toolUsePromptTokenCount: 7, thoughtsTokenCount: 3 };
    const test = observe({ through: mock(Response.json({ usageMetadata: usage })) });
    const url = "https://models.example/v1beta/models/gemini:generateContent";
    const body = JSON.stringify({ contents: "Hello" });
    await (await test.fetch(url, { method: "POST", body })).json();
    expect(test.call()).toMatchObject({
      "gen_ai.usage.input_tokens": 17,
      "gen_ai.usage.output_tokens": 3,
    });
  });
});

describe("calls that have failed", () => {
  it("holds no more of them than so many bytes", async () => {
    const test = observe({
      through: () => Promise.resolve(new Response("{}", { status: 503 })),
    });
    for (let call = 0; call < 100; call++) {
      const content = `${call} ${"x".repeat(1_000_000)}`;
      const body = JSON.stringify({ model: "m", messages: [{ role: "user", content }] });
      await test.fetch(URL_OF_CALLS, { method: "POST", body });
    }
    expect(test.observer.open).toBeLessThan(40);
    test.observer.close();
    expect(test.ended).toHaveLength(100);
  });
});

describe("types of failures", () => {
  const told = async (type: unknown): Promise<unknown> => {
    const body = JSON.stringify({ error: { type, message: "no" } });
    const test = observe({ through: mock(new Response(body, { status: 400 })) });
    await (await test.fetch(URL_OF_CALLS, REQUEST)).text();
    return test.call()["error.type"];
  };

  it("takes a name from the provider, and no sentence, which may repeat what was asked", async () => {
    expect(await told("invalid_request_error")).toBe("invalid_request_error");
    expect(await told("May Alice Example transfer 500 EUR?")).toBe("400");
  });
});
