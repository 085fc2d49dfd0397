import { ComplianceEngine, type ComplianceEngineOptions } from "../../src/compliance/engine.ts";
import type {
  ComplianceRule,
  ComplianceViolation,
  InteractionContext,
} from "../../src/events/compliance.ts";
import type { Clock } from "../../src/util/clock.ts";
import type { BurstLogger } from "../../src/util/logger.ts";

/** Time of every finding in these tests. */
export const NOW = 1_700_000_000_000;

/** Content that must not stand in any log line. */
export const SECRET = "tell-no-one";

export const context: InteractionContext = {
  agentId: "agent",
  agentCategory: "persona",
  sessionId: "session",
  timestamp: NOW,
  userMessage: `hello ${SECRET}`,
  agentResponse: `hi ${SECRET}`,
};

/** An engine whose clock stands still until a test or a rule spends time, and what it logged. */
export interface TestEngine {
  readonly engine: ComplianceEngine;
  readonly lines: string[];
  readonly spend: (millis: number) => void;
}

/** Makes an engine without rules, unless some are given. */
export function createTestEngine(options: Partial<ComplianceEngineOptions> = {}): TestEngine {
  const lines: string[] = [];
  let elapsed = 0;
  const clock: Clock = {
    now: () => NOW,
    monotonic: () => elapsed,
    schedule: () => () => undefined,
  };
  const log: BurstLogger = {
    log: (level, code, message, data) => {
      lines.push(`${level} ${code} ${message} ${JSON.stringify(data) ?? ""}`.trim());
    },
    flush: () => undefined,
  };
  const engine = new ComplianceEngine({ clock, log, rules: [], ...options });
  return {
    engine,
    lines,
    spend: (millis) => {
      elapsed += millis;
    },
  };
}

/** Makes a rule of the caller's own that reports the given findings. */
export function ruleOf(
  id: string,
  findings: Partial<ComplianceViolation>[] = [],
  rest: Partial<ComplianceRule> = {},
): ComplianceRule {
  const violations = findings.map((finding) => ({
    rule: id,
    severity: "violation" as const,
    description: "found",
    confidence: 0.9,
    ...finding,
  }));
  return {
    id,
    name: id,
    description: `what ${id} looks for`,
    category: "custom",
    severity: "violation",
    isActive: true,
    ruleFunction: () => ({
      isCompliant: violations.every(({ severity }) => severity !== "violation"),
      violations: violations.map((violation) => ({ ...violation })),
      riskScore: 0,
      requiresReview: false,
    }),
    ...rest,
  };
}

/** Makes a rule that does as it is told. */
export function ruleThat(
  id: string,
  act: (seen: InteractionContext) => unknown,
  rest: Partial<ComplianceRule> = {},
): ComplianceRule {
  return ruleOf(id, [], { ruleFunction: act as ComplianceRule["ruleFunction"], ...rest });
}
