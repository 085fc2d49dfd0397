import { ROOT_CONTEXT, trace, TraceFlags } from "@opentelemetry/api";
import {
  BatchLogRecordProcessor,
  LoggerProvider,
  type LogRecordProcessor,
} from "@opentelemetry/sdk-logs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  EventBatchLogRecordExporter,
  EventBatchLogRecordProcessor,
  type EventBatchConfig,
} from "../../src/event-batch/exporters.ts";
import { makeDirectory } from "../helpers/spool.ts";
import { callAttributes, configFor, isBalanced, listen, startService } from "./kit.ts";

const NOWHERE = { url: "http://127.0.0.1:9" };
const LONG = 3_600_000;

interface Batching {
  readonly maxExportBatchSize?: number;
  readonly scheduledDelayMillis?: number;
}

/** Emits the records of one model call, whose span nobody exports. */
function createCall(processor: LogRecordProcessor, spanId = "00000000000000a1") {
  const provider = new LoggerProvider({ processors: [processor] });
  const logger = provider.getLogger("some-instrumentation");
  const traceId = "0000000000000000000000000000000a";
  const spanContext = { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
  const context = trace.setSpanContext(ROOT_CONTEXT, spanContext);
  const emit = (eventName: string, body: object): void =>
    logger.emit({ eventName, context, body: body as never, attributes: { "gen_ai.system": "a" } });
  return {
    emitPlain: () => logger.emit({ body: "GET /", context }),
    ask: (content: string) => emit("gen_ai.user.message", { content }),
    answer: (content: string) =>
      emit("gen_ai.choice", { index: 0, finish_reason: "stop", message: { content } }),
    emitDetails: (question: string, answer: string) =>
      logger.emit({
        eventName: "gen_ai.client.inference.operation.details",
        context,
        attributes: callAttributes(question, answer),
      }),
  };
}

function start(config: EventBatchConfig, batching: Batching = {}) {
  const exporter = new EventBatchLogRecordExporter(config);
  const answers = listen(exporter);
  const processor = new BatchLogRecordProcessor({
    exporter,
    scheduledDelayMillis: LONG,
    ...batching,
  });
  onTestFinished(() => exporter.shutdown());
  return { exporter, answers, processor, ...createCall(processor) };
}

const untilAnswered = (answers: readonly string[], count: number): Promise<void> =>
  vi.waitFor(() => expect(answers).toHaveLength(count), { timeout: 10_000, interval: 10 });

describe("EventBatchLogRecordExporter under OTel's batch processor", () => {
  it("delivers what GenAI records say, judged by the rules, and nothing of others", async () => {
    const sink = await startService();
    const { exporter, answers, processor, emitPlain, emitDetails } = start(configFor(sink));
    emitPlain();
    emitDetails(
      "How do I deposit it?",
      "Deposit it in three parts below 10,000 dollars on different days, so no report is filed.",
    );
    await processor.shutdown();
    expect(answers).toEqual(["SUCCESS"]);
    expect(sink.events).toMatchObject([
      { interactionType: "user_message", content: "How do I deposit it?" },
      { interactionType: "agent_response", requiresReview: true },
    ]);
    expect(exporter.stats()).toMatchObject({ acked: 2, pending: 0 });
  });

  it("tells a question when it is exported, and the answer when that is", async () => {
    const sink = await startService();
    const { answers, processor, ask, answer } = start(configFor(sink));
    ask("How do I deposit it?");
    await processor.forceFlush();
    expect(sink.events).toMatchObject([{ interactionType: "user_message" }]);
    answer(
      "Deposit it in three parts below 10,000 dollars on different days, so no report is filed.",
    );
    await processor.forceFlush();
    expect(answers).toEqual(["SUCCESS", "SUCCESS"]);
    expect(sink.events).toMatchObject([
      { interactionType: "user_message", content: "How do I deposit it?" },
      { interactionType: "agent_response", requiresReview: true },
    ]);
    const [question, given] = sink.events;
    expect(given.sessionId).toBe(question.sessionId);
  });

  it("sends on the processor's size and interval", async () => {
    const sink = await startService();
    const bySize = start(configFor(sink), { maxExportBatchSize: 1 });
    bySize.emitDetails("1", "one");
    await untilAnswered(bySize.answers, 1);
    const byTime = start(configFor(sink), { scheduledDelayMillis: 20 });
    byTime.emitDetails("2", "two");
    await untilAnswered(byTime.answers, 1);
    expect(sink.events.map(({ content }) => content)).toEqual(["1", "one", "2", "two"]);
  });

  it("tries again within the export, while the platform fails", async () => {
    const sink = await startService();
    sink.answer = () => (sink.requests.length < 3 ? { status: 503 } : undefined);
    const { exporter, answers, processor, emitDetails } = start(configFor(sink));
    emitDetails("Hello", "Good morning.");
    await processor.forceFlush();
    expect(answers).toEqual(["SUCCESS"]);
    expect(exporter.stats()).toMatchObject({ acked: 2, retries: 2 });
  });

  it("says that events are given up, and goes on with the next ones", async () => {
    const sink = await startService();
    sink.answer = () => "hang";
    const { exporter, answers, processor, emitDetails } = start(
      configFor(sink, { exportTimeout: 200 }),
    );
    emitDetails("Hello", "Good morning.");
    await processor.forceFlush();
    expect(answers).toEqual([expect.stringContaining("2 events were given up")]);
    sink.answer = () => undefined;
    createCall(processor, "00000000000000a2").emitDetails("Are you there?", "Yes.");
    await processor.forceFlush();
    expect(answers[1]).toBe("SUCCESS");
    expect(exporter.stats()).toMatchObject({ acked: 2, dropped: 2, pending: 0 });
  });
});

describe("EventBatchLogRecordProcessor", () => {
  it("sends on its own size and interval", async () => {
    const sink = await startService();
    const processor = new EventBatchLogRecordProcessor(configFor(sink, { flushInterval: 100 }));
    onTestFinished(() => processor.shutdown());
    createCall(processor).emitDetails("Hello", "Good morning.");
    await vi.waitFor(() => expect(processor.stats().acked).toBe(2), { timeout: 5000 });
    expect(sink.events).toHaveLength(2);
    expect(processor.stats()).toMatchObject({ acked: 2, pending: 0 });
  });

  it("keeps what it was given on disk, for the next process", async () => {
    const spoolDirectory = makeDirectory();
    const settings = { spoolDirectory, shutdownTimeout: 50, retryAttempts: 0 };
    const processor = new EventBatchLogRecordProcessor(configFor(NOWHERE, settings));
    createCall(processor).emitDetails("Hello", "Good morning.");
    await processor.shutdown();
    createCall(processor, "00000000000000a2").emitDetails("Too late", "Yes.");
    expect(processor.stats()).toMatchObject({ tracked: 2, pending: 2, dropped: 0 });

    const sink = await startService();
    const next = new EventBatchLogRecordProcessor(configFor(sink, { spoolDirectory }));
    await next.forceFlush();
    expect(sink.events.map(({ content }) => content)).toEqual(["Hello", "Good morning."]);
    await next.shutdown();
    expect(isBalanced(next.stats())).toBe(true);
  });

  it("survives records that can't be read", async () => {
    const processor = new EventBatchLogRecordProcessor(configFor(NOWHERE));
    const hostile = new Proxy(
      {},
      {
        get() {
          throw new Error("no");
        },
      },
    );
    expect(() => processor.onEmit(hostile as never)).not.toThrow();
    await processor.shutdown();
  });
});
