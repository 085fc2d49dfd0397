import { describe, expect, it } from "vitest";
import type { ComplianceSeverity, InteractionContext } from "../../src/events/compliance.ts";
import type { DefinedRule, FindingSpan } from "../../src/compliance/define-rule.ts";

/** An interaction of which a case says what matters. */
export type ContextCase = Partial<InteractionContext>;

/** An interaction in which a rule must find something. */
export interface ViolatingCase extends ContextCase {
  /** Name of the pattern, without the rule's id. */
  readonly pattern: string;
  /** What the finding's spans cover in the original text. */
  readonly detects?: string;
  /** Default: the rule's severity. */
  readonly severity?: ComplianceSeverity;
}

/** Cases of one rule. */
export interface RuleCases {
  readonly violating: readonly ViolatingCase[];
  readonly compliant: readonly ContextCase[];
}

const BASE: InteractionContext = {
  agentId: "agent",
  agentCategory: "persona",
  sessionId: "session",
  timestamp: 0,
};

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

function titleOf({ userMessage, agentResponse }: ContextCase): string {
  return [userMessage && `user: ${userMessage}`, agentResponse && `agent: ${agentResponse}`]
    .filter(Boolean)
    .join(" | ");
}

function run(
  rule: DefinedRule,
  { ...context }: ContextCase,
): ReturnType<DefinedRule["ruleFunction"]> {
  return rule.ruleFunction(deepFreeze({ ...BASE, ...context }));
}

function checkViolation(
  rule: DefinedRule,
  { pattern, detects, severity, ...context }: ViolatingCase,
): void {
  const { violations } = run(rule, context);
  const [violation] = violations.filter(
    (found) => found.context?.detectedPattern === `${rule.id}/${pattern}`,
  );
  if (!violation) {
    throw new Error(
      `expected ${pattern}, got ${violations.map((found) => found.context?.detectedPattern).join() || "nothing"}`,
    );
  }
  expect(violation.severity).toBe(severity ?? rule.severity);
  const spans = violation.context?.["spans"] as FindingSpan[];
  const covered = spans
    .map(({ source, start, end }) => context[source]?.slice(start, end))
    .join(" … ");
  expect(covered).not.toBe("");
  if (detects !== undefined) expect(covered).toBe(detects);
}

/**
 * Describes a rule by its cases; a rule's test file is this call.
 *
 * Contexts are frozen, every pattern needs a violating case, and a case that stands twice fails.
 */
export function testRule(rule: DefinedRule, { violating, compliant }: RuleCases): void {
  describe(rule.id, () => {
    it.each(violating.map((testCase) => [titleOf(testCase), testCase] as const))(
      "finds %s",
      (_title, testCase) => {
        checkViolation(rule, testCase);
      },
    );

    it.each(compliant.map((testCase) => [titleOf(testCase), testCase] as const))(
      "passes %s",
      (_title, testCase) => {
        expect(run(rule, testCase).violations).toEqual([]);
      },
    );

    it("has a violating case for every pattern and no case twice", () => {
      const missing = rule.patternIds.filter(
        (id) => !violating.some(({ pattern }) => id === `${rule.id}/${pattern}`),
      );
      expect(missing, "patterns without a violating case").toEqual([]);
      const cases = [...violating, ...compliant].map((testCase) => JSON.stringify(testCase));
      const twice = cases.filter((text, index) => cases.indexOf(text) !== index);
      expect(twice, "cases that stand twice").toEqual([]);
    });
  });
}
