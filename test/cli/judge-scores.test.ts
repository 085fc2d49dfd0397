import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CaseLabel } from "../../src/cli/check/finding.ts";
import { listFound, scoreCases, toVerdict, type JudgedCase } from "../../src/cli/judge/tally.ts";
import type { TieredFinding } from "../../src/cli/judge/tiered-findings.ts";

const toFinding = (overrides: Partial<TieredFinding> = {}): TieredFinding => ({
  rule: "privacy-secret",
  category: "privacy",
  tier: "confirmed",
  isReviewed: true,
  ...overrides,
});
const VIOLATION: CaseLabel = { isViolation: true, expectedCategory: "privacy" };
const OK: CaseLabel = { isViolation: false };

const toCase = (label: CaseLabel, ...findings: TieredFinding[]): JudgedCase => ({
  label,
  findings,
});
const score = (cases: readonly JudgedCase[], tiers: "confirmed" | "both" = "confirmed") =>
  scoreCases(
    cases.flatMap((one) => toVerdict(one) ?? []),
    tiers,
  );

describe("scores of a judge", () => {
  it("count a violation by its category, and a lawful case by any finding", () => {
    const other = toFinding({ category: "bsa_aml" });
    expect(
      score([
        toCase(VIOLATION, toFinding()),
        toCase(VIOLATION, other),
        toCase(OK, other),
        toCase(OK),
        { findings: [other] },
      ]),
    ).toEqual({
      truePositives: 1,
      falseNegatives: 1,
      falsePositives: 1,
      trueNegatives: 1,
      precision: 0.5,
      recall: 0.5,
      f1: 0.5,
      kappa: 0,
    });
  });

  it("count what is contradicted or unjudged in both tiers only, and what nobody must look at in none", () => {
    const cases = [
      toCase(VIOLATION, toFinding({ tier: "contradicted" })),
      toCase(VIOLATION, toFinding({ tier: "unjudged" })),
      toCase(VIOLATION, toFinding({ isReviewed: false })),
    ];
    expect(score(cases).recall).toBe(0);
    expect(score(cases, "both").recall).toBe(0.6667);
  });

  it("have no share of nothing", () => {
    expect(score([])).toMatchObject({ precision: null, recall: null, f1: null, kappa: null });
    expect(score([toCase(OK), toCase(OK)])).toMatchObject({ precision: null, kappa: null });
  });

  it("agree with Cohen's example: 20, 5, 10 and 15 of 50 come to 0.4", () => {
    const times = (count: number, one: JudgedCase): JudgedCase[] =>
      Array.from({ length: count }, () => one);
    const cases = [
      ...times(20, toCase(VIOLATION, toFinding())),
      ...times(5, toCase(VIOLATION)),
      ...times(10, toCase(OK, toFinding())),
      ...times(15, toCase(OK)),
    ];
    expect(score(cases).kappa).toBe(0.4);
  });

  it("are never worse with both tiers as far as violations are concerned", () => {
    const finding = fc.record({
      tier: fc.constantFrom("confirmed" as const, "contradicted" as const, "unjudged" as const),
      category: fc.constantFrom("privacy", "bsa_aml"),
      isReviewed: fc.boolean(),
    });
    const cases = fc.array(
      fc.tuple(fc.constantFrom(VIOLATION, OK), fc.array(finding, { maxLength: 3 })),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(cases, (list) => {
        const judged = list.map(([label, findings]) =>
          toCase(label, ...findings.map((one) => toFinding(one))),
        );
        const [confirmed, both] = [score(judged), score(judged, "both")];
        expect(both.truePositives).toBeGreaterThanOrEqual(confirmed.truePositives);
        expect(both.falsePositives).toBeGreaterThanOrEqual(confirmed.falsePositives);
        for (const one of judged)
          expect(listFound(one, "both")).toEqual(
            expect.arrayContaining(listFound(one, "confirmed")),
          );
      }),
    );
  });
});
