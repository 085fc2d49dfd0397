import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contextExponent, riskScoreOf, type ScoredFinding } from "../../src/compliance/scoring.ts";
import type { InteractionContext } from "../../src/events/compliance.ts";

const base: InteractionContext = {
  agentId: "agent",
  agentCategory: "persona",
  sessionId: "session",
  timestamp: 0,
};
const violation: ScoredFinding = { severity: "violation", confidence: 0.9 };
const warning: ScoredFinding = { severity: "warning", confidence: 0.8 };

function scoreOf(...findings: ScoredFinding[]): number {
  return riskScoreOf(findings.map((finding) => ({ findings: [finding] })));
}

const finding = fc.record({
  severity: fc.constantFrom("info" as const, "warning" as const, "violation" as const),
  confidence: fc.option(fc.double({ noNaN: true, min: -1, max: 2 }), { nil: undefined }),
});
const family = fc.record({
  findings: fc.array(finding, { maxLength: 4 }),
  ownScore: fc.option(fc.double({ min: -50, max: 200 }), { nil: undefined }),
});

describe("riskScoreOf", () => {
  it("combines findings of different rules as a noisy-or", () => {
    expect(scoreOf()).toBe(0);
    expect(scoreOf(violation)).toBe(72);
    expect(scoreOf(warning)).toBe(32);
    expect(scoreOf(warning, warning)).toBe(54);
    expect(scoreOf(violation, warning)).toBe(81);
  });

  it("counts the strongest finding of one rule only", () => {
    expect(riskScoreOf([{ findings: [warning, violation, warning] }])).toBe(72);
  });

  it("takes a rule's own score where it is higher, without a finding as well", () => {
    expect(riskScoreOf([{ findings: [warning], ownScore: 60 }])).toBe(60);
    expect(riskScoreOf([{ findings: [warning], ownScore: 10 }])).toBe(32);
    expect(riskScoreOf([{ findings: [], ownScore: 60 }])).toBe(60);
  });

  it("stays within 0 to 100 and never falls when a finding or a rule is added", () => {
    fc.assert(
      fc.property(
        fc.array(family, { maxLength: 5 }),
        family,
        finding,
        fc.double({ noNaN: true, min: 1, max: 1.5 }),
        (families, added, extra, exponent) => {
          const before = riskScoreOf(families, exponent);
          expect(before).toBeGreaterThanOrEqual(0);
          expect(before).toBeLessThanOrEqual(100);
          expect(riskScoreOf([...families, added], exponent)).toBeGreaterThanOrEqual(before);
          const [first, ...others] = families;
          if (!first) return;
          const longer = { ...first, findings: [...first.findings, extra] };
          expect(riskScoreOf([longer, ...others], exponent)).toBeGreaterThanOrEqual(before);
        },
      ),
    );
  });
});

describe("contextExponent", () => {
  it("rises with the customer's risk and the agent's autonomy", () => {
    const customerProfile = { customerId: "c", riskRating: "high", previousViolations: 2 };
    expect(contextExponent(base)).toBe(1);
    expect(contextExponent({ ...base, customerProfile })).toBe(1.2);
    expect(
      contextExponent({ ...base, customerProfile: { customerId: "c", previousViolations: 1 } }),
    ).toBe(1.2);
    expect(contextExponent({ ...base, agentCategory: "autonomous" })).toBe(1.2);
    expect(contextExponent({ ...base, agentCategory: "autonomous", customerProfile })).toBeCloseTo(
      1.44,
    );
  });

  it("creates no score by itself", () => {
    expect(riskScoreOf([{ findings: [] }], 1.5)).toBe(0);
    expect(riskScoreOf([{ findings: [violation] }], 1.2)).toBe(78);
  });
});
