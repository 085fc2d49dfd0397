import { expect, it } from "vitest";
import type { DetailedEvent } from "../../src/events/detailed-event.ts";
import { detailedEventSchema } from "../../src/events/detailed-event.ts";
import { toTranscript } from "../../src/platform/ui/conversation/transcript.ts";
import { createConversations } from "./banking-conversations.ts";
import { createEvent, START, type JsonObject } from "./helpers.ts";

function parse(events: readonly JsonObject[]): DetailedEvent[] {
  return events.map((event) => detailedEventSchema.parse(event));
}

function tool(
  kind: "tool_call" | "tool_result",
  toolName: string,
  toolCallId?: string,
): JsonObject {
  return createEvent(kind, { toolName, metadata: toolCallId === undefined ? {} : { toolCallId } });
}

it("shows every event once, a tool's result in the row of its call", () => {
  const events = parse(createConversations(START));
  const items = toTranscript(events);
  const tools = items.filter((item) => item.kind === "tool");
  expect(tools.every((item) => item.call !== undefined && item.result !== undefined)).toBe(true);
  expect(items.length + tools.length).toBe(events.length);
});

it("joins results to calls by id, however they are mixed", () => {
  const events = parse([
    tool("tool_call", "search", "a"),
    tool("tool_call", "search", "b"),
    tool("tool_result", "search", "b"),
    tool("tool_result", "search", "a"),
  ]);
  const items = toTranscript(events).filter((item) => item.kind === "tool");
  expect(items.map((item) => item.result?.eventId)).toEqual([
    events[3]?.eventId,
    events[2]?.eventId,
  ]);
});

it("joins by name in order where there are no ids, and keeps a result without a call", () => {
  const events = parse([
    tool("tool_result", "orphan"),
    tool("tool_call", "search"),
    tool("tool_call", "open"),
    tool("tool_result", "search"),
  ]);
  const items = toTranscript(events).filter((item) => item.kind === "tool");
  expect(items.map((item) => [item.call?.toolName, item.result?.toolName])).toEqual([
    [undefined, "orphan"],
    ["search", "search"],
    ["open", undefined],
  ]);
});

const FLAG = {
  rule: "consumer-protection-guaranteed-returns",
  category: "consumer_protection",
  severity: "violation",
  description: "The agent promises the outcome of an investment.",
};
const EVALUATOR = { id: "agent-monitor.judge", type: "llm_judge", version: "1", model: "m-1" };

function judged(eventId: unknown, metadata: JsonObject): JsonObject {
  return createEvent("compliance_violation", {
    violationType: FLAG.category,
    severity: "violation",
    description: FLAG.description,
    ruleId: FLAG.rule,
    metadata: { eventId, finding: FLAG, evaluator: EVALUATOR, ...metadata },
  });
}

it("puts what the judge says under the answer that it is about", () => {
  const answer = createEvent("agent_response", { content: "You can't lose.", contentLength: 15 });
  const opinion = judged(answer["eventId"], {
    tier: "contradicted",
    opinion: { reason: "It speaks of a savings account." },
  });
  const added = judged(answer["eventId"], { tier: "confirmed", quote: "can't lose" });
  const items = toTranscript(parse([answer, opinion, added]));
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({
    kind: "message",
    judged: [
      { result: { tier: "contradicted", isOpinion: true } },
      { result: { tier: "confirmed", isOpinion: false, quote: "can't lose", model: "m-1" } },
    ],
  });
});

it("shows what the judge says by itself where its answer is not shown, and what others report", () => {
  const lost = judged("0198c0de-0000-7000-8000-00000000dead", { tier: "confirmed" });
  const reported = judged(undefined, { tier: "maybe" });
  const kinds = toTranscript(parse([lost, reported])).map(({ kind }) => kind);
  expect(kinds).toEqual(["violation", "violation"]);
});
