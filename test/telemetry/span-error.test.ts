import { SpanStatusCode } from "@opentelemetry/api";
import { SeverityNumber } from "@opentelemetry/api-logs";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ContentPolicy } from "../../src/config/config.ts";
import type { ErrorSeverity } from "../../src/events/base-event.ts";
import { startMonitor } from "../helpers/monitor.ts";
import { createProviders } from "../helpers/otel.ts";

const TURN = "invoke_agent assistant";
const CONVERSATION = "conversation assistant";

async function fail(severity: ErrorSeverity, content: ContentPolicy, isInTurn = true) {
  const { tracerProvider, loggerProvider, span, records } = createProviders();
  const test = await startMonitor({ tracerProvider, loggerProvider, content });
  onTestFinished(() => test.close());
  const { monitor } = test;
  await monitor.ready();
  if (isInTurn) monitor.trackUserMessage("assistant", "s-1", "Hello");
  monitor.trackError("assistant", "s-1", new TypeError("card 4111 refused"), { severity });
  if (isInTurn) monitor.trackAgentResponse("assistant", "s-1", "Sorry.");
  monitor.trackConversationEnd("assistant", "s-1");
  const given = span(isInTurn ? TURN : CONVERSATION);
  return {
    span: given,
    exceptions: given.events.filter(({ name }) => name === "exception"),
    record: records().find(({ eventName }) => eventName === "agent_monitor.error"),
    conversation: span(CONVERSATION),
  };
}

describe("a tracked error", () => {
  it.each([
    ["low", SpanStatusCode.UNSET],
    ["medium", SpanStatusCode.UNSET],
    ["high", SpanStatusCode.ERROR],
    ["critical", SpanStatusCode.ERROR],
  ] as const)("of severity %s gives its turn the status %d", async (severity, code) => {
    const { span, conversation } = await fail(severity, "none");
    expect(span.status.code).toBe(code);
    expect(span.attributes["error.type"]).toBe(
      code === SpanStatusCode.ERROR ? "TypeError" : undefined,
    );
    expect(conversation.status.code).toBe(SpanStatusCode.UNSET);
  });

  it("outside of a turn fails the conversation", async () => {
    const { span } = await fail("critical", "none", false);
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(span.attributes["error.type"]).toBe("TypeError");
  });

  it("is an exception on span and log record, with texts as the content policy allows", async () => {
    const full = await fail("high", "full");
    expect(full.exceptions).toHaveLength(1);
    const exception = {
      "exception.type": "TypeError",
      "exception.message": "card 4111 refused",
      "exception.stacktrace": expect.stringContaining("TypeError: card 4111 refused"),
    };
    expect(full.exceptions[0]?.attributes).toEqual(exception);
    expect(full.record?.attributes).toMatchObject({ ...exception, "error.type": "TypeError" });
    expect(full.record?.severityNumber).toBe(SeverityNumber.ERROR3);
    expect(full.span.status).toEqual({ code: SpanStatusCode.ERROR, message: "card 4111 refused" });
  });

  it("says no more than its type without content", async () => {
    const { span, exceptions, record } = await fail("high", "none");
    expect(exceptions.map(({ attributes }) => attributes)).toEqual([
      { "exception.type": "TypeError" },
    ]);
    expect(record?.attributes).toMatchObject({ "exception.type": "TypeError" });
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(JSON.stringify([span.events, span.status, record?.attributes])).not.toContain("4111");
  });
});
