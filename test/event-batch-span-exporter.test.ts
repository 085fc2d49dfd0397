import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterEach, describe, expect, it } from "vitest";
import { EventBatchSpanExporter } from "../src/event-batch-span-exporter.ts";
import { ValidationError } from "../src/events/validation-error.ts";
import { startSink, type Sink } from "./helpers/sink.ts";

const sinks: Sink[] = [];
afterEach(async () => {
  await Promise.all(sinks.splice(0).map((sink) => sink.close()));
});

async function start() {
  const sink = await startSink();
  sinks.push(sink);
  const exporter = new EventBatchSpanExporter({
    apiKey: "key-of-the-bank",
    organizationId: "bank",
    endpoint: sink.url,
    enableLogging: false,
  });
  const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
  return { sink, exporter, provider, tracer: provider.getTracer("shop") };
}

const message = (role: string, content: string): string =>
  JSON.stringify([{ role, parts: [{ type: "text", content }] }]);

const attributes = {
  "gen_ai.operation.name": "chat",
  "gen_ai.request.model": "gpt-5",
  "gen_ai.input.messages": message("user", "How do I deposit it?"),
  "gen_ai.output.messages": message("assistant", "Stay under $10,000 each time."),
};

describe("EventBatchSpanExporter", () => {
  it("delivers the events of exported spans, judged by the rules", async () => {
    const { sink, exporter, provider, tracer } = await start();
    tracer.startSpan("GET /", { attributes: { "http.request.method": "GET" } }).end();
    tracer.startSpan("chat gpt-5", { attributes }).end();
    await provider.shutdown();
    const events = sink.events;
    expect(events).toMatchObject([
      { interactionType: "user_message", content: "How do I deposit it?" },
      { interactionType: "agent_response", requiresReview: true },
    ]);
    expect(exporter.stats().bridge).toMatchObject({ spans: 1, events: 2 });
  });

  it("tells its pipeline that it is shut down", async () => {
    const { exporter } = await start();
    await exporter.shutdown();
    const codes: number[] = [];
    exporter.export([], ({ code }) => codes.push(code));
    expect(codes).toEqual([1]);
    await exporter.shutdown();
    await exporter.forceFlush();
  });

  it("refuses a configuration that is not valid", () => {
    expect(() => new EventBatchSpanExporter({ endpoint: "http://bank.example" })).toThrow(
      ValidationError,
    );
  });
});
