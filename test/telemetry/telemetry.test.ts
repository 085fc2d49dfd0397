import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  SimpleSpanProcessor,
  InMemorySpanExporter,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContentPolicy } from "../../src/config/config.ts";
import { type AgentInfo, toRegisteredAgent } from "../../src/events/agent.ts";
import type { EventType } from "../../src/events/base-event.ts";
import type { DetailedEvent } from "../../src/events/detailed-event.ts";
import { EVENT_NAMES } from "../../src/telemetry/attribute-mapping.ts";
import { Conversations, noteEvent, type Conversation } from "../../src/telemetry/conversations.ts";
import { createSignalSource, type SignalSource } from "../../src/telemetry/providers.ts";
import { abandonConversation, createTelemetry } from "../../src/telemetry/telemetry.ts";
import { createFakeClock } from "../helpers/clock.ts";
import { agentInfo, example, type Given } from "../helpers/events.ts";
import { createProviders } from "../helpers/otel.ts";

beforeAll(
  () => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()),
);
afterAll(() => context.disable());

interface Options {
  signals?: SignalSource;
  content?: ContentPolicy;
  conversationId?: string;
  userId?: string;
  agent?: AgentInfo;
}

/** A conversation whose events are told as the pipeline tells them. */
function converse({
  signals,
  content = "full",
  conversationId,
  userId,
  agent = agentInfo,
}: Options = {}) {
  const providers = createProviders();
  const telemetry = createTelemetry({ signals: signals ?? createSignalSource(providers), content });
  const clock = createFakeClock();
  const conversations = new Conversations({
    clock,
    idleTimeout: 60_000,
    onAbandon: abandonConversation,
  });
  const { conversation } = conversations.touch({
    agentId: "assistant",
    sessionId: "s1",
    conversationId,
    userId,
  });
  let time = clock.now();
  return {
    ...providers,
    telemetry,
    conversation,
    conversations,
    startedAt: clock.now(),
    /** Tells an event that happens one second after the one before. */
    tell: (kind: EventType, given: Given = {}, fields: object = {}): DetailedEvent => {
      time += 1000;
      const event: DetailedEvent = {
        ...example(kind, {
          conversationId,
          userId,
          ...given,
          options: { ...(agent && { agent }), ...given.options },
        }),
        ...fields,
        timestamp: time,
      };
      try {
        telemetry.record(event, { conversation, agent: agent && toRegisteredAgent(agent) });
      } finally {
        noteEvent(conversation, event);
      }
      return event;
    },
  };
}

const millis = ([seconds, nanoseconds]: readonly [number, number]): number =>
  seconds * 1000 + nanoseconds / 1e6;
const eventsOf = (span: ReadableSpan): string[] => span.events.map(({ name }) => name);

const CONVERSATION = "conversation Banking assistant";
const TURN = "invoke_agent Banking assistant";

describe("a conversation with one turn", () => {
  const { tell, span, spans, records, startedAt } = converse({
    conversationId: "c1",
    userId: "u1",
  });
  tell("conversation_start");
  tell("user_message");
  tell("tool_call");
  tell("tool_result");
  tell("error");
  tell(
    "agent_response",
    {
      metadata: { llmLatency: 5, tokensUsed: { input: 20, output: 6 } },
      options: { agent: agentInfo },
    },
    { riskScore: 40, requiresReview: true },
  );
  tell("compliance_violation");
  tell("conversation_end");
  const conversation = span(CONVERSATION);
  const turn = span(TURN);

  it("has two spans and nothing else", () => {
    expect(spans().map(({ name }) => name)).toEqual([TURN, CONVERSATION]);
    for (const { kind, status, instrumentationScope } of spans()) {
      expect(kind).toBe(SpanKind.INTERNAL);
      expect(status.code).toBe(SpanStatusCode.UNSET);
      expect(instrumentationScope).toMatchObject({
        name: "agent-monitor",
        schemaUrl: expect.stringContaining("https://opentelemetry.io/schemas/") as string,
      });
    }
  });

  it("is a trace of its own from the first to the last event", () => {
    expect(conversation.parentSpanContext).toBeUndefined();
    expect(conversation.attributes).toEqual({
      "gen_ai.agent.id": "assistant",
      "gen_ai.agent.name": "Banking assistant",
      "gen_ai.agent.version": "2.1.0",
      "agent_monitor.agent.category": "tool_calling",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-5",
      "gen_ai.conversation.id": "c1",
      "session.id": "s1",
      "user.id": "u1",
    });
    expect(millis(conversation.startTime)).toBe(startedAt);
    expect(millis(conversation.endTime)).toBe(startedAt + 8000);
  });

  it("has the turn below it, linked to it, from question to answer", () => {
    expect(turn.parentSpanContext?.spanId).toBe(conversation.spanContext().spanId);
    expect(turn.links.map((link) => link.context.spanId)).toEqual([
      conversation.spanContext().spanId,
    ]);
    expect(turn.attributes).toMatchObject({
      ...conversation.attributes,
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.response.model": "gpt-5",
      "gen_ai.usage.input_tokens": 20,
      "gen_ai.usage.output_tokens": 6,
      "agent_monitor.compliance.risk_score": 40,
      "agent_monitor.compliance.requires_review": true,
    });
    expect(millis(turn.startTime)).toBe(startedAt + 2000);
    expect(millis(turn.endTime)).toBe(startedAt + 6000);
  });

  it("has every event on the span it belongs to, at its time", () => {
    expect(eventsOf(conversation)).toEqual([
      "agent_monitor.conversation.start",
      "agent_monitor.compliance.violation",
      "agent_monitor.conversation.end",
    ]);
    expect(eventsOf(turn)).toEqual([
      "agent_monitor.user.message",
      "agent_monitor.tool.call",
      "agent_monitor.tool.result",
      "agent_monitor.error",
      "exception",
      "agent_monitor.agent.response",
    ]);
    expect(turn.events.map(({ time }) => millis(time) - startedAt)).toEqual([
      2000, 3000, 4000, 5000, 5000, 6000,
    ]);
    expect(turn.events[0]?.attributes).toMatchObject({
      "gen_ai.input.messages":
        '[{"role":"user","parts":[{"type":"text","content":"What is my balance?"}]}]',
      "session.id": "s1",
    });
  });

  it("has every event as a log record with its name, in the trace", () => {
    expect(records().map(({ eventName }) => eventName)).toEqual([
      EVENT_NAMES.conversation_start,
      EVENT_NAMES.user_message,
      EVENT_NAMES.tool_call,
      EVENT_NAMES.tool_result,
      EVENT_NAMES.error,
      EVENT_NAMES.agent_response,
      EVENT_NAMES.compliance_violation,
      EVENT_NAMES.conversation_end,
    ]);
    const [start, message] = records();
    expect(start?.spanContext).toMatchObject({
      traceId: conversation.spanContext().traceId,
      spanId: conversation.spanContext().spanId,
    });
    expect(message?.spanContext).toMatchObject({
      traceId: turn.spanContext().traceId,
      spanId: turn.spanContext().spanId,
    });
    expect(message && millis(message.hrTime)).toBe(startedAt + 2000);
    expect(message?.body).toBeUndefined();
    expect(message?.attributes["gen_ai.input.messages"]).toEqual([
      { role: "user", parts: [{ type: "text", content: "What is my balance?" }] },
    ]);
  });
});

describe("turns", () => {
  it("follow one another: a question without an answer ends with the next", () => {
    const { tell, spans, startedAt } = converse();
    tell("user_message");
    tell("user_message");
    tell("agent_response");
    tell("user_message");
    tell("conversation_end");
    expect(
      spans().map(({ name, startTime, endTime }) => [
        name,
        millis(startTime) - startedAt,
        millis(endTime) - startedAt,
      ]),
    ).toEqual([
      [TURN, 1000, 2000],
      [TURN, 2000, 3000],
      [TURN, 4000, 5000],
      [CONVERSATION, 0, 5000],
    ]);
  });

  it("belong to the request that is being traced", async () => {
    const { tell, span, tracerProvider, conversation } = converse();
    await tracerProvider.getTracer("http").startActiveSpan("POST /chat", async (request) => {
      tell("user_message");
      await Promise.resolve();
      tell("agent_response");
      request.end();
    });
    tell("conversation_end");
    const request = span("POST /chat");
    const turn = span(TURN);
    expect(turn.parentSpanContext?.spanId).toBe(request.spanContext().spanId);
    expect(turn.spanContext().traceId).toBe(request.spanContext().traceId);
    expect(span(CONVERSATION).spanContext().traceId).not.toBe(request.spanContext().traceId);
    expect(turn.links[0]?.context).toEqual(span(CONVERSATION).spanContext());
    expect(conversation.span).toBeUndefined();
  });

  it("do not belong to a request that is not recorded", () => {
    const { tell, span } = converse();
    const unsampled = new BasicTracerProvider({ sampler: new AlwaysOffSampler() })
      .getTracer("http")
      .startSpan("request");
    context.with(trace.setSpan(context.active(), unsampled), () => tell("user_message"));
    tell("conversation_end");
    expect(span(TURN).parentSpanContext?.spanId).toBe(span(CONVERSATION).spanContext().spanId);
  });

  it("are not needed for an answer", () => {
    const { tell, spans, span } = converse();
    tell("agent_response");
    tell("conversation_end");
    expect(spans().length).toBe(1);
    expect(eventsOf(span(CONVERSATION))).toEqual([
      EVENT_NAMES.agent_response,
      EVENT_NAMES.conversation_end,
    ]);
  });
});

describe("spans", () => {
  it("name an unknown agent by its id", () => {
    const { spans, conversation, telemetry } = converse();
    telemetry.record(example("user_message"), { conversation, agent: undefined });
    telemetry.record(example("conversation_end"), { conversation, agent: undefined });
    expect(spans().map(({ name }) => name)).toEqual([
      "invoke_agent assistant",
      "conversation assistant",
    ]);
    expect(spans()[0]?.attributes).not.toHaveProperty(["gen_ai.agent.name"]);
  });

  it("and records have no conversation id when the caller gave none", () => {
    const { tell, spans, records } = converse();
    tell("user_message");
    tell("conversation_end");
    for (const { attributes } of [
      ...spans(),
      ...records(),
      ...spans().flatMap(({ events }) => events),
    ]) {
      expect(attributes).not.toHaveProperty(["gen_ai.conversation.id"]);
      expect(attributes).toHaveProperty(["session.id"], "s1");
    }
  });

  it("hold no content under the policy none", () => {
    const { tell, spans, records } = converse({ content: "none" });
    tell("user_message", { content: "canary-1" });
    tell("agent_response", { content: "canary-2" });
    tell("conversation_end");
    const seen = JSON.stringify([
      spans().map(({ attributes, events }) => [attributes, events]),
      records().map(({ attributes }) => attributes),
    ]);
    expect(seen).not.toContain("canary");
    expect(seen).toContain("agent_monitor.content.length");
  });

  it("fail when the conversation ended with an error", () => {
    const { tell, span } = converse();
    tell("user_message");
    tell("conversation_end", { metadata: { endReason: "error" } });
    expect(span(CONVERSATION).status.code).toBe(SpanStatusCode.ERROR);
  });

  it("of a conversation that is given up are ended and marked incomplete", () => {
    const { tell, span, records, conversations, conversation } = converse();
    tell("user_message");
    conversations.close();
    expect(span(TURN).attributes).toMatchObject({ "agent_monitor.conversation.incomplete": true });
    expect(span(CONVERSATION).attributes).toMatchObject({
      "agent_monitor.conversation.incomplete": true,
    });
    // No event is invented.
    expect(records().length).toBe(1);
    expect(conversation).toMatchObject({ span: undefined, turn: undefined });
  });

  it("of a conversation without spans need no end", () => {
    const { conversation } = converse({
      signals: { tracer: () => undefined, logger: () => undefined },
    });
    expect(() => abandonConversation(conversation)).not.toThrow();
  });
});

describe("with half of the providers", () => {
  it("a logger alone gets records in the context of the request", () => {
    const { loggerProvider, tracerProvider, records } = createProviders();
    const source = createSignalSource({ loggerProvider });
    const { tell } = converse({
      signals: { tracer: () => undefined, logger: () => source.logger() },
    });
    const request = tracerProvider.getTracer("http").startSpan("request");
    context.with(trace.setSpan(context.active(), request), () => tell("user_message"));
    tell("agent_response");
    expect(records().map(({ spanContext }) => spanContext?.spanId)).toEqual([
      request.spanContext().spanId,
      undefined,
    ]);
  });

  it("a tracer alone gets spans with events", () => {
    const providers = createProviders();
    const source = createSignalSource({ tracerProvider: providers.tracerProvider });
    const { tell } = converse({
      signals: { tracer: () => source.tracer(), logger: () => undefined },
    });
    tell("user_message");
    tell("conversation_end");
    expect(eventsOf(providers.span(TURN))).toEqual([
      EVENT_NAMES.user_message,
      EVENT_NAMES.conversation_end,
    ]);
  });

  it("that do not sample, records are written all the same", () => {
    const tracerProvider = new BasicTracerProvider({ sampler: new AlwaysOffSampler() });
    const { loggerProvider, records } = createProviders();
    const { tell } = converse({ signals: createSignalSource({ tracerProvider, loggerProvider }) });
    tell("user_message");
    tell("conversation_end");
    expect(records().length).toBe(2);
  });

  it("nothing is written without any", () => {
    const { tell, spans, records } = converse({
      signals: { tracer: () => undefined, logger: () => undefined },
    });
    tell("user_message");
    tell("conversation_end");
    expect([...spans(), ...records()]).toEqual([]);
  });
});

describe("an application's provider that throws", () => {
  const fail = (): never => {
    throw new Error("broken");
  };

  it("when asked for a tracer costs no record", () => {
    const { loggerProvider, records } = createProviders();
    const source = createSignalSource({ loggerProvider });
    const { tell } = converse({ signals: { tracer: fail, logger: () => source.logger() } });
    expect(() => tell("user_message")).toThrow("broken");
    expect(records().length).toBe(1);
  });

  it("when asked for a logger costs no span", () => {
    const providers = createProviders();
    const source = createSignalSource({ tracerProvider: providers.tracerProvider });
    const { tell, conversation } = converse({
      signals: { tracer: () => source.tracer(), logger: fail },
    });
    for (const kind of ["user_message", "agent_response", "conversation_end"] as const)
      expect(() => tell(kind)).toThrow("broken");
    expect(eventsOf(providers.span(TURN))).toEqual([
      EVENT_NAMES.user_message,
      EVENT_NAMES.agent_response,
    ]);
    expect(eventsOf(providers.span(CONVERSATION))).toEqual([EVENT_NAMES.conversation_end]);
    expect(conversation).toMatchObject({ span: undefined, turn: undefined });
  });

  it("when a span ends costs neither a record nor the end of another span", () => {
    const ended: string[] = [];
    const exporter = new InMemorySpanExporter();
    const tracerProvider = new BasicTracerProvider({
      spanProcessors: [
        new SimpleSpanProcessor(exporter),
        {
          onStart: () => undefined,
          onEnd: ({ name }) => {
            ended.push(name);
            fail();
          },
          forceFlush: () => Promise.resolve(),
          shutdown: () => Promise.resolve(),
        },
      ],
    });
    const { loggerProvider, records } = createProviders();
    const { tell, conversation } = converse({
      signals: createSignalSource({ tracerProvider, loggerProvider }),
    });
    tell("user_message");
    expect(() => tell("user_message")).toThrow("broken");
    expect(() => tell("conversation_end")).toThrow("broken");
    expect(ended).toEqual([TURN, CONVERSATION]);
    expect(records().length).toBe(3);
    expect(conversation).toMatchObject({ span: undefined, turn: undefined });
  });

  it("when a span is given up costs neither the others nor the shutdown", () => {
    const ended: string[] = [];
    const span = (name: string): Conversation["span"] =>
      ({
        setAttribute: () => undefined,
        end: () => (ended.push(name), fail()),
      }) as unknown as Conversation["span"];
    const { conversation } = converse();
    Object.assign(conversation, {
      span: span("conversation"),
      turn: { span: span("turn"), around: undefined },
    });
    expect(() => abandonConversation(conversation)).toThrow("broken");
    expect(ended).toEqual(["turn", "conversation"]);
  });
});
