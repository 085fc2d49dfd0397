import { expect, it } from "vitest";
import type { BridgeSpan } from "../../../src/bridge/bridge-span.ts";
import { OpenCalls } from "../../../src/bridge/assembly/open-spans.ts";

const toAttributes = (question: string): Record<string, string> => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.request.model": "gpt-5",
  "gen_ai.input.messages": JSON.stringify([{ role: "user", content: question }]),
});

function createSpan(index: number, question: string): BridgeSpan {
  const spanContext = {
    traceId: "0".repeat(31) + "1",
    spanId: index.toString(16).padStart(16, "0"),
    traceFlags: 1,
  };
  return {
    name: "chat gpt-5",
    attributes: toAttributes(question),
    spanContext: () => spanContext,
    startTime: [1, 0],
    endTime: [0, 0],
  };
}

const findIn = (calls: OpenCalls, question: string): BridgeSpan | undefined =>
  calls.find(() => ({ name: "", attributes: toAttributes(question) }));

it("finds the open span of the same question that began last, until it has ended", () => {
  const calls = new OpenCalls();
  const spans = [createSpan(1, "A?"), createSpan(2, "B?"), createSpan(3, "A?")] as const;
  for (const span of spans) calls.add(span);
  expect(findIn(calls, "A?")).toBe(spans[2]);
  calls.delete(spans[2]);
  expect(findIn(calls, "A?")).toBe(spans[0]);
  expect(findIn(calls, "C?")).toBeUndefined();
});

it("finds a span that was given up as well, as long as somebody holds it", () => {
  const calls = new OpenCalls();
  const span = createSpan(1, "A?");
  calls.add(span);
  calls.giveUp(span);
  expect(findIn(calls, "A?")).toBe(span);
  calls.delete(span);
  calls.giveUp(span);
  expect(findIn(calls, "A?")).toBeUndefined();
});

it("knows 200 open spans, those that began last", () => {
  const calls = new OpenCalls();
  const spans = Array.from({ length: 201 }, (_, index) => createSpan(index + 1, `${index}?`));
  for (const span of spans) calls.add(span);
  expect(findIn(calls, "0?")).toBeUndefined();
  expect(findIn(calls, "1?")).toBe(spans[1]);
});
