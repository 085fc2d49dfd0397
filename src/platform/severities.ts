/** Severities of findings, the least first; the index is what the database keeps. */
export const SEVERITIES = ["none", "info", "warning", "violation"] as const;
export type MaxSeverity = (typeof SEVERITIES)[number];

/** Rank of a severity: its index above. An application's own violation may carry that of an error. */
export const SEVERITY_RANKS: Readonly<Record<string, number>> = {
  info: 1,
  low: 1,
  warning: 2,
  medium: 2,
  violation: 3,
  high: 3,
  critical: 3,
};
