import { describe, expect, it, vi } from "vitest";
import { PROFILE_MEMBERS, TRANSACTION_MEMBERS } from "../../src/compliance/member-reader.ts";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import {
  customerProfileSchema,
  transactionContextSchema,
  type InteractionContext,
} from "../../src/events/compliance.ts";
import { context, createTestEngine, ruleThat } from "./engine-fixtures.ts";

const fine = { isCompliant: true, violations: [], riskScore: 0, requiresReview: false };

/** What a rule sees of a context, and what the evaluation and the log say of it. */
function see(given: object) {
  const seen: InteractionContext[] = [];
  const rule = ruleThat("custom-spy", (one) => {
    seen.push(one);
    return fine;
  });
  const { engine, lines } = createTestEngine({ rules: [rule] });
  const result = engine.evaluate({ ...context, ...given });
  return { seen: seen[0], result, lines };
}

describe("a context with a bad member", () => {
  it("loses that member only, and says so", () => {
    const { seen, result, lines } = see({
      customerProfile: {
        customerId: "C-1",
        riskRating: { level: "high" },
        previousViolations: "many",
        accountTypes: ["checking", 7, "savings"],
        segment: "own member of the bank",
      },
      transactionContext: { amount: Number.NaN, location: "Lyon", transactionType: null },
      riskFactors: ["pep", 42],
      toolsUsed: [
        { name: "one", parameters: {}, result: 1, success: true },
        { name: 5 },
        "two",
        { name: "three", parameters: {}, result: 3, success: true },
      ],
    });
    expect(seen?.customerProfile).toEqual({
      customerId: "C-1",
      accountTypes: ["checking", "savings"],
      segment: "own member of the bank",
    });
    expect(seen?.transactionContext).toEqual({ location: "Lyon" });
    expect(seen?.riskFactors).toEqual(["pep"]);
    expect(seen?.toolsUsed?.map(({ name }) => name)).toEqual(["one", "three"]);
    const ignored = [
      "toolsUsed[1].name",
      "toolsUsed[2]",
      "customerProfile.riskRating",
      "customerProfile.accountTypes[1]",
      "customerProfile.previousViolations",
      "transactionContext.amount",
      "riskFactors[1]",
    ];
    expect(result.metadata.ignored).toEqual(ignored);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("warn compliance_context");
    for (const field of ignored) expect(lines[0]).toContain(field);
  });

  it("loses one whose getter throws, and goes to review", () => {
    const { seen, result } = see({
      customerProfile: {
        customerId: "C-1",
        get riskRating(): string {
          throw new Error("secret");
        },
      },
      riskFactors: ["pep"],
    });
    expect(seen?.customerProfile).toEqual({ customerId: "C-1" });
    expect(seen?.riskFactors).toEqual(["pep"]);
    expect(result.metadata.unreadable).toEqual(["customerProfile.riskRating"]);
    expect(result.requiresReview).toBe(true);
  });

  it("is told of at most twenty", () => {
    const { result } = see({ riskFactors: Array.from({ length: 1000 }, (_, index) => index) });
    expect(result.metadata.ignored).toHaveLength(20);
  });

  it("keeps a member named __proto__ a member", () => {
    const customerProfile: unknown = JSON.parse('{"customerId":"C-1","__proto__":{"a":1}}');
    const { seen } = see({ customerProfile });
    expect(Object.getPrototypeOf(seen?.customerProfile)).toBe(Object.prototype);
  });
});

describe("the members that the rules expect", () => {
  it("are those of the schemas", () => {
    expect(Object.keys(PROFILE_MEMBERS).toSorted()).toEqual(
      Object.keys(customerProfileSchema.shape).toSorted(),
    );
    expect(Object.keys(TRANSACTION_MEMBERS).toSorted()).toEqual(
      Object.keys(transactionContextSchema.shape).toSorted(),
    );
  });
});

describe("a context of any size", () => {
  it("is read up to a bound, once, whatever the rules look for", () => {
    let reads = 0;
    const many = (depth: number): object =>
      Object.defineProperties(
        {},
        Object.fromEntries(
          Array.from({ length: 2000 }, (_, index) => [
            `amount${index}`,
            {
              enumerable: true,
              get: () => {
                reads++;
                return depth > 0 ? many(depth - 1) : "x".repeat(100);
              },
            },
          ]),
        ),
      );
    const { engine } = createTestEngine({ rules: builtInRules });
    const { metadata } = engine.evaluate({
      ...context,
      agentResponse: "Your limit is $500, there is no fee, and the cash deposit is done.",
      toolsUsed: [
        { name: "cash_deposit", parameters: many(0), result: many(1), success: true },
        { name: "send_email", parameters: many(0), result: [many(0)], success: true },
      ],
    });
    expect(metadata.truncated).toBe(true);
    expect(metadata.ruleErrors).toBeUndefined();
    expect(reads).toBeLessThan(12_000);
  });

  it("costs nothing for bytes, which have no members", () => {
    const bytes = Buffer.alloc(5 * 1024 * 1024, "4539148803436467 ");
    const named = [vi.spyOn(Object, "entries"), vi.spyOn(Object, "keys")];
    const { engine } = createTestEngine({ rules: builtInRules });
    try {
      const { metadata } = engine.evaluate({
        ...context,
        toolsUsed: [{ name: "send_email", parameters: bytes, result: { bytes }, success: true }],
        customerProfile: bytes as never,
        transactionContext: bytes as never,
        metadata: bytes,
      });
      expect(metadata.ruleErrors).toBeUndefined();
      for (const spy of named) expect(spy.mock.calls.some(([of]) => of === bytes)).toBe(false);
    } finally {
      for (const spy of named) spy.mockRestore();
    }
  });

  it("shows a long list of tools and long texts in part, and says so", () => {
    const { seen, result } = see({
      toolsUsed: Array.from({ length: 500 }, (_, index) => ({
        name: `tool-${index}`,
        parameters: { note: "x".repeat(10_000) },
        result: null,
        success: true,
      })),
    });
    expect(seen?.toolsUsed).toHaveLength(64);
    expect(JSON.stringify(seen?.toolsUsed).length).toBeLessThan(300_000);
    expect(result.metadata.truncated).toBe(true);
  });
});

describe("settings and options that are hostile", () => {
  const throwing = new Proxy(
    {},
    {
      get: () => {
        throw new Error("secret");
      },
      ownKeys: () => {
        throw new Error("secret");
      },
      has: () => {
        throw new Error("secret");
      },
    },
  );
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const endless = {
    custom_rules: {
      *[Symbol.iterator]() {
        for (;;) yield "x";
      },
    },
  };
  const odd = [
    throwing,
    revoked.proxy,
    endless,
    { custom_rules: throwing },
    { custom_rules: [Symbol("x"), throwing, null] },
    { risk_threshold: throwing },
    { risk_threshold: 10n },
    { risk_threshold: Symbol("x") },
    null,
    7,
    "x",
    () => undefined,
  ];

  it.each(odd.map((given, index) => [index, given] as const))(
    "never make evaluate throw: %s",
    (_, given) => {
      const { engine } = createTestEngine({
        rules: [ruleThat("custom-fine", () => fine)],
        settingsOf: () => given as never,
      });
      for (const call of [
        () => engine.evaluate(context, given as never),
        () => engine.evaluate({ ...context, complianceSettings: given as never }),
        () => engine.evaluate(context),
        () => engine.evaluate(context, undefined, given as never),
        () => engine.evaluate(given as never, given as never, given as never),
      ])
        expect(call()).toMatchObject({ metadata: { evaluationTime: 0 } });
    },
  );
});
