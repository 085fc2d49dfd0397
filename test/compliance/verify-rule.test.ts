import { describe, expect, it } from "vitest";
import { defineRule, type DefinedRule } from "../../src/compliance/define-rule.ts";
import { readExchange } from "../../src/phrases/exchange.ts";
import {
  RuleVerificationError,
  verifyRule,
  type RuleCases,
} from "../../src/compliance/verify-rule.ts";
import type { ComplianceRule } from "../../src/events/compliance.ts";
import { ValidationError } from "../../src/events/validation-error.ts";
import { ruleOf, ruleThat } from "./engine-fixtures.ts";

/** Finds the word "refund" in an answer: a violation, or a warning in a question. */
const refund: DefinedRule = defineRule({
  id: "custom-refund",
  name: "Refund",
  description: "Speaks of a refund.",
  explanation: "The answer speaks of a refund.",
  category: "custom",
  severity: "violation",
  law: { citation: "12 CFR § 1005.11", asOf: "2026-11-21", status: "in force" },
  recommendation: "Don't.",
  impact: { customer: "minimal", business: "none" },
  patterns: ["statement", "question"],
  *check(context) {
    const { agentResponse: text } = readExchange(context);
    const start = text?.original.indexOf("refund") ?? -1;
    if (!text || start < 0) return;
    const isQuestion = text.original.endsWith("?");
    yield {
      pattern: isQuestion ? "question" : "statement",
      confidence: 0.9,
      text,
      range: { start, end: start + 6 },
      ...(isQuestion && { severity: "warning" as const }),
    };
  },
});

const cases: RuleCases = {
  violating: [
    { agentResponse: "Your refund is on its way.", pattern: "statement", detects: "refund" },
    { agentResponse: "A refund?", pattern: "question", severity: "warning" },
  ],
  compliant: [{ agentResponse: "Your money is on its way." }, {}],
};

function failuresOf(rule: ComplianceRule, given: RuleCases): string[] {
  try {
    verifyRule(rule, given);
  } catch (error) {
    if (!(error instanceof RuleVerificationError)) throw error;
    return error.failures.map(
      ({ where, expected, got }) => `${where}: expected ${expected}, got ${got}`,
    );
  }
  return [];
}

describe("verifyRule", () => {
  it("reports what it verified", () => {
    expect(verifyRule(refund, cases)).toEqual({
      ruleId: "custom-refund",
      violating: 2,
      compliant: 2,
      patterns: ["statement", "question"],
      oddTexts: expect.any(Number) as number,
    });
  });

  it("lists every failure with its place, what was expected and what came", () => {
    const wrong: RuleCases = {
      violating: [
        { agentResponse: "Your money is on its way.", pattern: "statement" },
        { agentResponse: "Your refund is here.", pattern: "statement", detects: "Your refund" },
        { agentResponse: "The refund is here.", pattern: "statement", severity: "info" },
        { agentResponse: "The refund?", pattern: "statement" },
      ],
      compliant: [{ agentResponse: "No refund." }],
    };
    expect(failuresOf(refund, wrong)).toEqual([
      "violating: expected a case for every pattern, got none for custom-refund/question",
      "violating[0] (agent: Your money is on its way.): expected statement (violation), got nothing",
      'violating[1] (agent: Your refund is here.): expected statement (violation) at "Your refund", ' +
        'got statement (violation) at "refund"',
      'violating[2] (agent: The refund is here.): expected statement (info), got statement (violation) at "refund"',
      'violating[3] (agent: The refund?): expected statement (violation), got question (warning) at "refund"',
      'compliant[0] (agent: No refund.): expected nothing, got statement (violation) at "refund"',
    ]);
    expect(() => verifyRule(refund, wrong)).toThrow(
      /^rule "custom-refund": 6 failures\n {2}violating: expected/,
    );
  });

  it("refuses cases that stand twice, and too few", () => {
    const [first] = cases.violating;
    expect(failuresOf(refund, { ...cases, violating: [...cases.violating, first!] })).toEqual([
      expect.stringMatching(
        /^violating\[2\] .*: expected each case once, got the same as violating\[0\]$/,
      ),
    ]);
    expect(failuresOf(ruleOf("plain"), { violating: [], compliant: [] })).toEqual([
      "violating: expected at least one case, got none",
      "compliant: expected at least one near miss, got none",
    ]);
  });

  it("takes a plain rule, whose cases need no pattern", () => {
    const plain = ruleThat("plain", ({ agentResponse = "" }) => {
      const found = agentResponse.includes("coin");
      const finding = {
        rule: "plain",
        severity: "violation",
        description: "Coins.",
        context: { detectedContent: "coin", detectedPattern: "coin" },
      };
      return {
        isCompliant: !found,
        violations: found ? [finding] : [],
        riskScore: 0,
        requiresReview: false,
      };
    });
    const given: RuleCases = {
      violating: [
        { agentResponse: "Buy the coin.", detects: "coin" },
        { agentResponse: "A coin!", pattern: "coin" },
      ],
      compliant: [{ agentResponse: "Buy bread." }],
    };
    expect(verifyRule({ ...plain, isActive: false }, given)).toMatchObject({ patterns: ["coin"] });
  });

  it("takes an instance of a class", () => {
    class Rule {
      readonly id = "custom-class";
      readonly name = "Class";
      readonly description = "";
      readonly category = "custom";
      readonly severity = "violation";
      readonly isActive = true;
      readonly #word = "coin";
      ruleFunction({ agentResponse }: { agentResponse?: string | undefined }) {
        const isCompliant = agentResponse?.includes(this.#word) !== true;
        return { isCompliant, violations: [], riskScore: 0, requiresReview: false };
      }
    }
    const given = {
      violating: [{ agentResponse: "coin" }],
      compliant: [{ agentResponse: "bread" }],
    };
    expect(verifyRule(new Rule(), given)).toMatchObject({ violating: 1 });
  });

  it("hands out frozen contexts, all the way down", () => {
    const toolsUsed = [{ name: "a", parameters: { amount: 1 }, result: null, success: true }];
    const meddler = ruleThat("meddler", (context) => {
      (context.toolsUsed![0]!.parameters as { amount: number }).amount = 2;
      return { isCompliant: true, violations: [], riskScore: 0, requiresReview: false };
    });
    const given = { violating: [], compliant: [{ toolsUsed }] };
    expect(failuresOf(meddler, given)).toContainEqual(
      expect.stringMatching(
        /^compliant\[0\]: expected nothing, got TypeError: Cannot assign to read only/,
      ),
    );
    expect(toolsUsed[0]).toMatchObject({ parameters: { amount: 1 } });
    expect(Object.isFrozen(toolsUsed)).toBe(false);
  });

  it("finds rules that remember what they were asked", () => {
    const pattern = /coin/g;
    const forgetful = ruleThat("forgetful", ({ agentResponse = "" }) => ({
      isCompliant: !pattern.test(agentResponse),
      violations: [],
      riskScore: 0,
      requiresReview: false,
    }));
    const given = {
      violating: [{ agentResponse: "coin" }],
      compliant: [{ agentResponse: "bread" }],
    };
    expect(failuresOf(forgetful, given)).toEqual([
      "violating[0] (agent: coin): expected the same findings when asked again, got nothing",
    ]);
  });

  it("finds rules that fail on odd texts, and such that give something else than a result", () => {
    const fragile = ruleThat("fragile", ({ agentResponse = "" }) => {
      encodeURIComponent(agentResponse);
      return {
        isCompliant: agentResponse !== "coin",
        violations: [],
        riskScore: 0,
        requiresReview: false,
      };
    });
    const given = {
      violating: [{ agentResponse: "coin" }],
      compliant: [{ agentResponse: "bread" }],
    };
    expect(failuresOf(fragile, given)).toEqual([
      expect.stringMatching(
        /^odd texts \d+: user .* \(\d+ characters\): expected any answer, got URIError/,
      ),
    ]);
    expect(
      failuresOf(
        ruleThat("mute", () => undefined),
        given,
      )[0],
    ).toMatch(/got no valid ComplianceResult \(/);
    const later = ruleThat("later", () => Promise.reject(new Error("later")));
    expect(failuresOf(later, given)[0]).toMatch(/got TypeError: the rule gave a promise/);
  });

  it("plays the history of a case in one session, and judges the last turn alone", () => {
    const sessions = new Map<string, number>();
    const seen: string[] = [];
    const counting = ruleThat("counting", ({ sessionId, timestamp, userMessage = "" }) => {
      sessions.set(sessionId, timestamp);
      seen.push(userMessage);
      return {
        isCompliant: userMessage !== "no",
        violations: [],
        riskScore: 0,
        requiresReview: false,
      };
    });
    const given: RuleCases = {
      violating: [{ userMessage: "no" }],
      compliant: [{ history: [{ userMessage: "no" }], userMessage: "yes" }],
    };
    verifyRule(counting, given);
    expect(seen.slice(0, 4)).toEqual(["no", "no", "no", "yes"]);
    expect(sessions.size).toBe(1);
  });

  it("refuses a malformed rule", () => {
    expect(() => verifyRule({ ...refund, id: "" }, cases)).toThrow(ValidationError);
    expect(() => verifyRule({ id: "x" } as unknown as ComplianceRule, cases)).toThrow(
      ValidationError,
    );
  });
});
