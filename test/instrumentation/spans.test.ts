import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { afterEach, beforeEach, expect, it } from "vitest";
import { withConversationScope } from "../../src/scope/scopes.ts";
import { startModelServer, type ModelServer } from "../helpers/model-server/index.ts";
import { observe } from "./observed.ts";

const QUESTION = "When does the Delft branch open?";
const ANSWER = "The Delft branch opens at nine and closes at five.";
const CONTENT = ["gen_ai.input.messages", "gen_ai.output.messages"];

let server: ModelServer;

beforeEach(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  server = await startModelServer();
});
afterEach(async () => {
  context.disable();
  await server.close();
});

async function ask(send: typeof fetch, words = ""): Promise<unknown> {
  const response = await send(`${server.url}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: QUESTION }] }),
    headers: { "x-model-script": words },
  });
  return response.json();
}

it("a call is a span in the active context, in which the request is sent", async () => {
  let inside: unknown;
  const own = observe({
    through: (...args) => {
      inside = trace.getSpan(context.active())?.spanContext();
      return fetch(...args);
    },
  });
  const parent = own.providers.tracerProvider.getTracer("app").startSpan("request");
  await context.with(trace.setSpan(context.active(), parent), () => ask(own.fetch));
  const span = own.providers.span("chat m");
  expect(span.kind).toBe(SpanKind.CLIENT);
  expect(span.parentSpanContext).toEqual(parent.spanContext());
  expect(inside).toEqual(span.spanContext());
  expect(own.ended[0]!.spanContext()).toEqual(span.spanContext());
  expect(own.ended[0]).toMatchObject({
    parentSpanContext: parent.spanContext(),
    startTime: span.startTime,
    endTime: span.endTime,
    instrumentationScope: { name: "agent-monitor/fetch" },
    resource: span.resource,
  });
});

it("a call belongs to the conversation that runs", async () => {
  const own = observe();
  const scope = { agentId: "assistant", sessionId: "s-1", conversationId: "c-1", userId: "u-1" };
  await withConversationScope(scope, () => ask(own.fetch));
  expect(own.providers.span("chat m").attributes).toMatchObject({
    "gen_ai.agent.id": "assistant",
    "session.id": "s-1",
    "gen_ai.conversation.id": "c-1",
    "user.id": "u-1",
  });
  expect(own.events()).toMatchObject([
    { conversationId: "c-1", userId: "u-1" },
    { conversationId: "c-1" },
  ]);
});

it("a span that stands for the call already is not doubled, and gets what it lacks", async () => {
  const own = observe();
  const tracer = own.providers.tracerProvider.getTracer("some-instrumentation");
  const outer = tracer.startSpan("chat m", {
    attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" },
  });
  await context.with(trace.setSpan(context.active(), outer), () => ask(own.fetch));
  outer.end();
  expect(own.providers.spans().length).toBe(1);
  expect(own.ended[0]!.parentSpanContext).toEqual(outer.spanContext());
  expect(own.ended[0]!.spanContext().traceId).toBe(outer.spanContext().traceId);
  expect(own.ended[0]!.spanContext().spanId).not.toBe(outer.spanContext().spanId);
});

it("an agent's span is not the call's", async () => {
  const own = observe();
  const agent = own.providers.tracerProvider
    .getTracer("agents")
    .startSpan("invoke_agent a", { attributes: { "gen_ai.operation.name": "invoke_agent" } });
  await context.with(trace.setSpan(context.active(), agent), () => ask(own.fetch));
  expect(own.providers.spans().map(({ name }) => name)).toEqual(["chat m"]);
});

it.each(["no tracer", "a tracer that does nothing"])(
  "with %s, the events are told all the same",
  async (kind) => {
    const noop = trace.getTracer("nobody");
    const own = observe({ tracer: () => (kind === "no tracer" ? undefined : noop) });
    const parent = own.providers.tracerProvider.getTracer("app").startSpan("request");
    await context.with(trace.setSpan(context.active(), parent), () => ask(own.fetch));
    const { traceId, spanId } = own.ended[0]!.spanContext();
    expect(traceId).toBe(parent.spanContext().traceId);
    expect(spanId).not.toBe(parent.spanContext().spanId);
    expect(spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(own.events().map(({ kind: told }) => told)).toEqual(["user_message", "agent_response"]);
  },
);

it("content goes to the bridge, and to the telemetry path as the policy has it", async () => {
  const bare = observe();
  await ask(bare.fetch);
  expect(Object.keys(bare.providers.span("chat m").attributes)).not.toEqual(
    expect.arrayContaining([CONTENT[0]]),
  );
  expect(bare.ended[0]!.attributes[CONTENT[1]!]).toContain(ANSWER);
  const full = observe({ toPublicContent: (content) => content });
  await ask(full.fetch);
  for (const name of CONTENT) {
    expect(full.providers.span("chat m").attributes[name]).toBe(full.ended[0]!.attributes[name]);
  }
  const redacted = observe({
    toPublicContent: (content) =>
      Object.fromEntries(
        Object.entries(content).map(([name, value]) => [
          name,
          String(value).replaceAll("Delft", "[CITY]"),
        ]),
      ),
  });
  await ask(redacted.fetch);
  expect(JSON.stringify(redacted.providers.span("chat m").attributes)).not.toContain("Delft");
});

it("a provider's message is content too", async () => {
  const bare = observe();
  await ask(bare.fetch, "status=400");
  expect(bare.providers.span("chat m").status).toEqual({ code: SpanStatusCode.ERROR });
  const full = observe({ toPublicContent: (content) => content });
  await ask(full.fetch, "status=400");
  expect(full.providers.span("chat m").status).toEqual({
    code: SpanStatusCode.ERROR,
    message: "The model server was told to fail.",
  });
});

it("what else is known of a call stands on its span", async () => {
  const own = observe({
    annotate: ({ name }) => ({ "agent_monitor.compliance.evaluated": name === "chat m" }),
  });
  await ask(own.fetch);
  expect(own.providers.span("chat m").attributes["agent_monitor.compliance.evaluated"]).toBe(true);
});

it.each(["tracer", "onStart", "onEnd", "isModelCall", "toPublicContent", "annotate"] as const)(
  "a host whose %s throws does no harm",
  async (member) => {
    const fail = (): never => {
      throw new Error(`secret ${QUESTION}`);
    };
    const own = observe({ [member]: fail });
    const outer = own.providers.tracerProvider.getTracer("app").startSpan("request");
    for (let count = 0; count < 3; count++) {
      const asking = context.with(trace.setSpan(context.active(), outer), () => ask(own.fetch));
      expect(await asking).toMatchObject({ choices: [{ message: { content: ANSWER } }] });
    }
    expect(own.warnings.length).toBe(1);
    expect(JSON.stringify(own.warnings)).not.toContain("secret");
    expect(own.observer.open).toBe(0);
  },
);

it("an observer below another one tells nothing", async () => {
  const below = observe();
  const above = observe({
    through: async (...args) => {
      await Promise.resolve();
      return below.fetch(...args);
    },
  });
  await ask(above.fetch);
  expect([above.ended.length, below.started.length]).toEqual([1, 0]);
  context.disable();
  const bare = observe({ through: below.fetch });
  await ask(bare.fetch);
  expect([bare.ended.length, below.started.length]).toEqual([1, 0]);
});

it.each([
  [100, 1],
  [20_000, 0],
])(
  "an answer of %i characters has its span judged %i times before the caller has it",
  async (length, judged) => {
    let calls = 0;
    const tasks: (() => void)[] = [];
    const own = observe({
      through: () =>
        Promise.resolve(
          Response.json({ choices: [{ index: 0, message: { content: "x".repeat(length) } }] }),
        ),
      annotate: () => {
        calls++;
        return { "agent_monitor.compliance.evaluated": true };
      },
      defer: (task) => void tasks.push(task),
    });
    await ask(own.fetch);
    expect(calls).toBe(judged);
    expect(own.providers.spans()).toHaveLength(judged);
    const over = Date.now();
    for (const task of tasks) task();
    expect(calls).toBe(1);
    const [span] = own.providers.spans();
    expect(span?.attributes).toMatchObject({ "agent_monitor.compliance.evaluated": true });
    const [seconds = 0, nanos = 0] = span?.endTime ?? [];
    expect(seconds * 1e3 + nanos / 1e6).toBeLessThanOrEqual(over + 1);
  },
);
