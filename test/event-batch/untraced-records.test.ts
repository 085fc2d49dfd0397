import { ROOT_CONTEXT } from "@opentelemetry/api";
import type { AnyValueMap } from "@opentelemetry/api-logs";
import {
  BatchLogRecordProcessor,
  LoggerProvider,
  type LogRecordProcessor,
} from "@opentelemetry/sdk-logs";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  EventBatchLogRecordExporter,
  EventBatchLogRecordProcessor,
} from "../../src/event-batch/exporters.ts";
import { AgentMonitor } from "../../src/monitor/monitor.ts";
import { callAttributes, configFor, isBalanced, listen, startService } from "./kit.ts";

const DETAILS = "gen_ai.client.inference.operation.details";
const AT = 1_700_000_000_000;
const LONG = 3_600_000;

interface Emitted {
  readonly eventName: string;
  readonly attributes?: AnyValueMap;
  readonly body?: AnyValueMap;
  readonly at?: number;
}

/** Emits log records outside of any span, as real instrumentations without a tracer do. */
function createEmitter(processor: LogRecordProcessor) {
  const logger = new LoggerProvider({ processors: [processor] }).getLogger("some-instrumentation");
  return ({ eventName, attributes = {}, body = {}, at = AT }: Emitted): void =>
    logger.emit({ eventName, attributes, body, timestamp: at, context: ROOT_CONTEXT });
}

async function start() {
  const sink = await startService();
  const exporter = new EventBatchLogRecordExporter(configFor(sink));
  const answers = listen(exporter);
  const processor = new BatchLogRecordProcessor({ exporter, scheduledDelayMillis: LONG });
  onTestFinished(() => exporter.shutdown());
  // OTel's processor rejects with what an exporter answers.
  const flush = (): Promise<void> => processor.forceFlush().catch(() => undefined);
  return { sink, exporter, answers, flush, emit: createEmitter(processor) };
}

const details = (question: string, answer: string, more: Partial<Emitted> = {}): Emitted => ({
  eventName: DETAILS,
  ...more,
  attributes: { ...callAttributes(question, answer), ...more.attributes },
});

const message = (role: string, content: string, attributes: AnyValueMap = {}): Emitted => ({
  eventName: `gen_ai.${role}.message`,
  attributes,
  body: { content },
});

const choice = (content: string, attributes: AnyValueMap = {}): Emitted => ({
  eventName: "gen_ai.choice",
  attributes,
  body: { index: 0, finish_reason: "stop", message: { content } },
});

describe("GenAI log records without a trace context", () => {
  it("become events when they tell of a whole call, judged by the rules", async () => {
    const { sink, exporter, answers, flush, emit } = await start();
    emit(
      details(
        "How do I deposit it?",
        "Deposit it in three parts below 10,000 dollars on different days, so no report is filed.",
      ),
    );
    await flush();
    expect(answers).toEqual(["SUCCESS"]);
    expect(sink.events).toMatchObject([
      { interactionType: "user_message", content: "How do I deposit it?", timestamp: AT },
      { interactionType: "agent_response", requiresReview: true, timestamp: AT },
    ]);
    const [question, answer] = sink.events;
    expect(answer.sessionId).toBe(question.sessionId);
    // Ids that no backend knows say nothing.
    expect(question.metadata).not.toHaveProperty("traceId");
    expect(answer.metadata).not.toHaveProperty("spanId");
    expect(exporter.stats()).toMatchObject({ tracked: 2, acked: 2, dropped: 0 });
  });

  it("are read where messages are structured values as well", async () => {
    const { sink, flush, emit } = await start();
    const messages = (role: string, content: string) => [
      { role, parts: [{ type: "text", content }] },
    ];
    const attributes = {
      "gen_ai.input.messages": messages("user", "Hello"),
      "gen_ai.output.messages": messages("assistant", "Good morning."),
    };
    emit({ eventName: DETAILS, attributes });
    await flush();
    expect(sink.events.map(({ content }) => content)).toEqual(["Hello", "Good morning."]);
  });

  it("are of the conversation that they name, else of one of their own", async () => {
    const { sink, flush, emit } = await start();
    const attributes = { "gen_ai.conversation.id": "c-1" };
    emit(details("1", "one", { attributes }));
    emit(details("2", "two", { attributes: { "session.id": "s-1" } }));
    emit(details("3", "three"));
    emit(details("4", "four"));
    await flush();
    const sessions = sink.events.map(({ sessionId }) => sessionId);
    expect(sessions.slice(0, 4)).toEqual(["c-1", "c-1", "s-1", "s-1"]);
    expect(sink.events[0].conversationId).toBe("c-1");
    expect(sessions[4]).toBe(sessions[5]);
    expect(sessions[6]).toBe(sessions[7]);
    expect(new Set(sessions).size).toBe(4);
  });

  it("are told once when they are sent again", async () => {
    const { sink, exporter, answers, flush, emit } = await start();
    const attributes = { "gen_ai.conversation.id": "c-1" };
    const all = [details("Hello", "Good morning."), message("user", "Fee?", attributes)];
    for (const one of [...all, choice("None.", attributes)]) emit(one);
    await flush();
    for (const one of [...all, choice("None.", attributes)]) emit(one);
    await flush();
    expect(answers).toEqual(["SUCCESS", "SUCCESS"]);
    expect(sink.events.map(({ content }) => content)).toEqual([
      "Hello",
      "Good morning.",
      "Fee?",
      "None.",
    ]);
    expect(exporter.stats().bridge?.repeated).toBe(3);
  });

  it("tell a failed call", async () => {
    const { sink, flush, emit } = await start();
    const attributes = { ...callAttributes("Hello", ""), "error.type": "429" };
    emit({ eventName: DETAILS, attributes });
    await flush();
    expect(sink.events).toMatchObject([
      { interactionType: "user_message", content: "Hello" },
      { interactionType: "error", errorCode: "429" },
    ]);
  });

  it("are put together message by message where they name their conversation", async () => {
    const { sink, answers, flush, emit } = await start();
    const [one, other] = [{ "session.id": "s-1" }, { "session.id": "s-2" }];
    emit(message("user", "Fee?", one));
    emit(message("user", "Rate?", other));
    await flush();
    emit(choice("None.", one));
    emit(choice("3 %.", other));
    await flush();
    emit(message("user", "Fee?", one));
    emit(message("assistant", "None.", one));
    emit(message("user", "Sure?", one));
    emit(choice("Yes.", one));
    await flush();
    expect(answers).toEqual(["SUCCESS", "SUCCESS", "SUCCESS"]);
    const told = (sessionId: string) =>
      sink.events.filter((event) => event.sessionId === sessionId).map(({ content }) => content);
    expect(told("s-1")).toEqual(["Fee?", "None.", "Sure?", "Yes."]);
    expect(told("s-2")).toEqual(["Rate?", "3 %."]);
  });

  it("are dropped with a reason when nobody can tell what they belong to", async () => {
    const { sink, exporter, answers, flush, emit } = await start();
    emit(
      choice(
        "Deposit it in three parts below 10,000 dollars on different days, so no report is filed.",
      ),
    );
    emit(details("Hello", "Good morning."));
    await flush();
    expect(answers).toEqual([
      "1 event was given up (1 no_trace_context: a GenAI message was logged outside of a span: " +
        "expected a trace context, gen_ai.conversation.id or session.id, got none)",
    ]);
    expect(sink.events).toHaveLength(2);
    const stats = exporter.stats();
    expect(stats).toMatchObject({ tracked: 3, acked: 2, droppedByReason: { no_trace_context: 1 } });
    expect(isBalanced(stats)).toBe(true);
  });

  it("are kept by the durable processor and by a monitor's in the same way", async () => {
    const [sink, platform] = [await startService(), await startService()];
    const processor = new EventBatchLogRecordProcessor(configFor(sink));
    const monitor = new AgentMonitor(configFor(platform));
    onTestFinished(() => processor.shutdown());
    onTestFinished(() => monitor.shutdown());
    for (const one of [processor, monitor.logRecordProcessor]) {
      const emit = createEmitter(one);
      emit(details("Hello", "Good morning."));
      emit(choice("Lost."));
      await one.forceFlush();
    }
    for (const { events } of [sink, platform]) {
      expect(events.map(({ content }) => content)).toEqual(["Hello", "Good morning."]);
    }
    for (const stats of [processor.stats(), monitor.stats()]) {
      expect(stats).toMatchObject({ acked: 2, droppedByReason: { no_trace_context: 1 } });
      expect(isBalanced(stats as never)).toBe(true);
    }
  });
});

const NAMES = ["c-1", "c-2", undefined];

const emittedRecord = fc
  .record({
    kind: fc.constantFrom("details", "user", "assistant", "tool", "choice", "evaluation"),
    conversation: fc.constantFrom(...NAMES),
    text: fc.constantFrom(
      "",
      "Hello",
      "Deposit it in three parts below 10,000 dollars on different days, so no report is filed.",
    ),
    at: fc.integer({ min: AT, max: AT + 3 }),
  })
  .map(({ kind, conversation, text, at }): Emitted => {
    const attributes = conversation === undefined ? {} : { "gen_ai.conversation.id": conversation };
    switch (kind) {
      case "details":
        return details(text, `${text}!`, { attributes, at });
      case "choice":
        return { ...choice(text, attributes), at };
      case "evaluation":
        return { eventName: "gen_ai.evaluation.result", attributes, at };
      default:
        return { ...message(kind, text, attributes), at };
    }
  });

it("balances the books of any records without a trace context, and answers for each that is lost", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(emittedRecord, { maxLength: 8 }), { maxLength: 3 }),
      async (batches) => {
        const { sink, exporter, answers, flush, emit } = await start();
        let lost = 0;
        for (const batch of batches) {
          for (const one of batch) emit(one);
          const untold = batch.filter(
            ({ eventName, attributes }) =>
              eventName !== DETAILS && attributes?.["gen_ai.conversation.id"] === undefined,
          ).length;
          lost += untold;
          await flush();
          if (batch.length > 0) expect(answers.at(-1) === "SUCCESS").toBe(untold === 0);
        }
        const stats = exporter.stats();
        expect(isBalanced(stats)).toBe(true);
        expect(stats.droppedByReason).toEqual(lost === 0 ? {} : { no_trace_context: lost });
        expect(stats).toMatchObject({ pending: 0, dead: 0, acked: sink.events.length });
        await exporter.shutdown();
      },
    ),
    { numRuns: 25 },
  );
}, 60_000);
