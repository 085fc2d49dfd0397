import { describe, expect, it } from "vitest";
import { builtInRules } from "../../../src/compliance/built-in-rules.ts";
import { context, createTestEngine } from "../engine-fixtures.ts";
import { read } from "../packs/policy-fixture.ts";
import { createSecondLook, DIGEST, RULE, SECOND, type Lexicon } from "./model-fixture.ts";

/** Found by wording, and confirmed; found by the model alone; proved by digits. */
const ANSWER =
  "Your approval is guaranteed. The weather is nice. The yes is in the drawer. Your card is 4539 5787 6362 1486.";
const LEXICON: Lexicon = { approval: [10, 4, 0], drawer: [8, 2, 6] };

function toPack(id: string, lines: readonly string[]): string {
  return [`pack: { id: ${id}, version: 1.0.0, title: Own }`, ...lines].join("\n");
}

const overriding = (rule: string, ...lines: readonly string[]): string[] => [
  "overrides:",
  `  ${rule}:`,
  ...lines.map((line) => `    ${line}`),
];

const OFF = "secondLook: { active: false }";

function evaluate(packs: readonly (readonly string[])[], lexicon = LEXICON) {
  const secondLook = createSecondLook(lexicon);
  const { engine } = createTestEngine({ rules: builtInRules, secondLook });
  for (const [index, lines] of packs.entries())
    engine.addRulePack(read(toPack(`bank-${index}`, lines)));
  const evaluation = engine.evaluate(
    { ...context, userMessage: "Hello.", agentResponse: ANSWER },
    { candidates: true },
  );
  const { violations, candidates = [] } = evaluation;
  const of = (rule: string) => violations.find((flag) => flag.rule === rule);
  return {
    ...evaluation,
    of,
    candidatesOf: (id: string) => candidates.filter(({ rule }) => rule === id),
  };
}

describe("what the second look finds by itself", () => {
  it("is there without a pack, as a warning", () => {
    const { of } = evaluate([]);
    expect(of(RULE)?.context?.secondLookSha256).toBe(DIGEST);
    expect(of(SECOND)).toMatchObject({
      severity: "warning",
      context: { detectedPattern: `${SECOND}/learned` },
    });
  });

  it("is switched off by a pack, rule by rule", () => {
    const { of, candidatesOf } = evaluate([
      overriding(SECOND, "patterns: { learned: { active: false } }"),
    ]);
    expect(of(SECOND)).toBeUndefined();
    expect(candidatesOf(SECOND)).toEqual([]);
    expect(of(RULE)?.context).toMatchObject({ secondLookSha256: DIGEST });
  });

  it("has the severity and the threshold that a pack gives it", () => {
    const { of } = evaluate([overriding(SECOND, "patterns: { learned: { severity: info } }")]);
    expect(of(SECOND)).toMatchObject({
      severity: "info",
      context: { overridePackId: "bank-0", secondLookSha256: DIGEST },
    });
    const high = evaluate([overriding(SECOND, "patterns: { learned: { threshold: 1 } }")]);
    expect(high.of(SECOND)).toBeUndefined();
    expect(high.candidatesOf(SECOND)).toMatchObject([{ severity: "warning" }]);
  });
});

describe("a pattern of wording", () => {
  it("has the severity and the threshold that a pack gives it, and no other pattern has", () => {
    const [, pattern = ""] = evaluate([]).of(RULE)?.context?.detectedPattern?.split("/") ?? [];
    const low = evaluate([overriding(RULE, `patterns: { ${pattern}: { severity: warning } }`)]);
    expect(low.of(RULE)?.severity).toBe("warning");
    const high = evaluate([overriding(RULE, `patterns: { ${pattern}: { threshold: 1 } }`)]);
    expect(high.of(RULE)).toBeUndefined();
    expect(high.candidatesOf(RULE)).toHaveLength(1);
    const other = evaluate([overriding(RULE, "patterns: { learned: { threshold: 1 } }")]);
    expect(other.of(RULE)?.severity).toBe("violation");
  });
});

describe("a pack without a second look", () => {
  it("lets wording stand as the rules say it, and adds nothing; its findings name the pack", () => {
    const { of } = evaluate([[OFF]]);
    const { violations } = createTestEngine({
      rules: builtInRules,
      secondLook: null,
    }).engine.evaluate({
      ...context,
      userMessage: "Hello.",
      agentResponse: ANSWER,
    });
    const alone = violations.find(({ rule }) => rule === RULE);
    expect(of(RULE)).toMatchObject({
      confidence: alone?.confidence,
      context: { overridePackId: "bank-0" },
    });
    expect(of(RULE)?.context).not.toHaveProperty("secondLookVersion");
    expect(of(SECOND)).toBeUndefined();
    // No model has ever looked at it.
    expect(of("privacy-card-number")?.context).not.toHaveProperty("overridePackId");
  });

  it("may leave it out for one rule alone, or keep it for one", () => {
    const one = evaluate([overriding(RULE, OFF)]);
    expect(one.of(RULE)?.context).not.toHaveProperty("secondLookVersion");
    expect(one.of(SECOND)?.context).toHaveProperty("secondLookVersion");
    const kept = evaluate([[OFF, ...overriding(SECOND, "secondLook: { active: true }")]]);
    expect(kept.of(RULE)?.context).not.toHaveProperty("secondLookVersion");
    expect(kept.of(SECOND)?.context).toHaveProperty("secondLookVersion");
  });

  it("goes together with packs that change rules, in any order", () => {
    const changing = overriding(RULE, "severity: info");
    for (const packs of [
      [[OFF], changing],
      [changing, [OFF]],
    ]) {
      const { of } = evaluate(packs);
      expect(of(RULE)).toMatchObject({ severity: "info" });
      expect(of(RULE)?.context).not.toHaveProperty("secondLookVersion");
      expect(of(SECOND)).toBeUndefined();
    }
  });

  it("is not added twice", () => {
    const { engine } = createTestEngine({ rules: builtInRules });
    engine.addRulePack(read(toPack("bank", [OFF])));
    expect(() => engine.addRulePack(read(toPack("bank", [OFF])))).toThrow(/is there already/);
  });
});
