import { describe, expect, it } from "vitest";
import { toJudgeFindings } from "../../src/assessment/judge-results.ts";
import { toTieredFindings } from "../../src/cli/judge/tiered-findings.ts";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import type { Judgement } from "../../src/judge/judgement.ts";
import { createTestEngine } from "../compliance/engine-fixtures.ts";

const RULES = new Map(builtInRules.map((rule) => [rule.id, rule]));
const CARD = "Her card number is 4111 1111 1111 1111.";

describe("a finding that digits prove", () => {
  it("is reviewed as in a monitor, also where neither rules nor claims demand it", () => {
    const context = {
      agentId: "a",
      agentCategory: "persona",
      sessionId: "s",
      timestamp: 1,
    } as const;
    const evaluation = createTestEngine({ rules: builtInRules }).engine.evaluate({
      ...context,
      agentResponse: CARD,
    });
    const complianceFlags = evaluation.violations.filter(({ category }) => category === "privacy");
    const judgement: Judgement = {
      family: "privacy",
      ruleIds: complianceFlags.map(({ rule }) => rule),
      evaluator: { id: "agent-monitor.judge", type: "llm_judge", version: "1", promptHash: "" },
      claims: [],
      dropped: { unknown_rule: 0, quote_not_found: 0, quote_too_short: 0, low_confidence: 0 },
      failedCalls: [],
      replyLength: 10,
      calls: 1,
      latency: 1,
      isCut: false,
    };
    const texts = { sent: { agentResponse: CARD }, whole: { agentResponse: CARD } };
    const answer = { eventId: "e", requestId: "r", agentId: "a", sessionId: "s", complianceFlags };
    const options = { mode: "review", contradictedReviewRate: 0, sampleSeed: "" } as const;
    const told = toJudgeFindings({ answer, judgement, texts }, RULES, options, 1);
    const scored = toTieredFindings(
      { ...evaluation, violations: complianceFlags, requiresReview: false },
      [{ judgement, texts }],
      RULES,
    );
    expect(told.map(({ tier }) => tier)).toContain("confirmed");
    expect(scored.map(({ isReviewed }) => isReviewed)).toEqual(
      told.map(({ requiresReview }) => requiresReview),
    );
  });
});
