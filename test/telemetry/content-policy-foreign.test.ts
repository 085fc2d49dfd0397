import type { ExportResult } from "@opentelemetry/core";
import { SpanStatusCode, type Attributes } from "@opentelemetry/api";
import type { LogRecord } from "@opentelemetry/api-logs";
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
import { describe, expect, it } from "vitest";
import { withContentPolicy } from "../../src/telemetry/content-policy.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";

/** Writes a span of another instrumentation with an event, an exception and a link; gives its bare copy. */
function toBareSpan(attributes: Attributes) {
  const exporter = new InMemorySpanExporter();
  const tracer = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(withContentPolicy(exporter, "none"))],
  }).getTracer("@someone/instrumentation");
  const other = tracer.startSpan("other").spanContext();
  const span = tracer.startSpan("chat model", {
    attributes,
    links: [{ context: other, attributes }],
  });
  span.addEvent("gen_ai.content.prompt", { "gen_ai.prompt": "canary", kept: "yes" });
  span.recordException(new Error("canary"));
  span.setStatus({ code: SpanStatusCode.ERROR, message: "canary" });
  span.end();
  const bare = exporter.getFinishedSpans()[0];
  if (!bare) throw new Error("no span was exported");
  return bare;
}

function toBareRecord(record: LogRecord) {
  const exporter = new InMemoryLogRecordExporter();
  const processor = new SimpleLogRecordProcessor({
    exporter: withContentPolicy(exporter, "none"),
  });
  new LoggerProvider({ processors: [processor] })
    .getLogger("@someone/instrumentation")
    .emit(record);
  const bare = exporter.getFinishedLogRecords()[0];
  if (!bare) throw new Error("no record was exported");
  return bare;
}

const DIALECTS: readonly [name: string, content: Attributes, kept: Attributes][] = [
  [
    "OpenTelemetry",
    {
      "gen_ai.input.messages": '[{"role":"user"}]',
      "gen_ai.output.messages": "canary",
      "gen_ai.system_instructions": "canary",
      "gen_ai.tool.call.arguments": "canary",
      "gen_ai.tool.call.result": "canary",
      "gen_ai.retrieval.query.text": "canary",
      "gen_ai.evaluation.explanation": "canary",
    },
    {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "model",
      "gen_ai.usage.input_tokens": 21,
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.conversation.id": "c1",
      "gen_ai.output.type": "text",
      "gen_ai.tool.name": "get_balance",
      "server.address": "127.0.0.1",
    },
  ],
  [
    "OpenLLMetry",
    {
      "gen_ai.prompt.0.content": "canary",
      "gen_ai.prompt.0.role": "user",
      "gen_ai.completion.0.tool_calls.0.arguments": "canary",
      "traceloop.entity.input": "canary",
      "traceloop.entity.output": "canary",
    },
    { "gen_ai.system": "openai", "traceloop.span.kind": "workflow", "llm.usage.total_tokens": 9 },
  ],
  [
    "OpenInference",
    {
      "input.value": "canary",
      "output.value": "canary",
      "llm.input_messages.0.message.content": "canary",
      "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": "canary",
      "llm.invocation_parameters": "canary",
      "llm.prompt_template.variables": "canary",
      "tool.parameters": "canary",
      "retrieval.documents.0.document.content": "canary",
      metadata: "canary",
    },
    {
      "openinference.span.kind": "LLM",
      "llm.model_name": "model",
      "llm.token_count.prompt": 21,
      "input.mime_type": "text/plain",
      "session.id": "s1",
    },
  ],
  [
    "the Vercel AI SDK",
    {
      "ai.prompt": "canary",
      "ai.prompt.messages": "canary",
      "ai.prompt.tools": ["canary"],
      "ai.response.text": "canary",
      "ai.response.object": "canary",
      "ai.response.toolCalls": "canary",
      "ai.toolCall.args": "canary",
      "ai.toolCall.result": "canary",
      "ai.values": ["canary"],
      "ai.embedding": "canary",
    },
    { "ai.model.id": "model", "ai.usage.inputTokens": 21, "ai.operationId": "ai.generateText" },
  ],
  [
    "Langfuse",
    {
      "langfuse.observation.input": "canary",
      "langfuse.observation.output": "canary",
      "langfuse.trace.input": "canary",
      "langfuse.trace.output": "canary",
      "langfuse.observation.status_message": "canary",
      "langfuse.observation.metadata.instructions": "canary",
    },
    { "langfuse.observation.type": "generation", "langfuse.observation.model.name": "model" },
  ],
  [
    "producers that no list knows",
    {
      "mastra.agent_run.input": "canary",
      "mastra.metadata.headers": "canary",
      "gcp.vertex.agent.llm_request": "canary",
      "gcp.vertex.agent.tool_response": "canary",
      "lk.response.text": "canary",
      "anthropic.tool_result.content": "canary",
      "smolagents.step.output": ["canary"],
      "error.message": "canary",
    },
    { "mastra.span.type": "agent_run", "error.type": "timeout", "url.path": "/v1/messages" },
  ],
];

describe("a destination without content", () => {
  it.each(DIALECTS)("gets none of %s, and everything else", (_name, content, kept) => {
    const span = toBareSpan({ ...content, ...kept });
    expect(span.attributes).toEqual(kept);
    expect(span.links[0]?.attributes).toEqual(kept);
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(span.events.map(({ name, attributes }) => [name, attributes])).toEqual([
      ["gen_ai.content.prompt", { kept: "yes" }],
      ["exception", { "exception.type": "Error" }],
    ]);
    const record = toBareRecord({
      eventName: "gen_ai.client.inference.operation.details",
      attributes: { ...content, ...kept },
      body: { content: "canary" },
    });
    expect(record.attributes).toEqual(kept);
    expect(record.body).toBeUndefined();
  });

  it("gets no body of the events that write messages there", () => {
    const body = { role: "user", content: "canary" };
    expect(toBareRecord({ eventName: "gen_ai.user.message", body }).body).toBeUndefined();
    const named = { "event.name": "gen_ai.choice" };
    expect(toBareRecord({ attributes: named, body })).toMatchObject({
      attributes: named,
      body: undefined,
    });
  });

  it("gets what is no GenAI instrumentation's as it is", () => {
    const attributes = {
      "http.route": "/transfer",
      "url.query": "a=b",
      "db.query.text": "SELECT 1",
    };
    const span = toBareSpan(attributes);
    expect(span.attributes).toEqual(attributes);
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR, message: "canary" });
    expect(toBareRecord({ body: "started", attributes })).toMatchObject({
      body: "started",
      attributes,
    });
  });
});

describe("an item that can't be read", () => {
  it("is left out, the others are sent, and the export is not said to be done", () => {
    const sent: unknown[] = [];
    const inner = {
      export: (items: unknown[], done: (result: { code: number }) => void) => {
        sent.push(...items);
        done({ code: 0 });
      },
      shutdown: () => Promise.resolve(),
    };
    const redactor = createRedactor();
    const wrapped = withContentPolicy(
      inner as unknown as InMemorySpanExporter,
      "redacted",
      redactor,
    );
    const good = toBareSpan({ kept: "yes" });
    const bad = Object.create(good, {
      attributes: {
        get() {
          throw new Error("canary");
        },
      },
    }) as typeof good;
    const answers: ExportResult[] = [];
    wrapped.export([bad, good], (result) => answers.push(result));
    wrapped.export([good], (result) => answers.push(result));
    expect(answers.map(({ code }) => code)).toEqual([1, 0]);
    expect(answers[0]?.error?.message).toBe("1 items were left out: they could not be copied");
    expect(sent).toHaveLength(2);
    expect(redactor.failures).toBe(1);
  });
});
