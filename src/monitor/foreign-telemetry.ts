import type { Context } from "@opentelemetry/api";
import type { LogRecordProcessor } from "@opentelemetry/sdk-logs";
import type { ReadableSpan, Span, SpanProcessor } from "@opentelemetry/sdk-trace-base";
import { shareVerdicts } from "../assessment/exchange-verdicts.ts";
import { SpanJudge } from "../assessment/span-judge.ts";
import type { BridgeLoss } from "../bridge/bridge-counts.ts";
import type { BridgeSpan } from "../bridge/bridge-span.ts";
import type { BridgedEvent } from "../bridge/bridged-event.ts";
import { EventBridge, type EventBridgeOptions } from "../bridge/event-bridge.ts";
import type { ComplianceEngine } from "../compliance/engine.ts";
import type { ComplianceEvaluation } from "../compliance/evaluation.ts";
import type { ResolvedConfig } from "../config/config.ts";
import type { Logger } from "../events/utility.ts";
import { createConfiguredRedactor } from "../redaction/redactor.ts";
import { isUnobserved } from "../scope/unobserved.ts";
import { systemClock } from "../util/clock.ts";
import { onNaturalExit } from "../util/exit-hook.ts";
import { toErrorName, type BurstLogger, type LogLevel } from "../util/logger.ts";
import type { Pipeline } from "./pipeline.ts";

/** What a ForeignTelemetry works with. */
export interface ForeignTelemetryOptions extends EventBridgeOptions {
  /** Judges the answers on the spans; absent when checks are off. */
  readonly compliance: SpanJudge | undefined;
  /** Sends the events that were made. */
  readonly flush: () => Promise<void>;
}

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
  /** Is called before what is complete is told: what observes calls itself may have some to tell. */
  beforeFlush: (() => void) | undefined;
  /** Is called before open spans are given up: what observes calls itself knows more of them. */
  beforeDrain: (() => void) | undefined;
  readonly #onLost: EventBridgeOptions["onLost"];
  /** Spans of what is not to be told. */
  readonly #passedOver = new WeakSet<object>();
  readonly #removeExitHook: () => void;

  constructor(options: ForeignTelemetryOptions) {
    this.#onLost = options.onLost;
    const { compliance } = options;
    const bridge = new EventBridge(options);
    this.bridge = bridge;
    this.compliance = compliance;
    const drain = (): void => {
      this.beforeDrain?.();
      bridge.drain();
    };
    this.#removeExitHook = onNaturalExit(() => {
      if (bridge.stats().waiting === 0) return;
      drain();
      void options.flush();
    });
    const settle = async (): Promise<void> => {
      await Promise.all([options.flush(), compliance?.forceFlush()]);
    };
    const forceFlush = (): Promise<void> => {
      this.beforeFlush?.();
      bridge.flush();
      return settle();
    };
    const shutdown = (): Promise<void> => {
      drain();
      compliance?.settle();
      return settle();
    };
    this.spanProcessor = {
      onStart: (span: Span, context: Context) => {
        // Where no context manager hands on that nothing is to be traced.
        if (isUnobserved()) {
          this.#passedOver.add(span);
          return;
        }
        compliance?.onStart(span);
        bridge.onStart(span, context);
      },
      // Written here, findings reach every exporter; SDKs that don't know it leave it out.
      onEnding: (span: Span) => {
        if (!this.#passedOver.has(span)) compliance?.onEnding(span);
      },
      onEnd: (span: ReadableSpan) => {
        if (this.#passedOver.has(span)) return;
        compliance?.onEnd(span);
        this.takeSpan(span);
      },
      forceFlush,
      shutdown,
    };
    this.logRecordProcessor = {
      onEmit: (record, context) => {
        if (isUnobserved()) return;
        compliance?.logRecordProcessor.onEmit(record, context);
        this.#lose(bridge.onLogRecord(record));
      },
      forceFlush,
      shutdown,
    };
  }

  /** Takes a span that has ended, and counts one of which no event comes. */
  takeSpan(span: BridgeSpan): void {
    this.#lose(this.bridge.onEnd(span));
  }

  #lose(loss: BridgeLoss | undefined): void {
    if (loss) this.#onLost?.(loss);
  }

  /** Makes events of what has been seen, and takes nothing more. */
  close(): void {
    this.#removeExitHook();
    this.bridge.shutdown();
    void this.compliance?.close();
  }
}

/** Lets a part that has bursts of its own write to the monitor's log. */
function toLogger(log: BurstLogger): Logger {
  const write =
    (level: LogLevel) =>
    (message: string, data?: unknown): void =>
      log.log(level, "compliance_spans", message, data);
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** Gives what the rules said of an answer when its span ended. */
function findVerdict(
  engine: ComplianceEngine | undefined,
  { interaction, traceId, userMessage }: BridgedEvent,
): ComplianceEvaluation | undefined {
  if (!engine || interaction.kind !== "agent_response") return undefined;
  const exchange = { agentResponse: interaction.content, userMessage };
  return shareVerdicts(engine).find(traceId, exchange);
}

/** What a monitor's processors work with. */
export interface MonitorTelemetryOptions {
  readonly config: ResolvedConfig;
  readonly pipeline: Pipeline;
  readonly log: BurstLogger;
}

/** Creates what takes spans and log records for a monitor. */
export function createForeignTelemetry(options: MonitorTelemetryOptions): ForeignTelemetry {
  const { config, pipeline, log } = options;
  const engine = pipeline.complianceEngine;
  if (engine) shareVerdicts(engine);
  pipeline.doubles.begin();
  const redactor = config.redact ? createConfiguredRedactor(config.redact, log) : undefined;
  return new ForeignTelemetry({
    clock: systemClock,
    log,
    compliance:
      engine &&
      new SpanJudge({
        engine,
        loggerProvider: config.loggerProvider,
        content: config.content,
        redact: redactor && ((text) => redactor.text(text)),
        logger: toLogger(log),
      }),
    onEvent(event) {
      try {
        if (pipeline.doubles.isTracked(event)) return;
        pipeline.trackBridged(event, () => findVerdict(engine, event));
      } catch (error) {
        pipeline.refuse("internal_error");
        log.log("error", "bridge:event", `an event is lost (${toErrorName(error)})`);
      }
    },
    onLost: (loss) => pipeline.refuse(loss),
    flush: () => pipeline.flush(config.shutdownTimeout),
  });
}
