import { describe, expect, it } from "vitest";
import type { JudgedFinding, JudgedText } from "./authors/judge.ts";
import { formatPatterns, scorePatterns } from "./authors/patterns.ts";

function judged(
  label: "ok" | "violation",
  author: string,
  findings: readonly Partial<JudgedFinding>[],
): JudgedText {
  return {
    text: {
      id: `${author}-${label}`,
      author,
      label,
      agentResponse: "text",
      ...(label === "violation" && { expectedCategory: "privacy" }),
    },
    length: 4,
    requiresReview: true,
    riskScore: 60,
    findings: findings.map((finding) => ({
      rule: "privacy-secret",
      pattern: "privacy-secret/token",
      category: "privacy",
      severity: "violation",
      confidence: 0.9,
      isCandidate: false,
      isReviewed: true,
      isOnPassage: null,
      ...finding,
    })),
  };
}

describe("scorePatterns", () => {
  it("counts the texts in which a pattern is right and those in which it alarms, each once", () => {
    const [score] = scorePatterns([
      judged("violation", "x1", [{ isOnPassage: true }, { isOnPassage: true }]),
      judged("violation", "x2", [{}]),
      judged("violation", "x3", []),
      judged("ok", "x1", [{}, {}]),
    ]);
    expect(score).toMatchObject({
      pattern: "privacy-secret/token",
      precision: { hits: 2, total: 3 },
      recall: { hits: 2, total: 3 },
      alarms: { hits: 1, total: 1 },
      authors: 2,
    });
  });

  it("counts neither what is beside the passage of a violation nor what is of another category", () => {
    const scores = scorePatterns([
      judged("violation", "x1", [{ isOnPassage: false }]),
      judged("violation", "x1", [{ category: "bsa_aml" }]),
    ]);
    expect(scores).toEqual([]);
  });

  it("gives the most alarming pattern first, a line each", () => {
    const scores = scorePatterns([
      judged("violation", "x1", [{ pattern: "privacy-secret/a" }]),
      judged("ok", "x1", [{ pattern: "privacy-secret/b", isCandidate: true }]),
    ]);
    expect(scores.map(({ pattern }) => pattern)).toEqual(["privacy-secret/b", "privacy-secret/a"]);
    expect(formatPatterns(scores)[1]).toMatch(/^ {2}privacy-secret\/b: precision 0\.000 .*1\/1/);
  });
});
