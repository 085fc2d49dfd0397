import type { ComplianceSeverity } from "../events/compliance.ts";

/** How a bank's pack changes a pattern of a built-in rule. */
export interface PatternOverride {
  /** Switches the pattern off, or on. */
  readonly active?: boolean | undefined;
  /** Severity of what it finds. */
  readonly severity?: ComplianceSeverity | undefined;
  /** Confidence from which what it finds is a finding, 0 to 1. */
  readonly threshold?: number | undefined;
}

/** Changes of patterns, by `<rule>/<pattern>`. */
export type PatternOverrides = ReadonlyMap<string, PatternOverride>;
