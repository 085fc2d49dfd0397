import type { ComplianceCategory, ComplianceSeverity } from "../events/compliance.ts";

/** An exchange that shows what a rule means. */
export interface JudgeExample {
  readonly userMessage?: string | undefined;
  readonly agentResponse?: string | undefined;
  readonly toolsUsed?: readonly object[] | undefined;
  /** What was known of the customer and the transaction, by name. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
}

/** What the judge is told of a rule: the rule's own text and law, and exchanges that break it or don't. */
export interface JudgeRule {
  readonly id: string;
  readonly title: string;
  readonly category: ComplianceCategory;
  /** Severity of a finding. The judge's own are warnings at most: people decide what is a violation. */
  readonly severity: ComplianceSeverity;
  readonly description: string;
  /** What must be known to apply it. */
  readonly notes?: string | undefined;
  /** As it is cited; absent for a rule that names none. */
  readonly law?: string | undefined;
  readonly recommendation?: string | undefined;
  readonly violating: readonly JudgeExample[];
  readonly compliant: readonly JudgeExample[];
}
