import { describe, expect, it } from "vitest";
import { builtInRules } from "../../../src/compliance/built-in-rules.ts";
import { context, createTestEngine } from "../engine-fixtures.ts";
import { createSecondLook, RULE, SECOND, DIGEST, type Lexicon } from "./model-fixture.ts";

function evaluate(lexicon: Lexicon, agentResponse: string, more: Partial<typeof context> = {}) {
  const secondLook = createSecondLook(lexicon);
  const { engine } = createTestEngine({ rules: builtInRules, secondLook });
  const { userMessage: _none, ...rest } = context;
  return engine.evaluate({ ...rest, ...more, agentResponse }, { candidates: true });
}

const PROMISE = "Your approval is guaranteed. Thank you for your patience today.";
const patternsOf = (
  flags: readonly { context?: { detectedPattern?: string | undefined } | undefined }[] = [],
) => flags.map((flag) => flag.context?.detectedPattern);

describe("what wording found", () => {
  it("is confirmed with the probability of its passage", () => {
    const { violations, requiresReview } = evaluate({ approval: [10, 4, 0] }, PROMISE);
    expect(violations).toMatchObject([{ rule: RULE, severity: "violation" }]);
    // 14 steps of 0.5 are 7, of which the curve takes 4.6.
    expect(violations[0]?.confidence).toBeCloseTo(1 / (1 + Math.exp(-2.4)), 3);
    expect(requiresReview).toBe(true);
  });

  it("is a candidate when little speaks for it, and goes when nothing does", () => {
    const some = evaluate({ approval: [4, 2, 0] }, PROMISE);
    expect(some).toMatchObject({ violations: [], requiresReview: false, isCompliant: true });
    expect(some.candidates).toMatchObject([{ rule: RULE, confidence: 0.168 }]);
    const none = evaluate({ approval: [0, 0, 0] }, PROMISE);
    expect(none).toMatchObject({ violations: [], candidates: [] });
  });

  it("is judged by two sentences as well as by one", () => {
    const { violations } = evaluate({ patience: [10, 4, 0] }, PROMISE);
    expect(violations).toMatchObject([{ rule: RULE, severity: "violation" }]);
  });

  it("needs no second look when digits prove it", () => {
    const { violations } = evaluate(
      { card: [-100, -100, -100] },
      "Your card is 4539 5787 6362 1486.",
    );
    expect(violations).toMatchObject([{ rule: "privacy-card-number", severity: "violation" }]);
    expect(violations[0]?.confidence).toBeGreaterThan(0.9);
  });
});

describe("what wording did not find", () => {
  const HINT =
    "Rates moved a little this week. The yes is already in the drawer for you. Have a good day.";

  it("is a warning of the rule for which most speaks, on the likeliest window", () => {
    const { violations } = evaluate({ drawer: [8, 2, 6] }, HINT);
    expect(violations).toMatchObject([
      {
        rule: SECOND,
        severity: "warning",
        context: {
          detectedPattern: `${SECOND}/learned`,
          packId: "agent-monitor",
          secondLookVersion: "test",
          secondLookSha256: DIGEST,
        },
      },
    ]);
    const spans = (violations[0]?.context?.["spans"] ?? []) as { start: number; end: number }[];
    expect(HINT.slice(spans[0]?.start, spans[0]?.end)).toContain(
      "The yes is already in the drawer for you.",
    );
  });

  it("is a candidate below the threshold, and nothing below that of candidates", () => {
    const { violations, candidates } = evaluate({ drawer: [5, 0, 1] }, HINT);
    expect(violations).toEqual([]);
    expect(patternsOf(candidates)).toEqual([`${SECOND}/learned`]);
    expect(evaluate({ drawer: [1, 0, 1] }, HINT).candidates).toEqual([]);
  });

  it("is a warning also where wording is a cue that is only shown", () => {
    const cue = "Glad to help with that. That stock is a screaming buy. Have a good day.";
    const { violations, requiresReview } = evaluate({ screaming: [8, 2, 6] }, cue);
    expect(violations).toMatchObject([
      {
        severity: "warning",
        context: { detectedPattern: `${SECOND}/learned`, alsoMatched: [`${SECOND}/endorsement`] },
      },
    ]);
    expect(requiresReview).toBe(true);
  });

  it("is found by no rule that the agent's settings leave out", () => {
    const secondLook = createSecondLook({ drawer: [8, 2, 6] });
    const { engine } = createTestEngine({ rules: builtInRules, secondLook });
    expect(engine.removeRule(SECOND)).toBe(true);
    const { violations } = engine.evaluate({ ...context, agentResponse: HINT });
    expect(violations).toEqual([]);
  });

  it("is likelier where words were hidden", () => {
    const hidden = HINT.replace("yes", "y\u200Bes");
    expect(evaluate({ drawer: [5, 0, 3] }, HINT).violations).toEqual([]);
    expect(evaluate({ drawer: [5, 0, 3] }, hidden).violations).toMatchObject([{ rule: SECOND }]);
  });
});

describe("the engine", () => {
  it("judges texts of any length, also of thousands of sentences", () => {
    const long = "So it is. ".repeat(6000);
    const { metadata } = evaluate({ drawer: [8, 2, 6] }, `${long} The yes is in the drawer.`);
    expect(metadata.evaluated).toBe(true);
    expect(metadata).not.toHaveProperty("rulesNotEvaluated");
  });

  it("finds the same with and without a second look in what no model knows", () => {
    const { engine } = createTestEngine({ rules: builtInRules, secondLook: null });
    const { violations } = engine.evaluate({ ...context, agentResponse: PROMISE });
    expect(violations).toMatchObject([{ rule: RULE, severity: "violation" }]);
  });
});
