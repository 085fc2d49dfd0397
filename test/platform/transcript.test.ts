import { expect, it } from "vitest";
import type { DetailedEvent } from "../../src/events/detailed-event.ts";
import { detailedEventSchema } from "../../src/events/detailed-event.ts";
import { toTranscript } from "../../src/platform/ui/transcript.ts";
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
