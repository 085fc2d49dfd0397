import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import type { ComplianceSettings } from "../../src/events/agent.ts";
import type { InteractionContext } from "../../src/events/compliance.ts";
import { complianceResultSchema } from "../../src/events/compliance.ts";
import { context, createTestEngine, ruleOf, ruleThat, SECRET } from "./engine-fixtures.ts";

class ContentError extends Error {}

const verdict = { isCompliant: true, violations: [], riskScore: 0, requiresReview: false };

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

describe("a rule that fails", () => {
  const failures: [title: string, act: (seen: InteractionContext) => unknown][] = [
    [
      "throws",
      ({ agentResponse }) => {
        throw new ContentError(agentResponse);
      },
    ],
    [
      "throws a string",
      () => {
        throw SECRET;
      },
    ],
    [
      "throws an error whose name can't be read",
      () => {
        throw Object.defineProperty(new Error("x"), "name", { get: () => 7 });
      },
    ],
    [
      "throws a revoked proxy",
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        throw proxy;
      },
    ],
    ["gives nothing", () => undefined],
    ["gives a string", () => SECRET],
    ["gives half a result", () => ({ isCompliant: true })],
    ["gives a score that is no number", () => ({ ...verdict, riskScore: Number.NaN })],
    ["gives violations that are none", () => ({ ...verdict, violations: [{ rule: SECRET }] })],
    [
      "gives a getter that throws",
      () =>
        Object.defineProperty({ ...verdict }, "violations", {
          get: () => {
            throw new Error(SECRET);
          },
        }),
    ],
    [
      "never ends its recursion",
      function again(): unknown {
        return [again()];
      },
    ],
    [
      "writes to the context",
      (seen) => {
        seen.agentResponse = "changed";
        return verdict;
      },
    ],
    [
      "writes into the context",
      (seen) => {
        seen.riskFactors?.push("changed");
        return verdict;
      },
    ],
  ];

  it.each(failures)("costs its own findings only: %s", async (_title, act) => {
    const rejections: unknown[] = [];
    const onRejection = (reason: unknown): void => void rejections.push(reason);
    process.on("unhandledRejection", onRejection);
    const { engine, lines } = createTestEngine();
    engine.addRule(ruleThat("bad", act));
    engine.addRule(ruleOf("good", [{ severity: "info" }]));
    const frozen = deepFreeze({ ...context, riskFactors: ["one"] });
    const { violations, requiresReview, metadata } = engine.evaluate(frozen);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", onRejection);
    expect(rejections).toEqual([]);
    expect(violations.map(({ rule }) => rule)).toEqual(["good"]);
    expect(metadata).toMatchObject({ evaluated: true, rulesEvaluated: 1, ruleErrors: ["bad"] });
    expect(requiresReview, "a rule of the caller's own is not mandatory").toBe(false);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^error compliance_rule_error:bad compliance rule "bad" failed: /);
    expect(lines.join()).not.toContain(SECRET);
  });

  it("sends the answer to review if the rule is mandatory, and lowers the confidence", () => {
    const broken = ruleThat("broken", () => undefined);
    const { engine } = createTestEngine({ rules: [broken, ruleOf("clean")] });
    expect(engine.evaluate(context)).toMatchObject({
      isCompliant: true,
      requiresReview: true,
      metadata: { confidence: 0.5, ruleErrors: ["broken"] },
    });
  });

  it("leaves no verdict when no rule gave an answer", () => {
    const { engine } = createTestEngine({ rules: [ruleThat("broken", () => undefined)] });
    expect(engine.evaluate(context)).toMatchObject({
      isCompliant: false,
      requiresReview: true,
      metadata: { evaluated: false, rulesEvaluated: 0, confidence: 0 },
    });
  });

  it("can't loop by adding itself again", () => {
    const { engine } = createTestEngine();
    const rule = ruleThat("phoenix", () => {
      engine.removeRule("phoenix");
      engine.addRule(rule);
      return verdict;
    });
    engine.addRule(rule);
    expect(engine.evaluate(context).metadata.rulesEvaluated).toBe(1);
  });
});

describe("a slow rule", () => {
  it("is skipped for a minute after three overruns, then tried again", () => {
    let cost = 6;
    const { engine, lines, spend } = createTestEngine({
      rules: [
        ruleThat("slow", () => {
          spend(cost);
          return verdict;
        }),
      ],
    });
    for (let run = 0; run < 3; run++)
      expect(engine.evaluate(context).metadata.ruleOverruns).toEqual(["slow"]);
    expect(lines).toEqual([
      expect.stringContaining('"slow" took more than 5 ms repeatedly: skipped for 60 s'),
    ]);
    for (let run = 0; run < 5; run++) {
      expect(engine.evaluate(context)).toMatchObject({
        requiresReview: true,
        metadata: { rulesSkipped: ["slow"], evaluated: false },
      });
    }
    cost = 1;
    spend(60_000);
    expect(engine.evaluate(context).metadata).toMatchObject({ evaluated: true, evaluationTime: 1 });
    expect(lines).toHaveLength(1);
  });

  it("is not skipped for pauses that are rare, or for runs that take the limit", () => {
    let run = 0;
    const { engine, spend } = createTestEngine({
      rules: [
        ruleThat("paused", () => {
          spend(run++ % 20 === 0 ? 50 : 5);
          return verdict;
        }),
      ],
    });
    for (let turn = 0; turn < 200; turn++)
      expect(engine.evaluate(context).metadata.rulesSkipped).toBeUndefined();
  });

  it("may throw and is slow all the same", () => {
    const { engine, spend } = createTestEngine();
    engine.addRule(
      ruleThat("both", () => {
        spend(10);
        throw new Error("late");
      }),
    );
    expect(engine.evaluate(context).metadata).toMatchObject({
      ruleErrors: ["both"],
      ruleOverruns: ["both"],
    });
  });
});

describe("a context", () => {
  it("is read only: deeply frozen ones work and others stay as they are", () => {
    const full = {
      ...context,
      agentCategory: "autonomous" as const,
      toolsUsed: [{ name: "t", parameters: { a: [1] }, result: {}, success: true }],
      customerProfile: { customerId: "c", riskRating: "high" },
      transactionContext: { amount: 9000 },
      riskFactors: ["pep"],
      metadata: { deep: { er: 1 } },
    };
    const before = structuredClone(full);
    const { engine } = createTestEngine({ rules: builtInRules });
    const result = engine.evaluate(deepFreeze(structuredClone(full)));
    expect(engine.evaluate(full)).toEqual(result);
    expect(full).toEqual(before);
    expect(result.metadata.ruleErrors).toBeUndefined();
  });

  it("whose members can't be read is judged by the rest and sent to review", () => {
    const { engine } = createTestEngine({ rules: builtInRules });
    const hostile = Object.defineProperty({ ...context }, "agentResponse", {
      get: () => {
        throw new Error(SECRET);
      },
    });
    expect(engine.evaluate(hostile)).toMatchObject({
      requiresReview: true,
      metadata: { evaluated: true, unreadable: ["agentResponse"] },
    });
  });

  it("is read at its head and its tail when a text is long, with spans in the original", () => {
    const { engine } = createTestEngine({ rules: builtInRules });
    const card = "4539148803436467";
    const texts = [`${card} ${"x".repeat(100_000)}`, `${"x".repeat(100_000)} ${card}.`];
    for (const agentResponse of texts) {
      const { violations, metadata } = engine.evaluate({ ...context, agentResponse });
      expect(metadata.truncated).toBe(true);
      const start = agentResponse.indexOf(card);
      expect(violations[0]?.context?.["spans"]).toEqual([
        { source: "agentResponse", start, end: start + card.length },
      ]);
      expect(violations[0]?.context?.detectedContent).toContain("************6467");
    }
    const middle = `${"x".repeat(50_000)} ${card} ${"x".repeat(50_000)}`;
    expect(engine.evaluate({ ...context, agentResponse: middle }).violations).toEqual([]);
  });

  it("may be anything, and so may the settings: the result is always valid", () => {
    const { engine } = createTestEngine({ rules: builtInRules });
    engine.addRule(ruleOf("custom", [{ severity: "warning" }]));
    const member = fc.anything({
      withBigInt: true,
      withNullPrototype: true,
      withMap: true,
      withSymbol: true,
    } as fc.ObjectConstraints);
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.stringMatching(/^[\d \-./]{0,80}$/),
      member,
    );
    const anyContext = fc.record(
      {
        agentId: member,
        agentCategory: member,
        sessionId: member,
        timestamp: member,
        agentSpecialty: member,
        userMessage: text,
        agentResponse: text,
        toolsUsed: fc.oneof(member, fc.array(member)),
        customerProfile: member,
        transactionContext: member,
        riskFactors: fc.oneof(member, fc.array(member)),
        metadata: member,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.oneof(anyContext, member),
        fc.oneof(member, fc.record({ custom_rules: member, risk_threshold: member })),
        (hostile, settings) => {
          const result = engine.evaluate(
            hostile as InteractionContext,
            settings as ComplianceSettings,
          );
          expect(complianceResultSchema.safeParse(result).success).toBe(true);
          expect(result.metadata.ruleErrors).toBeUndefined();
        },
      ),
      { numRuns: 500 },
    );
  });

  it("may be a proxy whose every trap throws", () => {
    const { engine } = createTestEngine({ rules: builtInRules });
    const fail = (): never => {
      throw new Error(SECRET);
    };
    const hostile = new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail });
    const result = engine.evaluate(hostile as InteractionContext, hostile as ComplianceSettings);
    expect(result).toMatchObject({
      isCompliant: false,
      requiresReview: true,
      metadata: { evaluated: false },
    });
  });
});
