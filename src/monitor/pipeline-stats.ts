import type { ComplianceStats } from "../assessment/compliance-counter.ts";
import type { DeliveryStats } from "../delivery/delivery-stats.ts";
import type { JudgeStats } from "../judge/judge-stats.ts";
import type { OtlpDestinationStats } from "../otlp/otlp-fan-out.ts";

/** The ledger of delivery, and what became of answers and of telemetry. */
export interface PipelineStats extends DeliveryStats {
  readonly conversations: number;
  readonly compliance?: ComplianceStats;
  readonly judge?: JudgeStats;
  readonly otlp?: OtlpDestinationStats[];
}
