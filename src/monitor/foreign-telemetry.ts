import type { Attributes, Context } from "@opentelemetry/api";
import type { LogRecordProcessor } from "@opentelemetry/sdk-logs";
import type { ReadableSpan, Span, SpanProcessor } from "@opentelemetry/sdk-trace-base";
import { ForeignAnswer } from "../assessment/foreign-answers.ts";
import { SpanJudge } from "../assessment/span-judge.ts";
import type { BridgeLoss } from "../bridge/bridge-counts.ts";
import type { BridgeSpan } from "../bridge/bridge-span.ts";
import type { BridgedEvent } from "../bridge/bridged-event.ts";
import { EventBridge } from "../bridge/event-bridge.ts";
import type { AssessedExchange } from "../bridge/span-record.ts";
import type { ResolvedConfig } from "../config/config.ts";
import type { Logger } from "../events/utility.ts";
import { createConfiguredRedactor } from "../redaction/redactor.ts";
import { isUnobserved } from "../scope/scopes.ts";
import { systemClock } from "../util/clock.ts";
import { onNaturalExit } from "../util/exit-hook.ts";
import { toErrorName, type BurstLogger, type LogLevel } from "../util/logger.ts";
import type { Pipeline } from "./pipeline.ts";

/** Model calls whose spans the monitor makes itself. Their spans come before the bridge is asked for what it has. */
export interface ObservedCalls {
  /** Hands over the spans of calls that are over. */
  settle(): void;
  /** Hands over every span: those of calls that are still open as far as they are known. */
  drain(): void;
}

/** What a ForeignTelemetry works with. */
export interface MonitorTelemetryOptions {
  readonly config: ResolvedConfig;
  readonly pipeline: Pipeline;
  readonly log: BurstLogger;
  /** Returns what observes model calls itself, if something does. */
  readonly calls: () => ObservedCalls | undefined;
}

/** Lets a part that has bursts of its own write to the monitor's log. */
function toLogger(log: BurstLogger): Logger {
  const write =
    (level: LogLevel) =>
    (message: string, data?: unknown): void =>
      log.log(level, "compliance_spans", message, data);
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** Creates what judges the answers on spans; absent when checks are off. */
function createSpanJudge(options: MonitorTelemetryOptions): SpanJudge | undefined {
  const { pipeline, log } = options;
  const { redact, loggerProvider, content } = options.config;
  const engine = pipeline.complianceEngine;
  if (!engine) return undefined;
  const redactor = redact ? createConfiguredRedactor(redact, log) : undefined;
  return new SpanJudge({
    engine,
    loggerProvider,
    content,
    redact: redactor && ((text) => redactor.text(text)),
    logger: toLogger(log),
  });
}

/** A span that nobody observes. */
const PASSED_OVER = Symbol("passed over");

/**
 * Takes spans and log records of other instrumentations: makes events of them and has their answers judged.
 *
 * Shutting a processor down sends what is there and leaves the monitor open: the application may still track.
 */
export class ForeignTelemetry {
  readonly bridge: EventBridge;
  readonly spanProcessor: SpanProcessor;
  readonly logRecordProcessor: LogRecordProcessor;
  /** Judges answers; absent when checks are off. */
  readonly compliance: SpanJudge | undefined;
  readonly #options: MonitorTelemetryOptions;
  /**
   * What is known of a span from one call of the SDK to the next: it hands over the same object at each, and nothing else. At
   * `onEnding` the answer is assessed, while findings can still be written for every exporter; at `onEnd`, when processors behind
   * this one have had their say, the span is read for its events, and what was assessed goes with it. Log records come before
   * their span ends, or after it; a span that is not sampled does not come at all.
   */
  readonly #known = new WeakMap<object, ForeignAnswer | typeof PASSED_OVER>();
  readonly #removeExitHook: () => void;

  constructor(options: MonitorTelemetryOptions) {
    const { pipeline, log } = options;
    this.#options = options;
    pipeline.interactions.doubles.begin();
    const compliance = createSpanJudge(options);
    const bridge = new EventBridge({
      clock: systemClock,
      log,
      onEvent: (event, assessed) => this.#track(event, assessed),
      onLost: (loss) => pipeline.refuse(loss),
    });
    this.bridge = bridge;
    this.compliance = compliance;
    this.#removeExitHook = onNaturalExit(() => {
      if (bridge.stats().waiting === 0) return;
      this.#drain();
      void this.#flush();
    });
    const forceFlush = (): Promise<void> => {
      options.calls()?.settle();
      bridge.flush();
      return this.#settle();
    };
    const shutdown = (): Promise<void> => {
      this.#drain();
      compliance?.settle();
      return this.#settle();
    };
    this.spanProcessor = {
      onStart: (span: Span, context: Context) => {
        // Where no context manager hands on that nothing is to be traced.
        if (isUnobserved()) {
          this.#known.set(span, PASSED_OVER);
          return;
        }
        compliance?.onStart(span);
        bridge.onStart(span, context);
      },
      // Written here, findings reach every exporter; SDKs that don't know it leave it out.
      onEnding: (span: Span) => {
        if (this.#known.get(span) !== PASSED_OVER) this.#note(span, compliance?.onEnding(span));
      },
      onEnd: (span: ReadableSpan) => {
        if (this.#known.get(span) === PASSED_OVER) return;
        this.#note(span, compliance?.onEnd(span));
        this.takeSpan(span);
      },
      forceFlush,
      shutdown,
    };
    this.logRecordProcessor = {
      onEmit: (record) => {
        if (!isUnobserved()) this.#lose(bridge.onLogRecord(record, compliance?.onEmit(record)));
      },
      forceFlush,
      shutdown,
    };
  }

  /** Takes a span that has ended, and counts one of which no event comes. */
  takeSpan(span: BridgeSpan): void {
    const known = this.#known.get(span);
    this.#lose(this.bridge.onEnd(span, known === PASSED_OVER ? undefined : known));
  }

  /** Assesses the answer of a call that was observed. @returns What its public span is to say of it. */
  assess(span: BridgeSpan): Attributes | undefined {
    const answer = this.compliance?.assess(span);
    this.#note(span, answer);
    return this.compliance?.toAttributes(answer);
  }

  #drain(): void {
    this.#options.calls()?.drain();
    this.bridge.drain();
  }

  #flush(): Promise<void> {
    const { pipeline, config } = this.#options;
    return pipeline.flush(config.shutdownTimeout);
  }

  async #settle(): Promise<void> {
    await Promise.all([this.#flush(), this.compliance?.forceFlush()]);
  }

  #note(span: object, answer: ForeignAnswer | undefined): void {
    if (answer) this.#known.set(span, answer);
  }

  #lose(loss: BridgeLoss | undefined): void {
    if (loss) this.#options.pipeline.refuse(loss);
  }

  #track(event: BridgedEvent, assessed: AssessedExchange | undefined): void {
    const { pipeline, log } = this.#options;
    try {
      // Its evaluation is read when it is needed: the rules may get ready in between.
      const verdict = assessed instanceof ForeignAnswer ? assessed.verdict : undefined;
      pipeline.interactions.trackBridged(event, verdict);
    } catch (error) {
      pipeline.refuse("internal_error");
      log.log("error", "bridge:event", `an event is lost (${toErrorName(error)})`);
    }
  }

  /** Makes events of what has been seen, and takes nothing more. */
  close(): void {
    this.#removeExitHook();
    this.bridge.shutdown();
    void this.compliance?.close();
  }
}
