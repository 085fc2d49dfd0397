import type { Context } from "@opentelemetry/api";
import type { LogRecordProcessor } from "@opentelemetry/sdk-logs";
import type { ReadableSpan, Span, SpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { AgentMonitor } from "./monitor.ts";

/** What a GenAiBridgeSpanProcessor works with. */
export interface GenAiBridgeSpanProcessorOptions {
  /** Gets the events, with what its rules find. */
  readonly monitor: Pick<AgentMonitor, "spanProcessor">;
}

/**
 * Makes events of the GenAI spans of any instrumentation and hands them to a monitor; writes what the rules find on
 * the spans. The same as `monitor.spanProcessor`.
 *
 * @example
 * ```ts
 * new NodeSDK({
 *   spanProcessors: [new BatchSpanProcessor(exporter), new GenAiBridgeSpanProcessor({ monitor })],
 * });
 * ```
 */
export class GenAiBridgeSpanProcessor implements SpanProcessor {
  readonly #processor: SpanProcessor;

  constructor({ monitor }: GenAiBridgeSpanProcessorOptions) {
    this.#processor = monitor.spanProcessor;
  }

  /** Takes note of a span that starts. */
  onStart(span: Span, parentContext: Context): void {
    this.#processor.onStart(span, parentContext);
  }

  /** Judges the answer in a span, while it can still be written to. */
  onEnding(span: Span): void {
    this.#processor.onEnding?.(span);
  }

  /** Takes a span that has ended. */
  onEnd(span: ReadableSpan): void {
    this.#processor.onEnd(span);
  }

  /** Sends the events of all that is complete, within the monitor's `shutdownTimeout`. */
  forceFlush(): Promise<void> {
    return this.#processor.forceFlush();
  }

  /** Sends the events of all that was seen, within the monitor's `shutdownTimeout`; the monitor stays open. */
  shutdown(): Promise<void> {
    return this.#processor.shutdown();
  }
}

/** What a GenAiBridgeLogRecordProcessor works with. */
export interface GenAiBridgeLogRecordProcessorOptions {
  /** Gets the events, with what its rules find. */
  readonly monitor: Pick<AgentMonitor, "logRecordProcessor">;
}

/**
 * Takes the GenAI log records of any instrumentation, which hold the messages of some, beside a
 * `GenAiBridgeSpanProcessor` of the same monitor. The same as `monitor.logRecordProcessor`.
 */
export class GenAiBridgeLogRecordProcessor implements LogRecordProcessor {
  readonly #processor: LogRecordProcessor;

  constructor({ monitor }: GenAiBridgeLogRecordProcessorOptions) {
    this.#processor = monitor.logRecordProcessor;
  }

  /** Takes a record. */
  onEmit(...[record, context]: Parameters<LogRecordProcessor["onEmit"]>): void {
    this.#processor.onEmit(record, context);
  }

  /** Sends the events of all that is complete, within the monitor's `shutdownTimeout`. */
  forceFlush(): Promise<void> {
    return this.#processor.forceFlush();
  }

  /** Sends the events of all that was seen, within the monitor's `shutdownTimeout`; the monitor stays open. */
  shutdown(): Promise<void> {
    return this.#processor.shutdown();
  }
}
