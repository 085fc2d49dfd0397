import { describe, expect, it } from "vitest";
import { isProven, weighJudgement } from "../../src/assessment/judge-opinion.ts";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import type { ComplianceFlag } from "../../src/events/compliance.ts";
import { type CheckedClaim, NONE_DROPPED } from "../../src/judge/judge-reply.ts";
import type { Judgement } from "../../src/judge/judgement.ts";

const rules = new Map(builtInRules.map((rule) => [rule.id, rule]));
const RETURNS = "consumer-protection-guaranteed-returns";
const FEES = "consumer-protection-fees";

function toFlag(rule: string, pattern: string, rest: Partial<ComplianceFlag> = {}): ComplianceFlag {
  const { context, ...members } = rest;
  return {
    rule,
    category: rules.get(rule)?.category ?? "custom",
    severity: "warning",
    description: "found",
    ...members,
    context: { detectedPattern: `${rule}/${pattern}`, ...context },
  };
}

function toJudgement(claims: readonly CheckedClaim[], rest: Partial<Judgement> = {}): Judgement {
  return {
    family: "consumer_protection",
    ruleIds: [RETURNS, FEES],
    evaluator: {
      id: "agent-monitor.judge",
      type: "llm_judge",
      version: "1",
      promptHash: "sha256:0",
    },
    claims,
    dropped: NONE_DROPPED,
    failedCalls: [],
    replyLength: 10,
    calls: 1,
    latency: 1,
    isCut: false,
    ...rest,
  };
}

const ANSWER = "The fund pays 8% and you can never lose a cent of it.";
const texts = { sent: { agentResponse: ANSWER }, whole: { agentResponse: ANSWER } };

function toClaim(ruleId: string, quote: string): CheckedClaim {
  const start = ANSWER.indexOf(quote);
  const place = {
    source: "agentResponse",
    passage: quote,
    start,
    end: start + quote.length,
  } as const;
  return { ruleId, quote, reason: "it promises", confidence: 0.9, ...place };
}

const toSpans = (quote: string): { readonly spans: readonly object[] } => {
  const start = ANSWER.indexOf(quote);
  return { spans: [{ source: "agentResponse", start, end: start + quote.length }] };
};

describe("isProven", () => {
  const checksum = toFlag("privacy-card-number", "checksum", { confidence: 0.99 });

  it.each([
    ["digits with a checksum", checksum, true],
    ["a rule that is always reviewed", toFlag("bsa-aml-sanctions", "any"), true],
    ["wording", toFlag(RETURNS, "stated-plainly", { confidence: 0.99 }), false],
    [
      "a check that has doubts itself",
      toFlag("sr-11-7-unsupported-action", "other-value", { confidence: 0.75 }),
      false,
    ],
    [
      "a check whose words were weighed",
      { ...checksum, context: { ...checksum.context, secondLookVersion: "3" } },
      false,
    ],
    ["a rule that is gone", toFlag("gone", "checksum", { confidence: 1 }), false],
  ])("knows %s", (_, flag, expected) => {
    expect(isProven(flag, rules.get(flag.rule))).toBe(expected);
  });
});

describe("weighJudgement", () => {
  const finding = toFlag(RETURNS, "stated-plainly", { context: toSpans("never lose a cent") });

  it("confirms a finding by a claim of its rule", () => {
    const claim = toClaim(RETURNS, "pays 8%");
    expect(weighJudgement(toJudgement([claim]), [finding], rules, texts)).toEqual({
      opinions: [{ finding, tier: "confirmed", claim }],
      added: [],
    });
  });

  it("confirms a finding by a claim on its passage, whatever the rule", () => {
    const claim = toClaim(FEES, "lose a cent");
    const { opinions, added } = weighJudgement(toJudgement([claim]), [finding], rules, texts);
    expect(opinions).toMatchObject([{ tier: "confirmed" }]);
    expect(added).toEqual([]);
  });

  it("lets one claim share a finding, the best, and loses none of the others", () => {
    const best = toClaim(RETURNS, "can never lose a cent");
    const elsewhere = toClaim(RETURNS, "pays 8%");
    const other = toClaim(FEES, "never lose");
    const judgement = toJudgement([elsewhere, other, best]);
    expect(weighJudgement(judgement, [finding], rules, texts)).toEqual({
      opinions: [{ finding, tier: "confirmed", claim: best }],
      added: [elsewhere, other],
    });
  });

  it("contradicts what nothing shares, and adds what nothing had found", () => {
    const claim = toClaim(FEES, "The fund pays");
    const { opinions, added } = weighJudgement(toJudgement([claim]), [finding], rules, texts);
    expect(opinions).toEqual([{ finding, tier: "contradicted" }]);
    expect(added).toEqual([claim]);
  });

  it.each([
    ["a judgement that failed", { failure: "timeout" as const }],
    ["one that has not seen all of it", { isCut: true }],
    ["one of which a claim was dropped", { dropped: { ...NONE_DROPPED, quote_not_found: 1 } }],
  ])("leaves a finding as it is after %s", (_, rest) => {
    const { opinions } = weighJudgement(toJudgement([], rest), [finding], rules, texts);
    expect(opinions).toEqual([{ finding, tier: "unjudged" }]);
  });

  it("contradicts no proof, and says nothing of other families", () => {
    const proof = toFlag("privacy-card-number", "checksum", { confidence: 0.99 });
    const judgement = toJudgement([], { family: "privacy", ruleIds: ["privacy-card-number"] });
    const { opinions } = weighJudgement(judgement, [proof, finding], rules, texts);
    expect(opinions).toEqual([{ finding: proof, tier: "confirmed" }]);
  });
});
