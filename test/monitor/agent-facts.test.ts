import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  SimpleLogRecordProcessor,
} from "@opentelemetry/sdk-logs";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterEach, describe, expect, it } from "vitest";
import type { AgentMonitoringConfig } from "../../src/config/config.ts";
import type { InteractionContext } from "../../src/events/compliance.ts";
import type { DetailedEvent } from "../../src/events/detailed-event.ts";
import { AgentMonitor } from "../../src/monitor/monitor.ts";
import { startPlatform } from "../../src/platform/index.ts";
import { KINDS } from "../helpers/events.ts";
import { agentInfo, startMonitor, type TestMonitor } from "../helpers/monitor.ts";

const running: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of running.splice(0).toReversed()) await one.close();
});

async function start(config: Partial<AgentMonitoringConfig> = {}): Promise<TestMonitor> {
  const test = await startMonitor(config);
  running.push(test);
  return test;
}

/** Tracks an event of every kind. */
function trackAll(monitor: AgentMonitor, sessionId: string): void {
  for (const interactionType of KINDS) {
    monitor.track("assistant", {
      sessionId,
      interactionType,
      content: "text",
      toolName: "transfer",
      toolParameters: {},
      toolResult: {},
    });
  }
}

const factsOf = ({ agentVersion, agentCategory, agentSpecialty }: DetailedEvent) => ({
  agentVersion,
  agentCategory,
  agentSpecialty,
});

const next = {
  ...agentInfo,
  version: "3.0.0",
  category: "workflow" as const,
  specialty: "mortgage_lending" as const,
  availableTools: [
    {
      name: "transfer",
      description: "Moves money",
      category: "wires",
      riskLevel: "medium" as const,
      version: "2",
    },
  ],
};

describe("an event", () => {
  it("says what its agent was when it was made, whatever is registered later", async () => {
    const test = await start();
    const { monitor } = test;
    await monitor.registerAgent(agentInfo);
    trackAll(monitor, "s1");
    await monitor.registerAgent(next);
    trackAll(monitor, "s2");
    const events = await test.delivered();
    expect(events.map(({ interactionType }) => interactionType)).toEqual([...KINDS, ...KINDS]);
    for (const event of events) {
      expect(factsOf(event)).toEqual(
        event.sessionId === "s1"
          ? {
              agentVersion: "2.1.0",
              agentCategory: "tool_calling",
              agentSpecialty: "personal_banking",
            }
          : {
              agentVersion: "3.0.0",
              agentCategory: "workflow",
              agentSpecialty: "mortgage_lending",
            },
      );
    }
  });

  it("says nothing of an agent that is not registered", async () => {
    const test = await start();
    const { monitor } = test;
    trackAll(monitor, "s1");
    for (const event of await test.delivered()) {
      for (const fact of Object.keys(factsOf(event))) expect(event).not.toHaveProperty(fact);
    }
  });

  it("says what the options of its interaction say, of whatever kind it is", async () => {
    const test = await start();
    const { monitor } = test;
    await monitor.registerAgent(agentInfo);
    const options = { agentCategory: "persona", agentSpecialty: "generalist" } as const;
    for (const interactionType of KINDS) {
      monitor.track(
        "assistant",
        { sessionId: interactionType, interactionType, content: "text", toolName: "transfer" },
        { ...options, trackConversationStart: true },
      );
    }
    const events = await test.delivered();
    // A start event of its own for every kind but the start itself.
    expect(events).toHaveLength(2 * KINDS.length - 1);
    for (const event of events) {
      expect(factsOf(event)).toEqual({ agentVersion: "2.1.0", ...options });
    }
  });

  it("tells a version without end as far as it fits", async () => {
    const test = await start();
    const { monitor } = test;
    await monitor.registerAgent({ ...agentInfo, version: "1".repeat(100_000) });
    monitor.trackUserMessage("assistant", "s1", "Hello");
    expect(await test.delivered()).toMatchObject([{ agentVersion: "1".repeat(256) }]);
  });
});

describe("metadata.conversationId", () => {
  it("names the conversation for each method that has no argument for it", async () => {
    const test = await start();
    const { monitor } = test;
    const metadata = { conversationId: "c1", note: 1 };
    monitor.trackConversationStart("assistant", "s1", undefined, metadata);
    monitor.trackUserMessage("assistant", "s1", "Hello", undefined, metadata);
    monitor.trackToolCall("assistant", "s1", "transfer", {}, {}, 1, metadata);
    monitor.trackAgentResponse("assistant", "s1", "Hello", metadata);
    monitor.trackError("assistant", "s1", "limit", metadata);
    monitor.trackConversationEnd("assistant", "s1", metadata);
    const events = await test.delivered();
    expect(events).toHaveLength(7);
    for (const event of events) {
      expect(event.conversationId).toBe("c1");
      expect(event.metadata).not.toHaveProperty("conversationId");
      if (event.interactionType !== "tool_result")
        expect(event.metadata).toMatchObject({ note: 1 });
    }
    expect(events.at(-1)).toMatchObject({ messageCount: 2 });
  });

  it("stays where it is when it is no identifier", async () => {
    const test = await start();
    test.monitor.trackUserMessage("assistant", "s1", "Hello", undefined, {
      conversationId: 42 as never,
    });
    const [event] = await test.delivered();
    expect(event).not.toHaveProperty("conversationId");
    expect(event?.metadata).toEqual({ invalidFields: { conversationId: 42 } });
  });
});

describe("a tool call", () => {
  it("says category, risk and version of the tool as its agent registered it then", async () => {
    const test = await start();
    const { monitor } = test;
    await monitor.registerAgent(agentInfo);
    monitor.trackToolCall("assistant", "s1", "transfer", {});
    await monitor.registerAgent(next);
    monitor.trackToolCall("assistant", "s1", "transfer", {});
    monitor.trackToolCall("assistant", "s1", "transfer", {}, undefined, undefined, {
      toolVersion: "own",
    });
    const events = await test.delivered();
    expect(events).toMatchObject([
      { toolCategory: "payments", riskLevel: "high" },
      { toolCategory: "wires", riskLevel: "medium", metadata: { toolVersion: "2" } },
      { toolCategory: "wires", riskLevel: "medium", metadata: { toolVersion: "own" } },
    ]);
    expect(events[0]?.metadata).not.toHaveProperty("toolVersion");
  });

  it("shows the rules what its tool was when it was called", async () => {
    const { monitor } = await start();
    let seen: InteractionContext | undefined;
    monitor.complianceEngine?.addRule({
      id: "custom-probe",
      name: "Probe",
      description: "Looks at the context.",
      category: "custom",
      severity: "info",
      isActive: true,
      ruleFunction: (context) => {
        seen = context;
        return { isCompliant: true, violations: [], riskScore: 0, requiresReview: false };
      },
    });
    await monitor.registerAgent(agentInfo);
    await monitor.ready();
    monitor.trackToolCall("assistant", "s1", "transfer", { amount: 1 });
    await monitor.registerAgent(next);
    monitor.trackToolCall("assistant", "s1", "transfer", { amount: 2 }, { done: true });
    // Its call was not tracked, so that the profile of the moment is all there is.
    monitor.track("assistant", {
      sessionId: "s1",
      interactionType: "tool_result",
      toolName: "transfer",
      toolResult: { done: false },
      metadata: { toolCallId: "other" },
    });
    monitor.trackAgentResponse("assistant", "s1", "Done.");
    expect(seen?.toolsUsed).toMatchObject([
      { parameters: { amount: 1 }, category: "payments", riskLevel: "high" },
      { parameters: { amount: 2 }, category: "wires", riskLevel: "medium", version: "2" },
      { parameters: null, category: "wires", riskLevel: "medium", version: "2" },
    ]);
  });
});

describe("telemetry", () => {
  it("says on every record and span what the agent was when it was made", async () => {
    const spans = new InMemorySpanExporter();
    const records = new InMemoryLogRecordExporter();
    const { monitor } = await start({
      content: "none",
      tracerProvider: new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
      loggerProvider: new LoggerProvider({
        processors: [new SimpleLogRecordProcessor({ exporter: records })],
      }),
    });
    await monitor.registerAgent(agentInfo);
    monitor.trackUserMessage("assistant", "s1", "Hello");
    monitor.trackAgentResponse(
      "assistant",
      "s1",
      "This investment is guaranteed to double your money, there is no way to lose.",
    );
    await monitor.registerAgent(next);
    monitor.trackUserMessage("assistant", "s1", "And now?");
    monitor.track(
      "assistant",
      { sessionId: "s1", interactionType: "agent_response", content: "Now as well." },
      { agentCategory: "persona" },
    );
    monitor.trackConversationEnd("assistant", "s1");

    const read = (attributes: Record<string, unknown>): unknown[] => [
      attributes["gen_ai.agent.version"],
      attributes["agent_monitor.agent.category"],
      attributes["agent_monitor.agent.specialty"],
    ];
    const before = ["2.1.0", "tool_calling", "personal_banking"];
    const after = ["3.0.0", "workflow", "mortgage_lending"];
    const events = records
      .getFinishedLogRecords()
      .filter(({ eventName }) => eventName !== "agent_monitor.compliance.finding")
      .filter(({ eventName }) => eventName?.startsWith("agent_monitor."));
    const persona = ["3.0.0", "persona", "mortgage_lending"];
    expect(events.map(({ attributes }) => read(attributes))).toEqual([
      before,
      before,
      after,
      persona,
      after,
    ]);
    const findings = records
      .getFinishedLogRecords()
      .filter(({ eventName }) => eventName === "agent_monitor.compliance.finding");
    expect(findings.length).toBeGreaterThan(0);
    for (const { attributes } of findings) expect(attributes["gen_ai.agent.version"]).toBe("2.1.0");

    const [first, second, conversation] = spans.getFinishedSpans();
    const eventsOf = (span: typeof first) =>
      span?.events.map(({ attributes = {} }) => read(attributes));
    expect([first, second, conversation].map((span) => read(span?.attributes ?? {}))).toEqual([
      before,
      after,
      before,
    ]);
    expect(eventsOf(first)).toEqual([before, before]);
    expect(eventsOf(second)).toEqual([after, persona]);
  });
});

describe("single measures of an answer", () => {
  it("stand on record and span without content, a zero as well", async () => {
    const spans = new InMemorySpanExporter();
    const records = new InMemoryLogRecordExporter();
    const { monitor } = await start({
      content: "none",
      enableComplianceChecks: false,
      tracerProvider: new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
      loggerProvider: new LoggerProvider({
        processors: [new SimpleLogRecordProcessor({ exporter: records })],
      }),
    });
    await monitor.registerAgent(agentInfo);
    monitor.trackUserMessage("assistant", "s1", "Hello");
    monitor.trackAgentResponse("assistant", "s1", "Hello", {
      tokensUsed: { input: 20, output: 0, total: 20 },
      cost: 0,
      temperature: 0,
      maxTokens: 0,
      responseQuality: 0,
      completeness: 70,
      note: "content",
    });
    const expected = {
      "gen_ai.response.model": "gpt-5",
      "gen_ai.provider.name": "openai",
      "gen_ai.usage.input_tokens": 20,
      "gen_ai.usage.output_tokens": 0,
      "agent_monitor.usage.total_tokens": 20,
      "agent_monitor.usage.cost": 0,
      "gen_ai.request.temperature": 0,
      "gen_ai.request.max_tokens": 0,
      "agent_monitor.quality.response": 0,
      "agent_monitor.quality.completeness": 70,
    };
    const [, answer] = records.getFinishedLogRecords();
    expect(answer?.attributes).toMatchObject(expected);
    expect(answer?.attributes).not.toHaveProperty("agent_monitor.llm.latency_ms");
    const [turn] = spans.getFinishedSpans();
    expect(turn?.events[1]?.attributes).toMatchObject(expected);
    expect(turn?.attributes).toMatchObject({
      "gen_ai.response.model": "gpt-5",
      "gen_ai.usage.input_tokens": 20,
      "gen_ai.usage.output_tokens": 0,
    });
    expect(JSON.stringify(answer?.attributes)).not.toContain('content"');
  });

  it("tell the approval of a tool call, without who and why where content may not go", async () => {
    const records = new InMemoryLogRecordExporter();
    const { monitor } = await start({
      content: "none",
      loggerProvider: new LoggerProvider({
        processors: [new SimpleLogRecordProcessor({ exporter: records })],
      }),
    });
    const approval = {
      status: "refused",
      askedAt: 1,
      decidedAt: 2,
      by: "j.doe",
      reason: "unknown payee",
    } as const;
    monitor.trackToolCall("assistant", "s1", "transfer", {}, undefined, undefined, { approval });
    const [record] = records.getFinishedLogRecords();
    expect(record?.attributes).toMatchObject({
      "agent_monitor.tool.approval.status": "refused",
      "agent_monitor.tool.approval.asked_at": 1,
      "agent_monitor.tool.approval.decided_at": 2,
    });
    expect(JSON.stringify(record?.attributes)).not.toMatch(/doe|payee/);
  });
});

describe("a platform", () => {
  it("keeps what earlier events said of their agent when it is registered anew", async () => {
    const platform = await startPlatform({ port: 0 });
    running.push(platform);
    const monitor = new AgentMonitor({
      apiKey: "key",
      organizationId: "bank",
      endpoint: platform.url,
      enableLogging: false,
    });
    await monitor.registerAgent(agentInfo);
    trackAll(monitor, "s1");
    await monitor.flush();
    await monitor.registerAgent(next);
    trackAll(monitor, "s2");
    await monitor.shutdown();

    const lines = await (await fetch(`${platform.url}/api/batches/export`)).text();
    const events = lines
      .trim()
      .split("\n")
      .flatMap((line) => (JSON.parse(line) as { events: DetailedEvent[] }).events);
    expect(events).toHaveLength(2 * KINDS.length);
    for (const { sessionId, agentVersion } of events)
      expect(agentVersion).toBe(sessionId === "s1" ? "2.1.0" : "3.0.0");
  });
});
