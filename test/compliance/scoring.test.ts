import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contextExponent, riskScoreOf, type ScoredFinding } from "../../src/compliance/scoring.ts";
import { DEFAULT_RISK_THRESHOLD } from "../../src/compliance/rule-selector.ts";
import type { ComplianceSeverity, InteractionContext } from "../../src/events/compliance.ts";

const base: InteractionContext = {
  agentId: "agent",
  agentCategory: "persona",
  sessionId: "session",
  timestamp: 0,
};
const violation: ScoredFinding = { severity: "violation", confidence: 0.8 };
const warning: ScoredFinding = { severity: "warning", confidence: 0.8 };
const info: ScoredFinding = { severity: "info", confidence: 1 };

function scoreOf(...findings: ScoredFinding[]): number {
  return riskScoreOf(findings.map((finding) => ({ findings: [finding] })));
}

const at = (finding: ScoredFinding, start: number, end: number, source = "agentResponse") => ({
  ...finding,
  context: { spans: [{ source, start, end }] },
});

const severity = fc.constantFrom("info" as const, "warning" as const, "violation" as const);
const confidence = fc.option(fc.double({ noNaN: true, min: -1, max: 2 }), { nil: undefined });
const context = fc.option(
  fc.record({
    spans: fc.array(
      fc.record({
        source: fc.constantFrom("userMessage", "agentResponse"),
        start: fc.integer({ min: -5, max: 50 }),
        end: fc.integer({ min: -5, max: 60 }),
      }),
      { maxLength: 2 },
    ),
  }),
  { nil: undefined },
);
const finding = fc.record({ severity, confidence, context });
const family = fc.record({
  findings: fc.array(finding, { maxLength: 4 }),
  ownScore: fc.option(fc.double({ min: -50, max: 200 }), { nil: undefined }),
});

describe("riskScoreOf", () => {
  it("gives every finding the default threshold by itself, and a violation more than a warning", () => {
    const sure = [0, 0.3, 0.6, 0.8, 1];
    expect(sure.map((one) => scoreOf({ severity: "warning", confidence: one }))).toEqual([
      50, 56, 62, 66, 70,
    ]);
    expect(sure.map((one) => scoreOf({ severity: "violation", confidence: one }))).toEqual([
      60, 71, 81, 88, 95,
    ]);
    expect(DEFAULT_RISK_THRESHOLD).toBe(50);
    expect(scoreOf(info, info)).toBe(0);
    expect(scoreOf({ severity: "violation" })).toBe(95);
  });

  it("combines findings of different facts as a noisy-or", () => {
    expect(scoreOf()).toBe(0);
    expect(scoreOf(warning, warning)).toBe(88);
    expect(scoreOf(violation, warning)).toBe(96);
    expect(scoreOf(violation, warning, info)).toBe(96);
    expect(scoreOf(violation, violation, violation)).toBe(100);
  });

  it("counts what no message shows of one rule once", () => {
    expect(riskScoreOf([{ findings: [warning, violation, warning] }])).toBe(88);
  });

  it("counts findings on one passage once, whatever their rules, and those on others beside it", () => {
    expect(scoreOf(at(violation, 0, 10), at(warning, 5, 20))).toBe(88);
    expect(scoreOf(at(violation, 0, 10), at(warning, 10, 20))).toBe(96);
    expect(scoreOf(at(violation, 0, 10), at(warning, 5, 20, "userMessage"))).toBe(96);
    expect(riskScoreOf([{ findings: [at(warning, 0, 10), at(warning, 20, 30)] }])).toBe(88);
    // Two facts, and a reading of both at once that weighs less than they do together.
    expect(scoreOf(at(warning, 0, 10), at(violation, 5, 25), at(warning, 20, 30))).toBe(88);
    expect(scoreOf(at(violation, 0, 10), at(warning, 5, 25), at(violation, 20, 30))).toBe(99);
  });

  it("takes a rule's own score where it is higher, without a finding as well", () => {
    expect(riskScoreOf([{ findings: [warning], ownScore: 80 }])).toBe(80);
    expect(riskScoreOf([{ findings: [warning], ownScore: 10 }])).toBe(66);
    expect(riskScoreOf([{ findings: [], ownScore: 60 }])).toBe(60);
    expect(riskScoreOf([{ findings: [at(warning, 0, 5), at(warning, 9, 12)], ownScore: 10 }])).toBe(
      66,
    );
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

  it("rises with severity and confidence", () => {
    fc.assert(
      fc.property(
        fc.array(family, { maxLength: 3 }),
        context,
        fc.double({ noNaN: true, min: 0, max: 1 }),
        fc.double({ noNaN: true, min: 0, max: 1 }),
        (families, where, one, other) => {
          const scoreWith = (of: ComplianceSeverity, sure: number): number =>
            riskScoreOf([
              ...families,
              { findings: [{ severity: of, confidence: sure, context: where }] },
            ]);
          const [low, high] = [Math.min(one, other), Math.max(one, other)];
          expect(scoreWith("warning", high)).toBeGreaterThanOrEqual(scoreWith("warning", low));
          expect(scoreWith("violation", low)).toBeGreaterThanOrEqual(scoreWith("warning", low));
          expect(scoreWith("warning", low)).toBeGreaterThanOrEqual(50);
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
    expect(riskScoreOf([{ findings: [warning] }], 1.2)).toBe(73);
  });
});
