import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import {
  batchRecords,
  batchSpans,
  InMemoryLogRecordExporter,
  InMemorySpanExporter,
  logsApi,
} from "./otel.ts";
import { ANSWER, QUESTION } from "./texts.ts";

/** Writes what a program has found, for the runner to judge. */
export function report(found: object): void {
  process.stdout.write(`${JSON.stringify(found)}\n`);
}

/** Traces a request with one call of a model in it, and logs one line, as an instrumented service does. */
export function serveRequest(): void {
  const tracer = trace.getTracer("opentelemetry.instrumentation.openai");
  trace.getTracer("service").startActiveSpan("POST /chat", (request) => {
    const options = { kind: SpanKind.CLIENT, attributes: CALL_ATTRIBUTES };
    tracer.startSpan("chat gpt-4o-mini", options).setStatus({ code: SpanStatusCode.OK }).end();
    logsApi.getLogger("service").emit({ eventName: "service.done", body: "done" });
    request.end();
  });
}

const toMessage = (role: string, content: string): string =>
  JSON.stringify([{ role, parts: [{ type: "text", content }] }]);

const CALL_ATTRIBUTES = {
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": "openai",
  "gen_ai.request.model": "gpt-4o-mini",
  "gen_ai.response.id": "chatcmpl-1",
  "gen_ai.conversation.id": "conversation-1",
  "gen_ai.input.messages": toMessage("user", QUESTION),
  "gen_ai.output.messages": toMessage("assistant", ANSWER),
  "gen_ai.usage.input_tokens": 12,
  "gen_ai.usage.output_tokens": 9,
};

/** A service's own pipeline: batch processors, and exporters that keep what they get. */
export interface Pipeline {
  readonly spanProcessor: ReturnType<typeof batchSpans>;
  readonly logRecordProcessor: ReturnType<typeof batchRecords>;
  /** Flushes the processors and says what came to the exporters. */
  collect(): Promise<object>;
}

/** Gives an exporter as it is, or wrapped. */
export type Wrap = <E extends object>(exporter: E) => E;

/** Creates a pipeline whose exporters, which `collect` looks at, may be wrapped. */
export function createPipeline(wrap: Wrap = (exporter) => exporter): Pipeline {
  const spans = new InMemorySpanExporter();
  const records = new InMemoryLogRecordExporter();
  const spanProcessor = batchSpans(wrap(spans));
  const logRecordProcessor = batchRecords(wrap(records));
  return {
    spanProcessor,
    logRecordProcessor,
    async collect() {
      await spanProcessor.forceFlush();
      await logRecordProcessor.forceFlush();
      return {
        spans: spans.getFinishedSpans().map(({ name, attributes, parentSpanContext, events }) => ({
          name,
          attributes,
          isRoot: parentSpanContext === undefined,
          events: events.map((event) => ({ name: event.name, attributes: event.attributes })),
        })),
        records: records.getFinishedLogRecords().map((record) => ({
          eventName: record.eventName,
          attributes: record.attributes,
          isInTrace: record.spanContext !== undefined,
        })),
      };
    },
  };
}

/** Runs a program; CommonJS has no `await` outside of functions. */
export function run(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    process.exitCode = 1;
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  });
}
