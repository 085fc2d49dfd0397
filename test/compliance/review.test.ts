import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import { passageOf } from "../../src/compliance/passages.ts";
import type { ComplianceFlag } from "../../src/events/compliance.ts";
import { AUTHORS } from "../accuracy/authors/places.ts";
import { readAuthorTexts } from "../accuracy/authors/texts.ts";
import { createReplay } from "../accuracy/evaluate-items.ts";
import { OWN_CASES } from "../accuracy/measure.ts";
import { readLines } from "../accuracy/items.ts";

const thresholds = new Map(builtInRules.map(({ id, threshold }) => [id, threshold]));

function overlap(one: ComplianceFlag, other: ComplianceFlag): boolean {
  const [a, b] = [passageOf(one), passageOf(other)];
  return !!a && !!b && a.source === b.source && a.start < b.end && b.start < a.end;
}

describe("what the built-in rules find in long answers and in disguised ones", () => {
  const replay = createReplay([]);
  const evaluations = [
    ...readAuthorTexts(AUTHORS).filter(({ author }) => author === "a16"),
    ...readLines<object>(join(OWN_CASES, "unseen.jsonl")),
  ].flatMap((text) => replay(text).evaluations);

  it("is enough to say something", () => {
    const found = evaluations.filter(({ violations }) => violations.length > 0);
    expect(found.length).toBeGreaterThan(300);
    expect(evaluations.some(({ candidates = [] }) => candidates.length > 0)).toBe(true);
    const contexts = found.flatMap(({ violations }) => violations.map(({ context }) => context));
    expect(contexts.some((context) => context?.groupedUnder !== undefined)).toBe(true);
    expect(contexts.some((context) => context?.alsoMatched !== undefined)).toBe(true);
  });

  it("goes to review by default if it is a warning or a violation, and never if it is none", () => {
    for (const { violations, riskScore, requiresReview } of evaluations) {
      const counts = violations.some(({ severity }) => severity !== "info");
      expect(requiresReview).toBe(counts);
      expect(riskScore >= 50).toBe(counts);
      if (!counts) expect(riskScore).toBe(0);
    }
  });

  it("is a finding from its rule's threshold on, and a candidate below", () => {
    for (const { violations, candidates = [] } of evaluations) {
      for (const { rule, confidence } of violations)
        expect(confidence).toBeGreaterThanOrEqual(thresholds.get(rule)!);
      for (const { rule, confidence } of candidates)
        expect(confidence).toBeLessThan(thresholds.get(rule)!);
    }
  });

  it("is one finding of a rule on a passage, and one group of several rules", () => {
    for (const { violations, candidates = [] } of evaluations) {
      for (const [index, one] of violations.entries()) {
        const others = [...violations.slice(index + 1), ...candidates];
        const twins = others.filter((other) => other.rule === one.rule && overlap(one, other));
        expect(twins).toEqual([]);
        const leader = one.context?.groupedUnder;
        if (leader === undefined) continue;
        expect(violations).toContainEqual(
          expect.objectContaining({
            rule: leader,
            context: expect.not.objectContaining({ groupedUnder: expect.anything() }),
          }),
        );
      }
    }
  });
});
