import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  SimpleSpanProcessor,
  type BufferConfig,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { EventBatchSpanExporter, type EventBatchConfig } from "../../src/event-batch/exporters.ts";
import { ValidationError } from "../../src/events/validation-error.ts";
import { makeDirectory } from "../helpers/spool.ts";
import { callAttributes, configFor, isBalanced, listen, startService } from "./kit.ts";

/** Nobody listens there. */
const NOWHERE = { url: "http://127.0.0.1:9" };
const LONG = 3_600_000;

function start(config: EventBatchConfig, buffer: BufferConfig = {}) {
  const exporter = new EventBatchSpanExporter(config);
  const answers = listen(exporter);
  const processor = new BatchSpanProcessor(exporter, { scheduledDelayMillis: LONG, ...buffer });
  onTestFinished(() => exporter.shutdown());
  return { exporter, answers, processor, ...provide(processor) };
}

function provide(processor: SpanProcessor) {
  const provider = new BasicTracerProvider({ spanProcessors: [processor] });
  const tracer = provider.getTracer("shop");
  const call = (question: string, answer = `Answer to ${question}`): void =>
    tracer.startSpan("chat gpt-5", { attributes: callAttributes(question, answer) }).end();
  return { provider, tracer, call };
}

const untilAnswered = (answers: readonly string[], count: number): Promise<void> =>
  vi.waitFor(() => expect(answers).toHaveLength(count), { timeout: 10_000, interval: 10 });

describe("EventBatchSpanExporter under OTel's batch processor", () => {
  it("delivers the events of exported spans, judged by the rules", async () => {
    const sink = await startService();
    const { exporter, provider, tracer, call } = start(configFor(sink));
    tracer.startSpan("GET /", { attributes: { "http.request.method": "GET" } }).end();
    call(
      "How do I deposit it?",
      "Deposit it in three parts below 10,000 dollars on different days, so no report is filed.",
    );
    await provider.shutdown();
    expect(sink.events).toMatchObject([
      { interactionType: "user_message", content: "How do I deposit it?" },
      { interactionType: "agent_response", requiresReview: true },
    ]);
    expect(exporter.stats().bridge).toMatchObject({ spans: 1, events: 2 });
  });

  it("sends as many spans together as the processor is told, and no more", async () => {
    const sink = await startService();
    const { answers, call } = start(configFor(sink), { maxExportBatchSize: 2 });
    for (const question of ["1", "2", "3"]) call(question);
    await untilAnswered(answers, 1);
    expect(answers).toEqual(["SUCCESS"]);
    expect(sink.batches).toHaveLength(1);
    expect(sink.events.map(({ content }) => content)).toEqual([
      "1",
      "Answer to 1",
      "2",
      "Answer to 2",
    ]);
  });

  it("sends after the processor's interval", async () => {
    const sink = await startService();
    const { answers, call } = start(configFor(sink), { scheduledDelayMillis: 20 });
    call("Hello");
    await untilAnswered(answers, 1);
    expect(sink.events).toHaveLength(2);
  });

  it("answers for every batch of a flush, each event delivered once", async () => {
    const sink = await startService();
    const { exporter, answers, provider, call } = start(configFor(sink), {
      maxExportBatchSize: 10,
    });
    const questions = Array.from({ length: 95 }, (_, index) => `Question ${index}`);
    for (const question of questions) call(question);
    await provider.forceFlush();
    await untilAnswered(answers, 10);
    expect(new Set(answers)).toEqual(new Set(["SUCCESS"]));
    const asked = sink.events.filter(({ interactionType }) => interactionType === "user_message");
    expect(asked).toHaveLength(95);
    expect(new Set(asked.map(({ content }) => content))).toEqual(new Set(questions));
    expect(exporter.stats()).toMatchObject({ acked: 190, pending: 0, dropped: 0 });
  });

  it("does not answer before the platform has", async () => {
    const sink = await startService();
    let acknowledge = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      sink.answer = () => {
        resolve();
        return new Promise((answered) => {
          acknowledge = () => answered(undefined);
        });
      };
    });
    const { answers, processor, call } = start(configFor(sink));
    call("Hello");
    const flushed = processor.forceFlush();
    await asked;
    expect(answers).toEqual([]);
    acknowledge();
    await flushed;
    expect(answers).toEqual(["SUCCESS"]);
  });

  it("tries again within the export, while the platform fails", async () => {
    const sink = await startService();
    sink.answer = () => (sink.requests.length < 6 ? { status: 503 } : undefined);
    const { exporter, answers, processor, call } = start(configFor(sink, { retryAttempts: 1 }));
    call("Hello");
    await processor.forceFlush();
    expect(answers).toEqual(["SUCCESS"]);
    expect(sink.requests).toHaveLength(6);
    expect(sink.events).toHaveLength(2);
    expect(exporter.stats()).toMatchObject({ acked: 2, dropped: 0 });
  });

  it.each([
    ["nobody listens", undefined],
    ["the platform never answers", "hang" as const],
  ])("says that events are given up when the time is over: %s", async (_, answer) => {
    const sink = await startService();
    if (answer) sink.answer = () => answer;
    const config = configFor(answer ? sink : NOWHERE, { exportTimeout: 300, retryAttempts: 1 });
    const { exporter, answers, processor, call } = start(config);
    call("Hello");
    await expect(processor.forceFlush()).rejects.toThrow("2 events were given up");
    expect(answers).toEqual([expect.stringContaining("2 events were given up")]);
    const stats = exporter.stats();
    expect(stats).toMatchObject({ tracked: 2, pending: 0, dropped: 2 });
    expect(stats.droppedByReason).toEqual({ export_timeout: 2 });
  });

  it("gives up what batches of several exports share, once the last of them does", async () => {
    const config = configFor(NOWHERE, { exportTimeout: 300, retryAttempts: 0 });
    const { exporter, answers, processor, call } = start(config, { maxExportBatchSize: 1 });
    for (const question of ["1", "2", "3", "4"]) call(question);
    await expect(processor.forceFlush()).rejects.toThrow("given up");
    await untilAnswered(answers, 4);
    expect(exporter.stats()).toMatchObject({ tracked: 8, pending: 0, dropped: 8 });
  });

  it("does not wait for a platform that takes nothing, and asks it again at the next export", async () => {
    const sink = await startService();
    sink.answer = () => ({ status: 401 });
    const lines: string[] = [];
    const keep = (message: string): void => void lines.push(message);
    const logger = { debug: () => undefined, info: keep, warn: keep, error: keep };
    const config = configFor(sink, { enableLogging: true, logger });
    const { exporter, answers, processor, call } = start(config);
    call("Hello");
    await expect(processor.forceFlush()).rejects.toThrow(/2 events were given up \(.*401/);
    expect(exporter.stats().droppedByReason).toEqual({ export_blocked: 2 });
    expect(lines.filter((line) => line.includes("401"))).toEqual([
      `the platform at ${sink.url} takes nothing (status 401: the apiKey, or the signature, is not accepted); the events of an export are given up at once`,
    ]);
    expect(lines.join()).not.toContain("are kept");
    sink.answer = () => undefined;
    call("Are you there?");
    await processor.forceFlush();
    expect(answers[1]).toBe("SUCCESS");
    expect(sink.events.map(({ content }) => content)).toEqual([
      "Are you there?",
      "Answer to Are you there?",
    ]);
    expect(isBalanced(exporter.stats())).toBe(true);
  });

  it("answers as soon as the spool has the events, from where the next process sends them", async () => {
    const spoolDirectory = makeDirectory();
    const settings = { spoolDirectory, shutdownTimeout: 50, retryAttempts: 0 };
    const { exporter, answers, processor, call } = start(configFor(NOWHERE, settings));
    call("Hello");
    await processor.forceFlush();
    expect(answers).toEqual(["SUCCESS"]);
    expect(exporter.stats()).toMatchObject({ pending: 2, dropped: 0 });
    await exporter.shutdown();

    const sink = await startService();
    const next = start(configFor(sink, { spoolDirectory }));
    await next.exporter.forceFlush();
    expect(sink.events.map(({ content }) => content)).toEqual(["Hello", "Answer to Hello"]);
    expect(next.exporter.stats()).toMatchObject({ recovered: 2, acked: 2 });
  });

  it("answers for exports under way when it is shut down, in time", async () => {
    const sink = await startService();
    sink.answer = () => "hang";
    const { exporter, answers, processor, call } = start(configFor(sink, { shutdownTimeout: 100 }));
    call("Hello");
    const flushed = processor.forceFlush();
    await vi.waitFor(() => expect(sink.requests).toHaveLength(1));
    await exporter.shutdown();
    await expect(flushed).rejects.toThrow("2 events were given up");
    expect(answers).toHaveLength(1);
    expect(exporter.stats()).toMatchObject({ pending: 0, dropped: 2 });
    expect(isBalanced(exporter.stats())).toBe(true);
  });

  it("waits in forceFlush for exports under way", async () => {
    const sink = await startService();
    const { exporter, answers, call } = start(configFor(sink), { maxExportBatchSize: 1 });
    call("Hello");
    await exporter.forceFlush();
    expect(answers).toEqual(["SUCCESS"]);
  });

  it("is told once what spans say that come one by one", async () => {
    const sink = await startService();
    const exporter = new EventBatchSpanExporter(configFor(sink));
    const answers = listen(exporter);
    onTestFinished(() => exporter.shutdown());
    const { tracer } = provide(new SimpleSpanProcessor(exporter));
    const agent = tracer.startSpan("invoke_agent assistant", {
      attributes: {
        ...callAttributes("Hello", "Good morning."),
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "assistant",
      },
    });
    const attributes = callAttributes("Hello", "Good morning.");
    tracer.startSpan("chat gpt-5", { attributes }, trace.setSpan(ROOT_CONTEXT, agent)).end();
    agent.end();
    await untilAnswered(answers, 2);
    expect(answers).toEqual(["SUCCESS", "SUCCESS"]);
    expect(sink.events).toMatchObject([
      { interactionType: "user_message", agentId: "assistant" },
      { interactionType: "agent_response", content: "Good morning." },
    ]);
  });

  it("tells its pipeline that it is shut down", async () => {
    const { exporter, answers } = start(configFor(NOWHERE));
    await exporter.shutdown();
    exporter.export([], () => undefined);
    expect(answers).toEqual(["the exporter is shut down"]);
    await exporter.shutdown();
    await exporter.forceFlush();
  });

  it.each([
    ["nobody listens", undefined],
    ["the platform takes nothing", { status: 401 }],
  ])(
    "is closed once it is shut down, which OTel's processor leaves out behind a failure: %s",
    async (_, answer) => {
      const sink = await startService();
      if (answer) sink.answer = () => answer;
      const config = configFor(answer ? sink : NOWHERE, { exportTimeout: 300, retryAttempts: 0 });
      const { exporter, provider, call } = start(config);
      call("Hello");
      await expect(provider.shutdown()).rejects.toThrow("2 events were given up");
      expect(exporter.stats().state).not.toBe("closed");
      await exporter.shutdown();
      expect(exporter.stats()).toMatchObject({ state: "closed", pending: 0, dropped: 2 });
    },
  );

  it.each([
    [0, /exportTimeout expected ms, a number above 0 and at most 2147483647.*\(got 0\)/],
    [3e9, /exportTimeout .* \(got 3000000000\)/],
    ["6000", /exportTimeout .* \(got string of 4 characters\)/],
    [Number.NaN, /exportTimeout .* \(got NaN\)/],
  ])("says what the timeout must be, and what came: %j", (exportTimeout, message) => {
    const config = configFor(NOWHERE, { exportTimeout: exportTimeout as number });
    expect(() => new EventBatchSpanExporter(config)).toThrow(message);
  });

  it.each([
    ["includeOwm", "includeOwn"],
    ["export_timeout", "exportTimeout"],
    ["exportTimeot", "exportTimeout"],
    ["spoolDirectoyr", "spoolDirectory"],
  ])("refuses the misspelt option %s", (given, known) => {
    const config = configFor(NOWHERE, { [given]: 1, requestTimeout: 50, shutdownTimeout: 50 });
    expect(() => new EventBatchSpanExporter(config)).toThrow(
      `${given} is unknown: did you mean ${known}?`,
    );
  });

  it("refuses a configuration that is not valid", () => {
    expect(() => new EventBatchSpanExporter({ endpoint: "http://bank.example" })).toThrow(
      ValidationError,
    );
    const config = configFor(NOWHERE, { exportTimeout: 0, includeOwn: "yes" as never });
    expect(() => new EventBatchSpanExporter(config)).toThrow(/includeOwn.*exportTimeout/s);
  });
});
