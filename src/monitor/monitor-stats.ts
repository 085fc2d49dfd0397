import type { ComplianceStats } from "../assessment/compliance-counter.ts";
import type { BridgeStats } from "../bridge/bridge-counts.ts";
import type { DeliveryStats } from "../delivery/delivery-stats.ts";
import type { CallStats } from "../instrumentation/host.ts";
import type { JudgeStats } from "../judge/judge-stats.ts";
import type { OtlpDestinationStats } from "../otlp/otlp-fan-out.ts";

/** The ledger and the state of delivery; see `DeliveryStats`. */
export interface MonitorStats extends DeliveryStats {
  /** Conversations that are running. */
  readonly conversations: number;
  /** What the rules made of the tracked answers; absent while none is checked. */
  readonly compliance?: ComplianceStats;
  /** What became of answers that the judge was to look at; absent without one. */
  readonly judge?: JudgeStats;
  /** What became of the spans of other instrumentations; absent until a processor is asked for. */
  readonly bridge?: BridgeStats;
  /** What became of model calls that the monitor observes; absent until they are asked for. */
  readonly calls?: CallStats;
  /** What became of spans and log records, one entry for each destination of `otlp`. */
  readonly otlp?: readonly OtlpDestinationStats[];
  /** Settings that do nothing, and why: misspelt, or without another one that they need; absent when there is none. */
  readonly ignoredSettings?: readonly string[];
}

/** The part of them that the way of events knows. */
export type PipelineStats = Omit<MonitorStats, "bridge" | "calls" | "ignoredSettings">;
