import { trace } from "@opentelemetry/api";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import { afterEach, describe, expect, it } from "vitest";
import { defineRule } from "../../src/compliance/define-rule.ts";
import { GenAiBridgeSpanProcessor } from "../../src/monitor/span-processors.ts";
import type { AgentMonitor } from "../../src/monitor/monitor.ts";
import { startPlatform } from "../../src/platform/start-platform.ts";
import { createBatch, get, postBatch } from "../platform/helpers.ts";
import { startJudgedMonitor, type JudgedMonitor } from "../helpers/judged-monitor.ts";

const RULE = "consumer-protection-guaranteed-returns";
const BAD = "You can't lose money in this fund.";

let open: { close(): Promise<void> }[] = [];

async function start(...given: Parameters<typeof startJudgedMonitor>): Promise<JudgedMonitor> {
  const test = await startJudgedMonitor(...given);
  open.push(test);
  return test;
}

afterEach(async () => {
  for (const test of open) await test.close();
  open = [];
});

/** Has the rules prepared anew, as at the start of a process: a word is added that no table has. */
function unprepare(monitor: AgentMonitor): void {
  monitor.complianceEngine?.addRule(
    defineRule({
      id: "custom-word",
      name: "Word",
      description: "Flags a word.",
      explanation: "It says the word.",
      category: "custom",
      severity: "info",
      law: { citation: "None", asOf: "2026-11-22", status: "guidance" },
      recommendation: "Say another one.",
      impact: { customer: "minimal", business: "minimal" },
      phrases: { said: { match: ["unjudgedword of"] } },
    }),
  );
}

/** Tells a model call as another instrumentation does. */
function emitCall(monitor: AgentMonitor, parts: readonly object[]): void {
  const provider = new BasicTracerProvider({
    spanProcessors: [new GenAiBridgeSpanProcessor({ monitor })],
  });
  const attributes = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "gpt-5",
    "gen_ai.input.messages": JSON.stringify([
      { role: "user", parts: [{ type: "text", content: "Is it safe?" }] },
    ]),
    "gen_ai.output.messages": JSON.stringify([{ role: "assistant", parts }]),
  };
  const span = provider.getTracer("other").startSpan("chat gpt-5", { attributes });
  expect(trace.isSpanContextValid(span.spanContext())).toBe(true);
  span.end();
}

describe("what is judged as well", () => {
  it("is an answer that was tracked before the rules were ready", async () => {
    const { monitor, judged } = await start();
    unprepare(monitor);
    monitor.trackAgentResponse("assistant", "s", BAD);
    expect(monitor.stats().judge).toMatchObject({ submitted: 0 });
    expect(await judged()).toMatchObject([{ ruleId: RULE }]);
  });

  it("is an answer that other instrumentations tell of, once, with what was asked", async () => {
    const { monitor, judge, judged, sink } = await start();
    emitCall(monitor, [{ type: "text", content: BAD }]);
    const [event, ...others] = await judged();
    expect(others).toEqual([]);
    const answer = sink.events.find(({ interactionType }) => interactionType === "agent_response");
    expect(event?.metadata).toMatchObject({ eventId: answer.eventId, tier: "contradicted" });
    expect(judge.requests).toHaveLength(1);
    expect(judge.requests[0]?.user).toContain("Is it safe?");
  });

  it("is what an agent says beside asking for a tool: what is said of it names the call", async () => {
    const { monitor, judge, judged, sink } = await start();
    const call = { type: "tool_call", id: "k", name: "get_rate", arguments: {} };
    emitCall(monitor, [{ type: "text", content: BAD }, call]);
    const events = await judged();
    const asked = sink.events.find(({ interactionType }) => interactionType === "tool_call");
    expect(judge.requests).toHaveLength(1);
    expect(events).toMatchObject([{ ruleId: RULE, metadata: { eventId: asked.eventId } }]);
  });
});

it("is one event on the platform, however often an answer is judged, and an opinion is no finding more", async () => {
  const platform = await startPlatform({ port: 0 });
  open.push(platform);
  const { monitor, judged, sink } = await start();
  monitor.trackAgentResponse("assistant", "s", BAD);
  const [event] = await judged();
  const answer = sink.events.find(({ interactionType }) => interactionType === "agent_response");
  const metadata = { ...event?.metadata, opinion: { reason: "Said otherwise this time." } };
  const again = { ...event, timestamp: Date.now(), metadata };
  const deliver = async (events: unknown[]): Promise<unknown> =>
    (await postBatch(platform, createBatch(events))).body;
  expect(await deliver([answer, event])).toMatchObject({ accepted: 2, duplicates: 0 });
  expect(await deliver([again])).toMatchObject({ accepted: 0, duplicates: 1 });
  const { body } = await get(platform, "/api/conversations");
  expect(body).toMatchObject({ conversations: [{ eventCount: 2, findingCount: 1 }] });
});
