import { expect, it } from "vitest";
import { toKeptTask } from "../../src/assessment/judge-journal.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";
import { toTask } from "../helpers/judge.ts";

const CARD = "4111 1111 1111 1111";
const TASK = toTask(1, {
  answer: {
    eventId: "event-1",
    agentId: "agent",
    sessionId: "session",
    requestId: "req-4111111111111111",
    agentVersion: `1.0 of ${CARD}`,
  },
  exchange: { earlier: [{ userMessage: CARD }], agentResponse: `My SSN 536-22-1234, ${CARD}.` },
});

it("keeps nothing on a disk that the model does not get, although the platform gets everything", () => {
  const kept = toKeptTask(TASK, { platform: undefined, model: createRedactor() });
  expect(JSON.stringify(kept.exchange)).not.toMatch(/4111|536-22/);
  expect(kept).toMatchObject({ isRedacted: true, answer: TASK.answer });
});

it("redacts all that names an answer as its event is redacted", () => {
  const platform = createRedactor({ kinds: ["card"] });
  const kept = toKeptTask(TASK, { platform, model: undefined });
  expect(JSON.stringify(kept)).not.toMatch(/4111/);
  expect(kept.exchange.agentResponse).toContain("536-22-1234");
  expect(kept.answer).toMatchObject({ eventId: "event-1", agentId: "agent" });
});

it("keeps what both may see as it is", () => {
  expect(toKeptTask(TASK, { platform: undefined, model: undefined })).toBe(TASK);
});
