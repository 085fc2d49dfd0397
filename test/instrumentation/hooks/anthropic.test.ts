import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import {
  createAnthropicTelemetry,
  type AnthropicTelemetryOptions,
} from "../../../src/instrumentation/hooks/anthropic.ts";
import { createHookHost } from "./hook-host.ts";

const SCOPE = "com.anthropic.sdk.typescript";
const QUESTION = "Is card CARD-77 active?";
const ANSWER = "Yes, it is.";
const toMessages = (role: string, content: string): string =>
  JSON.stringify([{ role, parts: [{ type: "text", content }] }]);

/** What the client does with the option that it is given. */
function createTracer(options?: AnthropicTelemetryOptions) {
  const hooked = createHookHost();
  const telemetry = createAnthropicTelemetry(hooked.host, options);
  return { ...hooked, client: telemetry.tracerProvider.getTracer(SCOPE, "1.12.0") };
}

describe("the option of Anthropic's client", () => {
  it("sends no ids of traces to Anthropic, and tells no content, unless asked", () => {
    const { host } = createHookHost();
    expect(createAnthropicTelemetry(host)).toMatchObject({
      propagation: false,
      traces: { enabled: true, contentMode: "metadata_only", maxContentBytes: 750_000 },
    });
    const options = { content: true, propagation: true, maxContentBytes: 1000 };
    expect(createAnthropicTelemetry(host, options)).toMatchObject({
      propagation: true,
      traces: { enabled: true, contentMode: "content", maxContentBytes: 1000 },
    });
  });

  it("gives a tracer whose spans are whole for the bridge, and without content in public", () => {
    const { client, publicSpans, opened, told } = createTracer({ content: true });
    const span = client.startSpan("chat claude-x", {
      kind: SpanKind.CLIENT,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.request.model": "claude-x",
        "gen_ai.input.messages": toMessages("user", QUESTION),
      },
    });
    span.setAttributes({
      "gen_ai.output.messages": toMessages("assistant", ANSWER),
      "gen_ai.response.id": "msg_1",
    });
    span.setStatus({ code: SpanStatusCode.OK });
    span.end();
    expect(publicSpans()[0]?.name).toBe("chat claude-x");
    expect(publicSpans()[0]?.attributes).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "anthropic",
      "gen_ai.request.model": "claude-x",
      "gen_ai.response.id": "msg_1",
    });
    expect(opened[0]?.instrumentationScope?.name).toBe(SCOPE);
    expect(told().map((event) => event.replace(/ [^ ]+: /, ": "))).toEqual([
      `user_message: ${QUESTION}`,
      `agent_response: ${ANSWER}`,
    ]);
  });

  it("tells of the tools of the tool runner, inside its run", () => {
    const { client, shown, ended } = createTracer({ content: true });
    client.startActiveSpan("invoke_agent", (agent) => {
      const attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "find_card",
        "gen_ai.tool.call.id": "c1",
      };
      client.startActiveSpan("execute_tool find_card", { attributes }, (tool) => {
        tool.setAttribute("anthropic.tool_result.content", "CARD-77 is active");
        tool.end();
      });
      agent.end();
    });
    expect(shown()).toEqual(["execute_tool find_card < invoke_agent", "invoke_agent"]);
    expect(ended[0]?.attributes["anthropic.tool_result.content"]).toBe("CARD-77 is active");
  });

  it("tells of refusals", () => {
    const { client, shown } = createTracer();
    const span = client.startSpan("chat claude-x");
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute("error.type", "rate_limit_error");
    span.end();
    expect(shown()).toEqual(['chat !"rate_limit_error"']);
  });

  it("keeps other calls of the client as they are", () => {
    const { client, shown, told } = createTracer();
    client.startSpan("models.list").end();
    expect(shown()).toEqual(["models.list"]);
    expect(told()).toEqual([]);
  });
});
