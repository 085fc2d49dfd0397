import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ROOT_CONTEXT, trace, type Attributes, type Span } from "@opentelemetry/api";
import type { AnyValueMap } from "@opentelemetry/api-logs";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchLogRecordProcessor,
  InMemoryLogRecordExporter,
  LoggerProvider,
  SimpleLogRecordProcessor,
} from "@opentelemetry/sdk-logs";
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  type Sampler,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { beforeAll, describe, expect, it } from "vitest";
import { ComplianceEngine } from "../../src/compliance/engine.ts";
import { ComplianceSpanProcessor } from "../../src/monitor/span-processors.ts";
import type { ComplianceSpanProcessorOptions } from "../../src/assessment/span-judge.ts";
import type { ComplianceRule, InteractionContext } from "../../src/events/compliance.ts";
import { systemClock } from "../../src/util/clock.ts";
import { createBurstLogger, silentLogger } from "../../src/util/logger.ts";
import { startMonitor } from "../helpers/monitor.ts";
import { createProviders } from "../helpers/otel.ts";

const QUESTION = "Is the fund safe?";
const BAD = "The fund is GUARANTEED to double.";
const GOOD = "Funds can lose value.";

/** Finds a word in the answer; findings of SECRET are confidential. */
function createRule(id: string, word: string, confidential?: true): ComplianceRule {
  return {
    id,
    name: id,
    description: `Finds ${word}.`,
    category: "consumer_protection",
    severity: "violation",
    isActive: true,
    ruleFunction: ({ agentResponse = "" }) => {
      const start = agentResponse.indexOf(word);
      const violations = [
        {
          rule: id,
          severity: "violation" as const,
          description: `says ${word}`,
          confidence: 0.9,
          context: {
            detectedContent: `...${word}...`,
            detectedPattern: `${id}/word`,
            spans: [{ source: "agentResponse", start, end: start + word.length }],
            ...(confidential && { confidential }),
          },
        },
      ];
      return start < 0
        ? { isCompliant: true, violations: [], riskScore: 0, requiresReview: false }
        : { isCompliant: false, violations, riskScore: 72, requiresReview: true };
    },
  };
}

interface Setup extends ComplianceSpanProcessorOptions {
  readonly order?: "before" | "after";
  readonly sampler?: Sampler;
  /** Stands between the SDK and the processor. */
  readonly wrap?: (processor: ComplianceSpanProcessor) => SpanProcessor;
}

function createEngine(...more: ComplianceRule[]): ComplianceEngine {
  return new ComplianceEngine({
    clock: systemClock,
    log: createBurstLogger(silentLogger, systemClock),
    rules: [
      ...more,
      createRule("custom-guaranteed", "GUARANTEED"),
      createRule("custom-secret", "SECRET", true),
    ],
  });
}

function setUp({ order = "before", sampler, wrap = (given) => given, ...options }: Setup = {}) {
  const contexts: InteractionContext[] = [];
  const spy: ComplianceRule = {
    ...createRule("custom-spy", "\0"),
    ruleFunction: (context) => {
      contexts.push(context);
      return { isCompliant: true, violations: [], riskScore: 0, requiresReview: false };
    },
  };
  const engine = createEngine(spy);
  const recordExporter = new InMemoryLogRecordExporter();
  const recordProcessors = [new SimpleLogRecordProcessor({ exporter: recordExporter })];
  const findings = new LoggerProvider({ processors: recordProcessors });
  const compliance = new ComplianceSpanProcessor({
    engine,
    loggerProvider: findings,
    logger: silentLogger,
    ...options,
  });
  const exporter = new InMemorySpanExporter();
  const batch = new BatchSpanProcessor(exporter);
  const wrapped = wrap(compliance);
  const tracerProvider = new BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": "branch" }),
    spanProcessors: order === "before" ? [wrapped, batch] : [batch, wrapped],
    ...(sampler && { sampler }),
  });
  const messages = new LoggerProvider({ processors: [compliance.logRecordProcessor] });
  const tracer = tracerProvider.getTracer("some-instrumentation");
  return {
    compliance,
    contexts,
    tracerProvider,
    start: (name: string, attributes: Attributes, parent?: Span): Span =>
      tracer.startSpan(
        name,
        { attributes },
        parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
      ),
    say: (eventName: string, body: AnyValueMap, span?: Span): void =>
      messages.getLogger("some-instrumentation").emit({
        attributes: { "event.name": eventName },
        body,
        ...(span && { context: trace.setSpan(ROOT_CONTEXT, span) }),
      }),
    exported: async (name: string): Promise<Attributes> => {
      await tracerProvider.forceFlush();
      const found = exporter.getFinishedSpans().filter((span) => span.name === name);
      expect(found).toHaveLength(1);
      return Object.fromEntries(
        Object.entries(found[0]!.attributes).filter(([key]) => key.startsWith("agent_monitor.")),
      );
    },
    records: (eventName?: string) =>
      recordExporter
        .getFinishedLogRecords()
        .filter((record) => eventName === undefined || record.eventName === eventName),
  };
}

const FINDING = "agent_monitor.compliance.finding";
const EVALUATION = "gen_ai.evaluation.result";
const chat = (answer?: string, question = QUESTION): Attributes => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.request.model": "gpt-5",
  ...(answer !== undefined && {
    "gen_ai.input.messages": JSON.stringify([
      { role: "user", parts: [{ type: "text", content: question }] },
    ]),
    "gen_ai.output.messages": JSON.stringify([
      { role: "assistant", parts: [{ type: "text", content: answer }] },
    ]),
  }),
});

// An engine is ready once it has read its wording, even if there is none.
beforeAll(() => createEngine().preparation.ready());

describe.each(["before", "after"] as const)(
  "a span whose processor stands %s the exporter's",
  (order) => {
    it("has the findings when it is exported", async () => {
      const { start, exported, records } = setUp({ order });
      const span = start("chat", { ...chat(BAD), "gen_ai.conversation.id": "k1" });
      span.end();
      const attributes = await exported("chat");
      expect(attributes).toMatchObject({
        "agent_monitor.compliance.evaluated": true,
        "agent_monitor.compliance.risk_score": 92,
        "agent_monitor.compliance.requires_review": true,
        "agent_monitor.compliance.finding_count": 1,
        "agent_monitor.compliance.rule_ids": ["custom-guaranteed"],
      });
      expect(JSON.parse(String(attributes["agent_monitor.compliance.violations"]))).toMatchObject([
        { rule: "custom-guaranteed", spans: [{ start: 12, end: 22 }] },
      ]);
      expect(
        JSON.stringify([attributes, records().map((record) => record.attributes)]),
      ).not.toMatch(/GUARANTEED|double/);
      expect(records().map((record) => [record.eventName, record.spanContext?.spanId])).toEqual([
        [FINDING, span.spanContext().spanId],
        [EVALUATION, span.spanContext().spanId],
      ]);
    });
  },
);

describe("the built-in rules", () => {
  it("write on no span before they are ready, which can be waited for", async () => {
    const { start, exported, records, compliance } = setUp({ engine: undefined });
    const answer =
      "Deposit it in three parts below 10,000 dollars on different days, so no report is filed.";
    start("early", { ...chat(answer), "gen_ai.conversation.id": "k1" }).end();
    await compliance.ready();
    start("late", { ...chat(answer), "gen_ai.conversation.id": "k2" }).end();
    expect(await exported("early")).toMatchObject({ "agent_monitor.compliance.evaluated": false });
    expect(await exported("late")).toMatchObject({
      "agent_monitor.compliance.evaluated": true,
      "agent_monitor.compliance.rule_ids": expect.arrayContaining(["bsa-aml-structuring-advice"]),
    });
    expect(records(EVALUATION)).toHaveLength(2);
    await compliance.shutdown();
    await compliance.ready();
  });
});

describe("a span", () => {
  it("without findings is evaluated, and its score told", async () => {
    const { start, exported, records } = setUp();
    start("chat", chat(GOOD)).end();
    expect(await exported("chat")).toEqual({
      "agent_monitor.compliance.evaluated": true,
      "agent_monitor.compliance.risk_score": 0,
      "agent_monitor.compliance.finding_count": 0,
      "agent_monitor.compliance.requires_review": false,
    });
    expect(records().map(({ attributes }) => attributes)).toEqual([
      {
        "gen_ai.evaluation.name": "agent_monitor.compliance",
        "gen_ai.evaluation.score.value": 0,
        "gen_ai.evaluation.score.label": "no_findings",
      },
    ]);
  });

  it("without content is not evaluated", async () => {
    const { start, exported, records } = setUp();
    start("chat", chat()).end();
    expect(await exported("chat")).toEqual({ "agent_monitor.compliance.evaluated": false });
    expect(records()).toEqual([]);
  });

  it.each([
    ["another kind", { "http.request.method": "POST" }],
    ["embeddings", { "gen_ai.operation.name": "embeddings", "gen_ai.request.model": "e5" }],
  ])("of %s is left alone", async (_, attributes) => {
    const { start, exported } = setUp();
    start("other", attributes).end();
    expect(await exported("other")).toEqual({});
  });

  it("that is not sampled is not seen", () => {
    const { start, contexts } = setUp({ sampler: new AlwaysOffSampler() });
    start("chat", chat(BAD)).end();
    expect(contexts).toEqual([]);
  });

  it("of the monitor itself is checked only if asked for", async () => {
    for (const includeOwn of [false, true]) {
      const { tracerProvider, contexts } = setUp({ includeOwn });
      tracerProvider
        .getTracer("agent-monitor")
        .startSpan("own", { attributes: chat(BAD) })
        .end();
      expect(contexts).toHaveLength(includeOwn ? 1 : 0);
    }
  });

  it("whose content a limit cut is evaluated in part", async () => {
    const { start, exported } = setUp();
    const attributes = chat(BAD);
    attributes["gen_ai.output.messages"] = String(attributes["gen_ai.output.messages"]).slice(
      0,
      -12,
    );
    start("chat", attributes).end();
    expect(await exported("chat")).toMatchObject({
      "agent_monitor.compliance.evaluated": true,
      "agent_monitor.compliance.partial": true,
      "agent_monitor.compliance.finding_count": 1,
    });
  });

  it("quotes the conversation only as far as the policy allows", async () => {
    const read = (options: ComplianceSpanProcessorOptions) => {
      const { start, records } = setUp(options);
      start("chat", chat(BAD)).end();
      return records(FINDING)[0]?.attributes;
    };
    expect(read({ content: "none" })).not.toHaveProperty(
      "agent_monitor.compliance.violation.description",
    );
    expect(read({ content: "full" })).toMatchObject({
      "agent_monitor.compliance.rule.id": "custom-guaranteed",
      "agent_monitor.compliance.rule.category": "consumer_protection",
      "agent_monitor.compliance.violation.severity": "violation",
      "agent_monitor.compliance.violation.confidence": 0.9,
      "agent_monitor.compliance.violation.detected_pattern": "custom-guaranteed/word",
      "agent_monitor.compliance.violation.spans": [{ source: "agentResponse", start: 12, end: 22 }],
      "agent_monitor.compliance.violation.description": "says GUARANTEED",
      "agent_monitor.compliance.violation.detected_content": "...GUARANTEED...",
    });
    expect(read({ content: "redacted" })).not.toHaveProperty(
      "agent_monitor.compliance.violation.detected_content",
    );
    expect(read({ content: "redacted", redact: () => "[gone]" })).toMatchObject({
      "agent_monitor.compliance.violation.detected_content": "[gone]",
    });
  });

  it("gives the rules what the spans around it say", async () => {
    const { start, contexts } = setUp();
    const root = start("POST /chat", { "session.id": "s1", "user.id": "u1" });
    const agent = start(
      "invoke_agent",
      { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.id": "teller" },
      root,
    );
    const span = start("chat", chat(GOOD), agent);
    for (const open of [span, agent, root]) open.end();
    expect(contexts).toMatchObject([
      {
        agentId: "teller",
        sessionId: "s1",
        userId: "u1",
        userMessage: QUESTION,
        agentResponse: GOOD,
      },
    ]);
  });

  it("that nothing names an agent or a session of stands for its service and its trace", () => {
    const { start, contexts } = setUp();
    const span = start("chat", chat(GOOD));
    span.end();
    const { traceId } = span.spanContext();
    expect(contexts).toMatchObject([{ agentId: "branch", sessionId: traceId }]);
  });

  it("that carries only what is new is read with the question before it", () => {
    const { start, contexts } = setUp();
    const runner = start("runner", { "gen_ai.operation.name": "invoke_agent" });
    const asked = { role: "assistant", parts: [{ type: "tool_call", id: "c", name: "t" }] };
    start(
      "chat 1",
      { ...chat(""), "gen_ai.output.messages": JSON.stringify([asked]) },
      runner,
    ).end();
    const delta = [{ role: "user", parts: [{ type: "tool_call_response", id: "c", response: 1 }] }];
    start(
      "chat 2",
      { ...chat(GOOD), "gen_ai.input.messages": JSON.stringify(delta) },
      runner,
    ).end();
    runner.end();
    expect(contexts).toMatchObject([{ userMessage: QUESTION, agentResponse: GOOD }]);
  });
});

describe("an answer that several spans carry", () => {
  const agentOf = (answer?: string): Attributes => ({
    ...chat(answer),
    "gen_ai.operation.name": "invoke_agent",
  });

  it("is checked once, in the innermost, and summed up on the agent", async () => {
    const { start, exported, contexts, records } = setUp();
    const agent = start("agent", agentOf(BAD));
    const step = start("step", { "gen_ai.operation.name": "agent_step" }, agent);
    for (const answer of [GOOD, BAD]) start(`chat ${answer}`, chat(answer), step).end();
    step.end();
    agent.end();
    expect(contexts).toHaveLength(2);
    expect(records(FINDING)).toHaveLength(1);
    expect(records(EVALUATION)).toHaveLength(2);
    expect(await exported("agent")).toEqual({
      "agent_monitor.compliance.evaluated": true,
      "agent_monitor.compliance.risk_score": 92,
      "agent_monitor.compliance.requires_review": true,
      "agent_monitor.compliance.finding_count": 1,
      "agent_monitor.compliance.rule_ids": ["custom-guaranteed"],
    });
    expect(await exported("step")).toEqual({});
  });

  it("is checked on the agent's span when no other has it", async () => {
    const { start, exported, contexts } = setUp();
    const agent = start("agent", agentOf(BAD));
    start("chat", chat(), agent).end();
    agent.end();
    expect(contexts).toHaveLength(1);
    expect(await exported("chat")).toEqual({ "agent_monitor.compliance.evaluated": false });
    expect(await exported("agent")).toHaveProperty("agent_monitor.compliance.violations");
  });

  it.each(["parent first", "child first"])(
    "is checked once with two instrumentations, %s",
    async (order) => {
      const { start, exported, contexts, records } = setUp();
      const outer = start("outer", {
        "openinference.span.kind": "LLM",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": BAD,
      });
      const inner = start("inner", chat(BAD), outer);
      for (const span of order === "parent first" ? [outer, inner] : [inner, outer]) span.end();
      expect(contexts).toHaveLength(1);
      expect(records(FINDING)).toHaveLength(1);
      for (const name of ["outer", "inner"]) {
        expect(await exported(name)).toHaveProperty("agent_monitor.compliance.finding_count", 1);
      }
    },
  );

  it("is checked again in another trace, and for another question", () => {
    const { start, contexts } = setUp();
    start("one", chat(GOOD)).end();
    const two = start("two", chat(GOOD));
    start("three", chat(GOOD, "Another question?"), two).end();
    two.end();
    expect(contexts).toHaveLength(3);
  });

  it("is summed up on the outermost workflow where there is no agent", async () => {
    const { start, exported } = setUp();
    const outer = start("outer", { "openinference.span.kind": "CHAIN" });
    const inner = start("inner", { "openinference.span.kind": "CHAIN" }, outer);
    start("chat", chat(BAD), inner).end();
    inner.end();
    outer.end();
    expect(await exported("inner")).toEqual({});
    expect(await exported("outer")).toHaveProperty("agent_monitor.compliance.risk_score", 92);
  });
});

describe("messages that come as log records", () => {
  it("are checked, and the findings put on the open span", async () => {
    const { start, say, exported, contexts, records } = setUp();
    const span = start("chat", chat());
    say("gen_ai.system.message", { content: "Be careful." }, span);
    say("gen_ai.user.message", { content: QUESTION }, span);
    say("gen_ai.choice", { index: 0, message: { content: BAD } }, span);
    span.end();
    expect(contexts).toMatchObject([{ userMessage: QUESTION, agentResponse: BAD }]);
    expect(await exported("chat")).toMatchObject({
      "agent_monitor.compliance.evaluated": true,
      "agent_monitor.compliance.finding_count": 1,
    });
    expect(records(FINDING).map(({ spanContext }) => spanContext?.spanId)).toEqual([
      span.spanContext().spanId,
    ]);
  });

  it("are checked after the end of their span, which can't be written then", async () => {
    const { start, say, exported, contexts, records } = setUp();
    const span = start("chat", chat());
    say("gen_ai.user.message", { content: QUESTION }, span);
    span.end();
    say("gen_ai.choice", { message: { content: BAD } }, span);
    expect(await exported("chat")).toEqual({ "agent_monitor.compliance.evaluated": false });
    expect(records(FINDING)[0]?.spanContext?.spanId).toBe(span.spanContext().spanId);
    expect(contexts).toMatchObject([{ userMessage: QUESTION }]);
  });

  it("are checked without a span, each for itself", () => {
    const { say, contexts, records } = setUp();
    for (let index = 0; index < 2; index++) say("gen_ai.choice", { message: { content: BAD } });
    expect(contexts).toHaveLength(2);
    expect(records(FINDING).map(({ spanContext }) => spanContext)).toEqual([undefined, undefined]);
  });
});

describe("confidential findings", () => {
  it("appear nowhere, nor in any score", async () => {
    const { start, exported, records } = setUp({ content: "full" });
    start("hidden", chat("This is SECRET.")).end();
    start("both", chat(`${BAD} This is SECRET.`)).end();
    start("plain", chat(BAD)).end();
    expect(await exported("hidden")).toEqual({
      "agent_monitor.compliance.evaluated": true,
      "agent_monitor.compliance.risk_score": 0,
      "agent_monitor.compliance.finding_count": 0,
      "agent_monitor.compliance.requires_review": false,
    });
    const withoutViolations = async (name: string) => {
      const { "agent_monitor.compliance.violations": _, ...rest } = await exported(name);
      return rest;
    };
    expect(await withoutViolations("both")).toEqual(await withoutViolations("plain"));
    const written = [await exported("both"), ...records().map(({ attributes }) => attributes)];
    expect(JSON.stringify(written)).not.toMatch(/custom-secret|SECRET/);
  });
});

describe("the processor", () => {
  it("falls back on finding records where the SDK never says that a span is ending", async () => {
    const { start, exported, records } = setUp({
      wrap: (processor) => ({
        onStart: (span) => processor.onStart(span),
        onEnd: (span) => processor.onEnd(span),
        forceFlush: () => processor.forceFlush(),
        shutdown: () => processor.shutdown(),
      }),
    });
    start("chat", chat(BAD)).end();
    expect(await exported("chat")).toEqual({});
    expect(records(FINDING)).toHaveLength(1);
  });

  it("never makes the end of a span fail", async () => {
    const lines: string[] = [];
    const note = (message: string): void => void lines.push(message);
    const loggerProvider = {
      getLogger: () => ({
        emit: () => {
          throw new Error("the account is 4111");
        },
        enabled: () => true,
      }),
    };
    const { start, exported } = setUp({
      loggerProvider,
      logger: { debug: note, info: note, warn: note, error: note },
    });
    const span = start("chat", chat(BAD));
    expect(() => span.end()).not.toThrow();
    expect(await exported("chat")).toHaveProperty("agent_monitor.compliance.finding_count", 1);
    expect(lines).toEqual(["checking a span or a log record failed"]);
  });

  it.each(["forceFlush", "shutdown"] as const)(
    "waits for what asynchronous rules find in %s",
    async (method) => {
      const recordExporter = new InMemoryLogRecordExporter();
      const loggerProvider = new LoggerProvider({
        processors: [new SimpleLogRecordProcessor({ exporter: recordExporter })],
      });
      const { ruleFunction, ...rule } = createRule("custom-late", "GUARANTEED");
      const engine = createEngine({
        ...rule,
        ruleFunction: async (context) => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          return ruleFunction(context);
        },
      });
      const { compliance, start } = setUp({ engine, loggerProvider });
      start("chat", chat(BAD)).end();
      await compliance[method]();
      const rules = recordExporter
        .getFinishedLogRecords()
        .map(({ attributes }) => attributes["agent_monitor.compliance.rule.id"]);
      expect(rules).toContain("custom-late");
    },
  );

  it("checks nothing after its shutdown", async () => {
    const { compliance, start, contexts } = setUp();
    await compliance.forceFlush();
    await compliance.shutdown();
    start("chat", chat(BAD)).end();
    expect(contexts).toEqual([]);
  });

  it("has the built-in rules by itself", async () => {
    const recordExporter = new InMemoryLogRecordExporter();
    const loggerProvider = new LoggerProvider({
      processors: [new SimpleLogRecordProcessor({ exporter: recordExporter })],
    });
    const tracerProvider = new BasicTracerProvider({
      spanProcessors: [new ComplianceSpanProcessor({ loggerProvider })],
    });
    const answer = "The fund guarantees a 5 % return every year.";
    tracerProvider
      .getTracer("any")
      .startSpan("chat", { attributes: chat(answer) })
      .end();
    // Their wording is not read yet.
    await tracerProvider.forceFlush();
    const names = recordExporter.getFinishedLogRecords().map(({ eventName }) => eventName);
    expect(new Set(names)).toEqual(new Set([FINDING, EVALUATION]));
  });
});

it("sends findings over OTLP with the spans they are on", async () => {
  const sent: { path: string; body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      sent.push({ path: request.url ?? "", body: Buffer.concat(chunks).toString() });
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const loggerProvider = new LoggerProvider({
    processors: [
      new BatchLogRecordProcessor({ exporter: new OTLPLogExporter({ url: `${url}/v1/logs` }) }),
    ],
  });
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url: `${url}/v1/traces` })),
      new ComplianceSpanProcessor({ engine: createEngine(), loggerProvider }),
    ],
  });
  tracerProvider
    .getTracer("any")
    .startSpan("chat", { attributes: chat(BAD) })
    .end();
  await Promise.all([tracerProvider.shutdown(), loggerProvider.shutdown()]);
  await new Promise((resolve) => server.close(resolve));
  const bodyOf = (path: string): string => sent.find((one) => one.path === path)?.body ?? "";
  expect(bodyOf("/v1/traces")).toContain('"agent_monitor.compliance.rule_ids"');
  expect(bodyOf("/v1/traces")).toContain("custom-guaranteed");
  expect(bodyOf("/v1/logs")).toContain(FINDING);
  expect(bodyOf("/v1/logs")).toContain(EVALUATION);
  expect(bodyOf("/v1/logs")).not.toContain("GUARANTEED");
});

it("a tracked answer's confidential finding reaches the platform, and nobody else", async () => {
  const providers = createProviders();
  const started = await startMonitor({
    ...providers,
    content: "full",
    enableLogging: false,
  });
  const { monitor } = started;
  monitor.complianceEngine?.addRule(createRule("custom-secret", "SECRET", true));
  monitor.complianceEngine?.addRule(createRule("custom-guaranteed", "GUARANTEED"));
  monitor.trackUserMessage("assistant", "s1", QUESTION);
  monitor.trackAgentResponse("assistant", "s1", `${BAD} This is SECRET.`);
  monitor.trackConversationEnd("assistant", "s1");
  const event = (await started.delivered()).find((one) => one.interactionType === "agent_response");
  expect(JSON.stringify(event)).toContain("custom-secret");
  await started.close();
  const told = JSON.stringify([
    providers.records().map(({ attributes }) => attributes),
    providers.spans().map(({ attributes, events }) => [attributes, events]),
  ]);
  expect(told).not.toContain("custom-secret");
  expect(told).toContain("custom-guaranteed");
});
