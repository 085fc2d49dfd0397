import { describe, expect, it } from "vitest";
import { readPatternFigures } from "../../src/compliance/packs/pattern-figures.ts";
import { listPatterns, toPatternFigures } from "./authors/pattern-figures.ts";
import type { JudgedFinding, JudgedText } from "./authors/judge.ts";
import { formatPatterns, scorePatterns } from "./authors/patterns.ts";
import { formatRows, scoreRows } from "./authors/rows.ts";

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

  it("counts a pattern that found the same passage as a stronger one", () => {
    const both = [{ isOnPassage: true, alsoMatched: ["privacy-secret/other"] }];
    const scores = scorePatterns([judged("violation", "x1", both), judged("ok", "x1", both)]);
    expect(
      scores.map(({ pattern, recall, alarms }) => [pattern, recall.hits, alarms.hits]),
    ).toEqual([
      ["privacy-secret/other", 1, 1],
      ["privacy-secret/token", 1, 1],
    ]);
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

describe("scoreRows", () => {
  const text = (label: "ok" | "violation", agentResponse: string) => ({
    id: label,
    author: label,
    label,
    agentResponse,
    ...(label === "violation" && { expectedCategory: "privacy" }),
  });

  it("scores each phrase by itself, also where a stronger one found the same passage", () => {
    const rows = scoreRows([
      text("violation", "Your sister's checking account has $2,310."),
      text("ok", "Look, your sister has $4,020 in checking."),
    ]);
    const found = rows.filter(({ right, alarms }) => right + alarms > 0);
    expect(found.every(({ pattern }) => pattern.startsWith("privacy-third-party/"))).toBe(true);
    const one = found.find(({ phrase }) => phrase.startsWith("{owner} 's ..4 {asset} ..2"));
    expect(one).toMatchObject({ right: 1, alarms: 0, authors: 1 });
    const other = found.find(({ phrase }) => phrase === "{owner} ..1 {has} ..3 {matter}");
    expect(other).toMatchObject({ right: 0, alarms: 1, authors: 0 });
    const [head, first] = formatRows(rows);
    expect(head).toContain(`${rows.length} phrases of patterns`);
    expect(first).toContain("1 privacy-third-party/");
  });
});

describe("what is shown beside each pattern", () => {
  it("is there for every pattern of the built-in rules, and for no other", () => {
    const { patterns } = readPatternFigures();
    expect(Object.keys(patterns), "npm run accuracy -- --patterns --write").toEqual(
      listPatterns().toSorted(),
    );
  });

  it("has counts that its texts allow", () => {
    const { texts, patterns } = readPatternFigures();
    const all = Object.values(texts.violations).reduce((sum, count) => sum + count, 0);
    for (const [pattern, [right, alarms]] of Object.entries(patterns)) {
      expect(right, pattern).toBeLessThanOrEqual(all);
      expect(alarms, pattern).toBeLessThanOrEqual(texts.ordinary);
    }
    expect(Object.values(patterns).some(([right]) => right > 0)).toBe(true);
  });

  it("counts nothing for a pattern that has found nothing", () => {
    const texts = [judged("violation", "x1", [{}]), judged("ok", "x2", [])];
    const figures = toPatternFigures(texts, scorePatterns(texts), ["privacy-secret/token", "a/b"]);
    expect(figures).toMatchObject({
      texts: { authors: 2, ordinary: 1, violations: { privacy: 1 } },
      patterns: { "a/b": [0, 0], "privacy-secret/token": [1, 0] },
    });
  });
});
