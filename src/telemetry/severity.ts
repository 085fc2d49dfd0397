import { SeverityNumber } from "@opentelemetry/api-logs";
import type { ErrorSeverity } from "../events/base-event.ts";
import type { ComplianceSeverity } from "../events/compliance.ts";
import type { DetailedEvent } from "../events/detailed-event.ts";

const ERROR_SEVERITY_NUMBERS: Readonly<Record<ErrorSeverity | ComplianceSeverity, SeverityNumber>> =
  {
    low: SeverityNumber.WARN,
    medium: SeverityNumber.ERROR,
    high: SeverityNumber.ERROR3,
    critical: SeverityNumber.FATAL,
    info: SeverityNumber.INFO,
    warning: SeverityNumber.WARN,
    violation: SeverityNumber.ERROR,
  };

/** Returns the log record severity of a finding. */
export function toFindingSeverityNumber(severity: ComplianceSeverity): SeverityNumber {
  return ERROR_SEVERITY_NUMBERS[severity];
}

/** Returns the log record severity of an event. */
export function toSeverityNumber(event: DetailedEvent): SeverityNumber {
  switch (event.interactionType) {
    case "error":
    case "compliance_violation":
      return ERROR_SEVERITY_NUMBERS[event.severity];
    case "tool_result":
      return event.success ? SeverityNumber.INFO : SeverityNumber.WARN;
    case "agent_response":
      return event.requiresReview ? SeverityNumber.WARN : SeverityNumber.INFO;
    default:
      return SeverityNumber.INFO;
  }
}
