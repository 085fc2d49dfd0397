import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import { EventBridge } from "./bridge/event-bridge.ts";
import type { AgentMonitoringConfig } from "./config.ts";
import type { MonitorStats } from "./monitor.ts";
import { parseConfig } from "./parse-config.ts";
import { Pipeline } from "./pipeline.ts";
import { createLog, warnAtStart } from "./start-up.ts";
import { systemClock } from "./util/clock.ts";
import { onNaturalExit } from "./util/exit-hook.ts";
import { toErrorName, type BurstLogger } from "./util/logger.ts";

/**
 * Makes events of exported GenAI spans and delivers them to the platform, for pipelines that have nothing but traces
 * and no monitor.
 *
 * An exporter sees neither log records nor spans that are not sampled or never end: `monitor.spanProcessor` does.
 *
 * @example
 * ```ts
 * new BatchSpanProcessor(new EventBatchSpanExporter({ apiKey, organizationId, endpoint }));
 * ```
 */
export class EventBatchSpanExporter implements SpanExporter {
  readonly #pipeline: Pipeline;
  readonly #bridge: EventBridge;
  readonly #log: BurstLogger;
  readonly #shutdownTimeout: number;
  readonly #removeExitHook: () => void;
  #shutdown: Promise<void> | undefined;

  /**
   * Creates an exporter.
   *
   * @param config - That of a monitor; fields that are absent are read from `AGENT_MONITOR_*` variables.
   * @throws ValidationError that lists every problem of the configuration.
   */
  constructor(config: Partial<AgentMonitoringConfig> = {}) {
    const parsed = parseConfig(config);
    this.#log = createLog(parsed);
    this.#shutdownTimeout = parsed.config.shutdownTimeout;
    const pipeline = new Pipeline({
      // The spans go to their other destinations by themselves.
      config: { ...parsed.config, otlp: undefined },
      clock: systemClock,
      log: this.#log,
      random: Math.random,
      environment: process.env,
    });
    this.#pipeline = pipeline;
    this.#bridge = new EventBridge({
      clock: systemClock,
      log: this.#log,
      onEvent: (event) => pipeline.trackBridged(event),
    });
    this.#removeExitHook = onNaturalExit(() => {
      if (this.#bridge.stats().waiting === 0) return;
      this.#bridge.drain();
      void this.#pipeline.flush(this.#shutdownTimeout);
    });
    warnAtStart(parsed, this.#log);
  }

  /** Takes spans; what becomes of their events is in `stats()`, for delivery goes on by itself. */
  export(spans: readonly ReadableSpan[], onResult: (result: ExportResult) => void): void {
    if (this.#shutdown) {
      onResult({ code: ExportResultCode.FAILED, error: new Error("the exporter is shut down") });
      return;
    }
    for (const span of spans) this.#bridge.onEnd(span);
    onResult({ code: ExportResultCode.SUCCESS });
  }

  /** Sends the events of all that is complete, within `shutdownTimeout`. */
  async forceFlush(): Promise<void> {
    this.#bridge.flush();
    await this.#pipeline.flush(this.#shutdownTimeout);
  }

  /** Sends what is left within `shutdownTimeout` and releases everything; resolves in every case. */
  shutdown(): Promise<void> {
    this.#removeExitHook();
    this.#bridge.shutdown();
    this.#shutdown ??= this.#pipeline
      .shutdown(this.#shutdownTimeout)
      .catch((error: unknown) =>
        this.#log.log("error", "shutdown", `shutdown failed (${toErrorName(error)})`),
      )
      .finally(() => this.#log.flush());
    return this.#shutdown;
  }

  /** Tells what became of the spans and of every event. */
  stats(): MonitorStats {
    return { ...this.#pipeline.stats(), bridge: this.#bridge.stats() };
  }
}
