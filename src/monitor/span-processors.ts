import type { Context } from "@opentelemetry/api";
import type { LogRecordProcessor } from "@opentelemetry/sdk-logs";
import type { ReadableSpan, Span, SpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { ComplianceSpanProcessorOptions, SpanJudge } from "../assessment/span-judge.ts";
import { createSpanJudge } from "./deferred-observers.ts";
import type { AgentMonitor } from "./monitor.ts";

/**
 * Checks the answers in GenAI spans of any instrumentation, and writes what the rules find on the span before any
 * exporter sees it, and as log records in its context.
 *
 * Each answer is checked once, in the innermost span that has it; agents above get the sum. A span without content is
 * marked as not evaluated: its messages may come as log records, which `logRecordProcessor` checks. Findings that
 * must stay confidential are left out. Only spans that record are seen: unsampled ones need a sampler that records
 * everything.
 *
 * @example
 * ```ts
 * const compliance = new ComplianceSpanProcessor();
 * new NodeSDK({
 *   spanProcessors: [compliance, new BatchSpanProcessor(exporter)],
 *   logRecordProcessors: [compliance.logRecordProcessor, new BatchLogRecordProcessor({ exporter: logExporter })],
 * });
 * ```
 */
export class ComplianceSpanProcessor implements SpanProcessor {
  /** Checks answers whose messages come as log records; its findings go on the open span, too. */
  readonly logRecordProcessor: LogRecordProcessor;
  readonly #judge: SpanJudge;

  constructor(options: ComplianceSpanProcessorOptions = {}) {
    this.#judge = createSpanJudge(options);
    this.logRecordProcessor = this.#judge.logRecordProcessor;
  }

  /** Takes note of a span that starts. */
  onStart(span: Span): void {
    this.#judge.onStart(span);
  }

  /** Checks the answer in a span that ends, while it can still be written to. */
  onEnding(span: Span): void {
    this.#judge.onEnding(span);
  }

  /** Checks where the SDK has no `onEnding`; the findings then are log records only. */
  onEnd(span: ReadableSpan): void {
    this.#judge.onEnd(span);
  }

  /**
   * Resolves when what a span's answer is found to be goes on the span itself: the wording of the rules is read in slices
   * from the constructor on, which takes a new process some milliseconds.
   *
   * An answer whose span ends earlier has its findings in records alone, in the context of the span. Never rejects; after
   * `shutdown()` it resolves at once.
   */
  ready(): Promise<void> {
    return this.#judge.ready();
  }

  /** Waits for what ended before the rules were ready, and for what asynchronous rules find. */
  forceFlush(): Promise<void> {
    return this.#judge.forceFlush();
  }

  /** Checks nothing more, behind what ended before the rules were ready, and waits for what asynchronous rules find. */
  shutdown(): Promise<void> {
    return this.#judge.shutdown();
  }
}

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
