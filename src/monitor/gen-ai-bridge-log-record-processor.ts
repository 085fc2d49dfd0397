import type { LogRecordProcessor } from "@opentelemetry/sdk-logs";
import type { AgentMonitor } from "./monitor.ts";

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
