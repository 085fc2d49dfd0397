import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  SimpleLogRecordProcessor,
} from "@opentelemetry/sdk-logs";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-base";

/** Real providers of OpenTelemetry's SDK that keep what they get. */
export function createProviders() {
  const spanExporter = new InMemorySpanExporter();
  const recordExporter = new InMemoryLogRecordExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(spanExporter)],
  });
  const loggerProvider = new LoggerProvider({
    processors: [new SimpleLogRecordProcessor({ exporter: recordExporter })],
  });
  return {
    tracerProvider,
    loggerProvider,
    spans: (): ReadableSpan[] => spanExporter.getFinishedSpans(),
    records: () => recordExporter.getFinishedLogRecords(),
    /** Gives the one finished span of a name. */
    span: (name: string): ReadableSpan => {
      const found = spanExporter.getFinishedSpans().filter((span) => span.name === name);
      if (found.length !== 1 || !found[0])
        throw new Error(`${found.length} spans are named ${name}`);
      return found[0];
    },
  };
}
