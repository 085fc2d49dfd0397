/*
 * What observes others at first use: their spans and log records, and model calls. Functions only: the built package loads this
 * file, and all that it alone imports, when one of them is first called; docs/decisions/0025-deferred-parts.md.
 */
import { EventBridge, type EventBridgeOptions } from "../bridge/event-bridge.ts";
import { type ComplianceSpanProcessorOptions, SpanJudge } from "../assessment/span-judge.ts";
import { ForeignTelemetry, type MonitorTelemetryOptions } from "./foreign-telemetry.ts";
import { ModelCalls, type ModelCallsOptions, turnOnInstrumentations } from "./model-calls.ts";

/** Creates what takes spans and log records for a monitor. */
export function createForeignTelemetry(options: MonitorTelemetryOptions): ForeignTelemetry {
  return new ForeignTelemetry(options);
}

/** Creates what makes events of spans and log records. */
export function createEventBridge(options: EventBridgeOptions): EventBridge {
  return new EventBridge(options);
}

/** Creates what observes model calls for a monitor. */
export function createModelCalls(options: ModelCallsOptions): ModelCalls {
  return new ModelCalls(options);
}

/** Creates what checks the answers in spans. */
export function createSpanJudge(options: ComplianceSpanProcessorOptions): SpanJudge {
  return new SpanJudge(options);
}

/** Turns on what the configuration names, and gives what turns it off again. */
export function turnOn(...given: Parameters<typeof turnOnInstrumentations>): () => void {
  return turnOnInstrumentations(...given);
}
